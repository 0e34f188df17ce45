/** Runs in a separate thread (feed-thread.ts), since a large feed takes the parser a second or more. */
import { strict as strictDates } from 'chrono-node';
import { parseFeed } from 'feedsmith';
import { plainText } from './plain-text.ts';

export interface FeedItem {
  title: string;
  /** Canonical, https. */
  url: string;
  /** The feed's own id for it. */
  guid: string | null;
  summary: string | null;
  /** Epoch milliseconds; null if the feed gives none. */
  publishedMs: number | null;
  /** At its publisher. */
  pictureUrl: string | null;
}

const LONGEST_TITLE = 300;
const LONGEST_SUMMARY = 280;
const LONGEST_GUID = 500;
const MAX_ITEMS = 100;

interface RawItem {
  title: string | undefined;
  links: readonly (string | undefined)[];
  guid: string | undefined;
  summary: string | undefined;
  /** The first that can be read counts. */
  dates: readonly (string | undefined)[];
  pictures: readonly (string | undefined)[];
  /** Its `xml:base`. */
  base: string | undefined;
}

type Parsed = ReturnType<typeof parseFeed<string>>;
type Of<Format extends Parsed['format']> = Extract<Parsed, { format: Format }>['feed'];
type RssItem = NonNullable<Of<'rss'>['items']>[number];
type Media = NonNullable<RssItem['media']>;

/**
 * @param feedUrl base of relative links. @returns items with a title and an address, in the feed's order, at most 100
 * @throws Error for a text that isn't a feed, is cut off, or defines its own entities
 */
export function readFeed(text: string, feedUrl: string): FeedItem[] {
  const prolog = text.slice(0, text.search(/<(?:rss|feed|rdf:rdf)[\s>]/i));
  if (/<!entity/i.test(prolog)) throw new Error('a feed that declares its own entities');
  const whole = wholeFeed(text);
  const parsed = parseFeed<string>(whole, { maxItems: MAX_ITEMS });
  const base = [parsed.format === 'json' ? undefined : parsed.feed.xml?.base, channelBase(whole)].reduce(
    resolved,
    feedUrl,
  );
  return rawItems(parsed).flatMap((raw) => toItem(raw, feedUrl, resolved(base, raw.base)) ?? []);
}

/** Of elements, not of what an article says about them. */
const QUOTED = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)/g;

/** The feed without what hosts append to it, such as scripts. @throws Error for a feed that is cut off */
function wholeFeed(text: string): string {
  if (!text.trimStart().startsWith('<')) return text;
  const elements = text.replace(QUOTED, (quoted) => ' '.repeat(quoted.length));
  const end = [...elements.matchAll(/<\/(?:[\w.-]+:)?(?:rss|feed|rdf)\s*>/gi)].at(-1);
  if (end === undefined) throw new Error('a feed that is cut off');
  return text.slice(0, end.index + end[0].length);
}

