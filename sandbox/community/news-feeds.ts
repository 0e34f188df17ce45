/** Simulated publishers' news feeds in the four feed formats, with their pictures; pure. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import { type SampleArticle, sampleArticles } from './sample-news.ts';
import { samplePicture } from './sample-picture.ts';

export interface NewsAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer<ArrayBuffer>;
}

interface SampleFeed {
  name: string;
  /** With a leading slash: its address is the base address and this path. */
  path: string;
  type: string;
  bodyOf(feed: SampleFeed, articles: readonly SampleArticle[]): string;
}

const FEEDS: readonly SampleFeed[] = [
  { name: 'Sample Wire', path: '/news/wire.xml', type: 'application/rss+xml', bodyOf: rss },
  { name: 'Sample Ledger', path: '/news/ledger.atom', type: 'application/atom+xml', bodyOf: atom },
  { name: 'Sample Gazette', path: '/news/gazette.rdf', type: 'application/rdf+xml', bodyOf: rdf },
  { name: 'Sample Observer', path: '/news/observer.json', type: 'application/feed+json', bodyOf: jsonFeed },
];
/** Next to the feeds, so that their addresses may be relative. */
const PICTURE = /^\/news\/pictures\/(\d{1,9})\.png$/;

export const NEWS_FEEDS: readonly { name: string; path: string }[] = FEEDS.map(({ name, path }) => ({ name, path }));

/** @param path  of a feed or a picture, without query @returns null for an unknown path */
export function answerNews(
  path: string,
  conditions: Readonly<Record<string, string | readonly string[] | undefined>>,
  nowMs: number,
): NewsAnswer | null {
  const picture = PICTURE.exec(path);
  if (picture !== null)
    return { status: 200, headers: { 'content-type': 'image/png' }, body: samplePicture(Number(picture[1])) };
  const at = FEEDS.findIndex((feed) => feed.path === path);
  const feed = FEEDS[at];
  if (feed === undefined) return null;
  const articles = sampleArticles(nowMs).filter((article) => article.number % FEEDS.length === at);
  const newest = articles[0];
  const etag = `"sample-${newest?.number ?? 0}"`;
  const lastModified = new Date(newest?.publishedMs ?? 0).toUTCString();
  const headers = { etag, 'last-modified': lastModified, 'content-type': `${feed.type};charset=UTF-8` };
  const requestedTag = conditions['if-none-match'] ?? null;
  const isKnown = requestedTag === null ? conditions['if-modified-since'] === lastModified : requestedTag === etag;
  return isKnown ? { status: 304, headers, body: '' } : { status: 200, headers, body: feed.bodyOf(feed, articles) };
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** With the campaign parameters that publishers append to their links. */
function linkOf({ name }: SampleFeed, { number }: SampleArticle): string {
  return `https://example.com/${slug(name)}/${number}?utm_source=rss&utm_medium=feed`;
}

function pictureOf({ number, hasPicture }: SampleArticle): string | null {
  return hasPicture ? `pictures/${number}.png` : null;
}

/** Summaries are HTML in most feeds. */
function htmlOf({ summary }: SampleArticle): string {
  return `<p>${escapeHtml(summary)}</p>`;
}

function rss(feed: SampleFeed, articles: readonly SampleArticle[]): string {
  const items = articles.map((article) => {
    const picture = pictureOf(article);
    return `<item><title>${escapeHtml(article.title)}</title><link>${escapeHtml(linkOf(feed, article))}</link>
<guid isPermaLink="false">wire-${article.number}</guid><pubDate>${new Date(article.publishedMs).toUTCString()}</pubDate>
<description><![CDATA[${htmlOf(article)}]]></description>
${picture === null ? '' : `<media:content url="${picture}" medium="image" type="image/png"/>`}</item>`;
  });
  return `${XML}
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>${feed.name}</title>
<link>https://example.com/${slug(feed.name)}</link><description>A sample feed.</description>
${items.join('\n')}
</channel></rss>`;
}

function atom(feed: SampleFeed, articles: readonly SampleArticle[]): string {
  const entries = articles.map((article) => {
    const picture = pictureOf(article);
    const time = new Date(article.publishedMs).toISOString();
    return `<entry><title>${escapeHtml(article.title)}</title><id>urn:sample:ledger:${article.number}</id>
<link rel="alternate" href="${escapeHtml(linkOf(feed, article))}"/><published>${time}</published><updated>${time}</updated>
${picture === null ? '' : `<link rel="enclosure" type="image/png" href="${picture}"/>`}
<summary type="html">${escapeHtml(htmlOf(article))}</summary></entry>`;
  });
  return `${XML}
<feed xmlns="http://www.w3.org/2005/Atom"><title>${feed.name}</title><id>urn:sample:ledger</id>
<updated>${new Date(articles[0]?.publishedMs ?? 0).toISOString()}</updated>
${entries.join('\n')}
</feed>`;
}

function rdf(feed: SampleFeed, articles: readonly SampleArticle[]): string {
  const items = articles.map((article) => {
    const link = escapeHtml(linkOf(feed, article));
    const picture = pictureOf(article);
    return `<item rdf:about="${link}"><title>${escapeHtml(article.title)}</title><link>${link}</link>
<description>${escapeHtml(htmlOf(article))}</description><dc:date>${new Date(article.publishedMs).toISOString()}</dc:date>
${picture === null ? '' : `<media:thumbnail url="${picture}"/>`}</item>`;
  });
  return `${XML}
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel rdf:about="https://example.com/${slug(feed.name)}"><title>${feed.name}</title>
<link>https://example.com/${slug(feed.name)}</link><description>A sample feed.</description></channel>
${items.join('\n')}
</rdf:RDF>`;
}

function jsonFeed(feed: SampleFeed, articles: readonly SampleArticle[]): string {
  const items = articles.map((article) => ({
    id: `observer-${article.number}`,
    url: linkOf(feed, article),
    title: article.title,
    content_html: htmlOf(article),
    summary: article.summary,
    date_published: new Date(article.publishedMs).toISOString(),
    ...(article.hasPicture ? { image: pictureOf(article) } : {}),
  }));
  return JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: feed.name, items });
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
