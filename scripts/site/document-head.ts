/** Everything that browsers, search engines and social cards read of each built document without running scripts. */

import { headOf, ORIGIN_PLACEHOLDER, SITE_NAME } from '#domain/site/page-head.ts';
import { findRoute } from '#domain/site/routes.ts';
import { PREVIEW } from '../pictures/previews/preview-picture.ts';
import type { Preview } from '../pictures/previews/write-previews.ts';

export interface HeadParts {
  pathname: string;
  /** The picture of a link to the page; null for a page without one. */
  preview: Preview | null;
  /** Scripts that make the page interactive. */
  scripts: readonly string[];
  /** True for a file of the built folder: missing icons are not listed. */
  hasFile: (name: string) => boolean;
}

const HEAD_END = '</head>';
const FEED_OF = '/change-log';
const FEED = '/change-log.atom';

/** The tags, one a line, in the best order for a browser. */
export function headTags({ pathname, preview, scripts, hasFile }: HeadParts): string {
  const { title, description, canonicalPath } = headOf(pathname);
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    ...(canonicalPath === null
      ? [meta('name', 'robots', 'noindex')]
      : [`<link rel="canonical" href="${ORIGIN_PLACEHOLDER}${canonicalPath}">`]),
    ...(canonicalPath !== null || preview !== null ? card(pathname, title, description, preview) : []),
    ...(canonicalPath === FEED_OF
      ? [`<link rel="alternate" type="application/atom+xml" title="Kat: change log" href="${FEED}">`]
      : []),
    '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b0d10">',
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f7f9">',
    ...icons(hasFile),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('\n    ');
}

/**
 * One style sheet for the whole page; web/begin.js marks its parts as loaded for the code that loads a page's parts.
 */
export function styleTags(whole: string, parts: readonly string[]): string {
  const named = meta('name', 'styles', parts.map((file) => `/${file}`).join(' '));
  return [named, `<link rel="stylesheet" crossorigin href="/${whole}">`].map((tag) => `${tag}\n    `).join('');
}

/** The document without the style sheets of the shell. */
export function withoutStyles(html: string): string {
  return html.replace(/[ \t]*<link rel="stylesheet"[^>]*>\n?/g, '');
}

/** What services show of a link to the page. */
function card(path: string, title: string, description: string, preview: Preview | null): string[] {
  return [
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', SITE_NAME),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', ORIGIN_PLACEHOLDER + path),
    ...(preview === null ? [] : picture(preview)),
    meta('name', 'twitter:card', preview === null ? 'summary' : 'summary_large_image'),
  ];
}

function picture({ file, alt }: Preview): string[] {
  return [
    meta('property', 'og:image', `${ORIGIN_PLACEHOLDER}/${file}`),
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', String(PREVIEW.width)),
    meta('property', 'og:image:height', String(PREVIEW.height)),
    meta('property', 'og:image:alt', alt),
    meta('name', 'twitter:image:alt', alt),
  ];
}

function icons(hasFile: HeadParts['hasFile']): string[] {
  const links: [file: string, attributes: string][] = [
    ['favicon.ico', 'rel="icon" sizes="32x32"'],
    ['favicon.svg', 'rel="icon" type="image/svg+xml"'],
    ['apple-touch-icon.png', 'rel="apple-touch-icon"'],
    ['site.webmanifest', 'rel="manifest"'],
  ];
  return links.filter(([file]) => hasFile(file)).map(([file, attributes]) => `<link ${attributes} href="/${file}">`);
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
}

/** Names the page and explains why it is empty, for browsers that run no scripts. */
export function noscriptHtml(pathname: string): string {
  const heading = escapeHtml(findRoute(pathname)?.title ?? SITE_NAME);
  return `<main><h1>${heading}</h1><p>This page needs JavaScript. <a href="/">Go to the home page</a></p></main>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

const MODULE =
  /[ \t]*<(?:link rel="modulepreload"|script type="module")[^>]*?(?:href|src)="([^"]+)"[^>]*>(?:<\/script>)?\n?/g;

/**
 * A prerendered page does not wait for its scripts: web/begin.js requests them after the first frame. Until then styles
 * and fonts have the connection to themselves.
 */
export function withScriptsLater(html: string): string {
  const end = html.indexOf(HEAD_END);
  const head = html.slice(0, end);
  const named = [...head.matchAll(MODULE)];
  const isMain = (tag: string) => tag.includes('<script');
  const files = named.toSorted(([a], [b]) => Number(isMain(b)) - Number(isMain(a))).map(([, file = '']) => file);
  const place = meta('name', 'scripts', files.join(' '));
  return (
    html.slice(0, head.indexOf('<title>')) +
    place +
    '\n    ' +
    head.slice(head.indexOf('<title>')).replace(MODULE, '') +
    html.slice(end)
  );
}

const THEME_TAG = '<script src="/theme.js"></script>';

/**
 * The inline script saves a round trip before the first paint; everything that it reads is named before it.
 * @throws Error if the document does not name the theme's file, or the script would end its own tag
 */
export function withScriptInside(html: string, script: string): string {
  if (!html.includes(THEME_TAG)) throw new Error(`The document lacks ${THEME_TAG}.`);
  if (/<\/script|<!--/i.test(script)) throw new Error('The script is not safe to inline in a document.');
  return html.replace(THEME_TAG, () => `<script>${script}</script>`);
}

/** A document's files by urgency: the browser cannot draw without theme and styles; all else comes after. */
const ORDER = [/<script src="\/theme\.js">/, /rel="stylesheet"/, /rel="preload"/, /rel="modulepreload"/, /<script /];
const LOADED = /[ \t]*(<link rel="(?:stylesheet|preload|modulepreload)"[^>]*>|<script [^>]*><\/script>)\n?/g;

/** Browsers open few connections at a time to an HTTP/1.1 server, and scripts named first would delay the styles. */
export function inLoadingOrder(html: string): string {
  const end = html.indexOf(HEAD_END);
  const head = html.slice(0, end);
  const tags = [...head.matchAll(LOADED)].map(([, tag = '']) => tag);
  const rankOf = (tag: string) => ORDER.findIndex((kind) => kind.test(tag));
  const sorted = tags.toSorted((a, b) => rankOf(a) - rankOf(b));
  const rest = head.replace(LOADED, '').trimEnd();
  return `${[rest, ...sorted].join('\n    ')}\n  ${html.slice(end)}`;
}
