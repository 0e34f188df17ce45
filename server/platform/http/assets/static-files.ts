/**
 * Serves the built site. Hashed assets are cached for a year and other files for an hour; browsers revalidate documents
 * on every visit. Unknown pages get a separate document with status 404. Each page has one address, without a trailing
 * slash. Files whose name starts with a dot belong to the build and are not served.
 */
import { join, relative } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { allowScriptsInside } from '../guards/security-headers.ts';
import { assetMemory } from './asset-memory.ts';
import { docsPending } from './docs-pending.ts';
import { chooseEncoding, type SiteDocument, siteDocuments } from './site-documents.ts';

export interface SiteOptions {
  siteDir: string;
  /** The canonical path of the page at a path with or without a trailing slash; null if there is no page. */
  pageOf: (path: string) => string | null;
  /** The origin as browsers and link previews see it. */
  origin: (request: Request) => string;
  /** Attribute of the documents' root element; default: unknown. */
  environment?: string | undefined;
}

/** Files whose names hold a hash of their content. */
const ASSETS = /^(?:\/docs)?\/assets\//;
/** Pages of the documentation: files ending in .html, addressed without the ending. */
const DOCS_PAGE = /^\/docs\/[^.]*[^./]$/;
const NOT_FOUND_DOCUMENT = '404.html';
/** A page drawn entirely in the browser, for a build without prerendered documents. */
const SHELL = 'index.html';

export function staticFiles(options: SiteOptions): Hono {
  const root = relative(process.cwd(), options.siteDir) || '.';
  const documents = siteDocuments(options.siteDir, options.environment);
  const assets = assetMemory();
  const app = new Hono();

  const files = serveStatic({
    root,
    precompressed: true,
    rewriteRequestPath: (path) => (DOCS_PAGE.test(path) ? `${path}.html` : path),
  });
  app.on(['GET', 'HEAD'], '*', async (c, next) => {
    const { path } = c.req;
    if (isDocument(path, options) || path.includes('/.')) return next();
    const isAsset = ASSETS.test(path);
    const known = isAsset ? assets.find(c) : null;
    if (known !== null) return unlessKnown(c, known);
    const answer = await files(c, next);
    if (answer instanceof Response) {
      setCaching(answer.headers, path);
      // The library's MIME table lacks captions.
      if (path.endsWith('.vtt')) answer.headers.set('content-type', 'text/vtt; charset=UTF-8');
      return unlessKnown(c, isAsset ? await assets.store(c, answer) : answer);
    }
    return answer;
  });

  app.on(['GET', 'HEAD'], '*', async (c) => {
    const { path } = c.req;
    const pending = docsPending(c, options.siteDir);
    if (pending !== null) return pending;
    if (ASSETS.test(path)) return c.text('Not found.', 404);
    const page = options.pageOf(path);
    if (page !== null && page !== path) return c.redirect(page + new URL(c.req.url).search, 308);
    const origin = options.origin(c.req.raw);
    const file = page === null ? NOT_FOUND_DOCUMENT : join(page, 'index.html');
    const document = (await documents.read(file, origin)) ?? (await documents.read(SHELL, origin));
    if (document === null) return c.text('The site is not built yet.', 503);
    return send(c, document, page === null ? 404 : 200);
  });
  return app;
}

/** Documents need an origin filled in, by whatever name they are requested. */
function isDocument(path: string, { pageOf }: SiteOptions): boolean {
  if (path === `/${NOT_FOUND_DOCUMENT}` || pageOf(path) !== null) return true;
  return path.endsWith('/index.html') && pageOf(path.slice(0, -'index.html'.length)) !== null;
}

function setCaching(headers: Headers, path: string): void {
  const isPage = path.endsWith('/') || path.endsWith('.html') || DOCS_PAGE.test(path);
  const forAYear = 'public, max-age=31536000, immutable';
  headers.set('cache-control', ASSETS.test(path) ? forAYear : isPage ? 'no-cache' : 'public, max-age=3600');
}

/** Answers 304 if the browser already has the whole file. */
function unlessKnown(c: Context, answer: Response): Response {
  const { status, headers } = answer;
  const changed = headers.get('last-modified');
  if (status !== 200 || changed === null) return answer;
  const form = headers.get('content-encoding') ?? 'identity';
  const tag = `"${headers.get('content-length')}-${Date.parse(changed).toString(36)}-${form}"`;
  // The tag is weak because a file may be written twice within a second.
  headers.set('etag', `W/${tag}`);
  const [tags, since] = [c.req.header('if-none-match'), c.req.header('if-modified-since')];
  const isSame = tags === undefined ? Date.parse(since ?? '') >= Date.parse(changed) : isKnown(tags, tag);
  if (!isSame) return answer;
  answer.body?.cancel().catch(() => undefined);
  for (const name of ['content-length', 'content-type', 'content-encoding']) headers.delete(name);
  return new Response(null, { status: 304, headers });
}

function send(c: Context, { bodies, hash, scripts }: SiteDocument, status: 200 | 404): Response {
  allowScriptsInside(c, scripts);
  const encoding = chooseEncoding(c.req.header('accept-encoding'));
  const tag = `"${hash}-${encoding}"`;
  c.header('cache-control', 'no-cache');
  c.header('vary', 'accept-encoding');
  c.header('etag', tag);
  if (status === 200 && isKnown(c.req.header('if-none-match'), tag)) return c.body(null, 304);
  c.header('content-type', 'text/html; charset=UTF-8');
  if (encoding !== 'identity') c.header('content-encoding', encoding);
  return c.body(bodies[encoding], status);
}

/** A proxy may have marked the tag as weak. */
function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((part) => part.trim().replace(/^W\//, '') === tag);
}