/** The parser gives the base of every element but this one. */
function channelBase(text: string): string | undefined {
  return /<channel\b[^>]*?\sxml:base\s*=\s*["']([^"'<>]*)/i.exec(text)?.[1];
}

/** Relative addresses under an element with `xml:base`, which may be relative too. An invalid one has no effect. */
function resolved(base: string, own: string | undefined): string {
  const url = URL.parse(own?.trim() ?? '', base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : base;
}

function toItem(raw: RawItem, feedUrl: string, base: string): FeedItem | null {
  const title = plainText(raw.title, LONGEST_TITLE);
  const url = firstOf(raw.links, (link) => canonicalAddress(link, base));
  if (title === null || url === null) return null;
  const guid = plainText(raw.guid?.slice(0, LONGEST_GUID), LONGEST_GUID);
  const summary = plainText(raw.summary, LONGEST_SUMMARY);
  const pictureUrl = firstOf(raw.pictures, (picture) => pictureAddress(picture, base, feedUrl));
  return { title, url, guid, summary, publishedMs: firstOf(raw.dates, feedDateMs), pictureUrl };
}

function rawItems(parsed: Parsed): RawItem[] {
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map(ofRss);
    case 'atom':
      return (parsed.feed.entries ?? []).map(ofAtom);
    case 'rdf':
      return (parsed.feed.items ?? []).map(ofRdf);
    case 'json':
      return (parsed.feed.items ?? []).map(ofJson);
  }
}

function ofRss(item: RssItem): RawItem {
  const { title, link, guid, description, pubDate, dc, dcterms, atom, media, enclosures, xml } = item;
  const attached = enclosures?.filter(({ type }) => isPicture(type)).map(({ url }) => url) ?? [];
  return {
    title: title ?? dc?.titles?.[0],
    links: [link, guid?.isPermaLink === false ? undefined : guid?.value],
    guid: guid?.value,
    summary: description,
    dates: [pubDate, ...(dc?.dates ?? []), ...(dcterms?.issued ?? []), atom?.published, atom?.updated],
    pictures: [...picturesOf(media), ...attached],
    base: xml?.base,
  };
}

function ofAtom(entry: NonNullable<Of<'atom'>['entries']>[number]): RawItem {
  const { title, id, links = [], summary, published, updated, media, xml } = entry;
  const isArticle = (rel: string | undefined) => rel === undefined || rel === 'alternate';
  return {
    title: title?.value,
    links: links.filter(({ rel }) => isArticle(rel)).map(({ href }) => href),
    guid: id,
    summary: summary?.value,
    dates: [published, updated],
    base: xml?.base,
    pictures: [
      ...picturesOf(media),
      ...links.filter(({ rel, type }) => rel === 'enclosure' && isPicture(type)).map(({ href }) => href),
    ],
  };
}

function ofRdf(item: NonNullable<Of<'rdf'>['items']>[number]): RawItem {
  const { title, link, rdf, description, dc, dcterms, media, xml } = item;
  return {
    title,
    links: [link, rdf?.about],
    guid: rdf?.about,
    summary: description,
    dates: [...(dc?.dates ?? []), ...(dcterms?.issued ?? [])],
    pictures: picturesOf(media),
    base: xml?.base,
  };
}

function ofJson(item: NonNullable<Of<'json'>['items']>[number]): RawItem {
  const { title, url, external_url, id, summary, date_published, date_modified, image, banner_image } = item;
  return {
    title,
    links: [url, external_url],
    guid: id,
    summary,
    dates: [date_published, date_modified],
    pictures: [image, banner_image],
    base: undefined,
  };
}

function picturesOf(media: Media | undefined): (string | undefined)[] {
  const contents = [...(media?.contents ?? []), ...(media?.groups?.flatMap((group) => group.contents ?? []) ?? [])];
  const thumbnails = [media, ...(media?.groups ?? []), ...contents].flatMap((part) => part?.thumbnails ?? []);
  const pictures = contents.filter(({ medium, type }) => medium === 'image' || isPicture(type));
  return [...pictures, ...thumbnails].map(({ url }) => url);
}

function isPicture(type: string | undefined): boolean {
  return type?.toLowerCase().startsWith('image/') ?? false;
}

function firstOf<T, R>(values: readonly T[], read: (value: T) => R | null): R | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

const HAS_ZONE = /(?:[a-z]|[+-]\d{2}:?\d{2})\s*(?:\([^()]*\))?$/i;
const LONGEST_DATE = 120;
/** What the parser of dates takes a time without a zone for. */
const IN_UTC = { instant: new Date(0), timezone: 'UTC' };

/** @returns epoch milliseconds; null for a missing or invalid date */
export function feedDateMs(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || trimmed.length > LONGEST_DATE) return null;
  // A plain day is already UTC.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(trimmed);
  const zone = trimmed.includes('T') && /^\d{4}-/.test(trimmed) ? 'Z' : ' GMT';
  const ms = Date.parse(isDay || HAS_ZONE.test(trimmed) ? trimmed : trimmed + zone);
  return Number.isFinite(ms) ? ms : otherDateMs(trimmed);
}

/** Other forms of a whole date, such as zones by name: 'CET', 'JST'. */
function otherDateMs(text: string): number | null {
  const [found] = strictDates.parse(text, IN_UTC);
  const isWhole =
    found !== undefined && (['year', 'month', 'day'] as const).every((part) => found.start.isCertain(part));
  return isWhole ? found.date().getTime() : null;
}

const LONGEST = 2000;

/**
 * Drops the fragment, campaign parameters (`utm_*`) and a trailing dot of the host; the rest stays as written.
 * @param base for relative addresses. @returns null if not https, too long or with a password
 */
export function canonicalAddress(address: string | null | undefined, base: string): string | null {
  const url = parseUrl(address, base);
  if (url === null || url.protocol !== 'https:') return null;
  // A trailing dot names the same host, and would bypass take-downs.
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return null;
  url.hostname = host;
  url.hash = '';
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^utm_/i.test(part))
    .join('&');
  return url.href.length <= LONGEST ? url.href : null;
}

/** A picture's address, unchanged. In the sandbox the feed's own scheme is allowed too. */
export function pictureAddress(address: string | null | undefined, base: string, feedUrl = base): string | null {
  const url = parseUrl(address, base);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== URL.parse(feedUrl)?.protocol)) return null;
  return url.href.length <= LONGEST ? url.href : null;
}

function parseUrl(address: string | null | undefined, base: string): URL | null {
  const text = address?.trim() ?? '';
  const url = text === '' ? null : URL.parse(text, base);
  return url === null || url.username !== '' || url.password !== '' ? null : url;
}
