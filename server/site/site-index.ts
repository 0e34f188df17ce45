/** GET /robots.txt and /sitemap.xml: which pages search engines should index. */

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { DOCS_PATH, foundRoutes } from '#domain/site/routes.ts';
import { onlyMethods } from '../platform/http/calls/http-errors.ts';

export interface SiteIndexDeps {
  origin: (request: Request) => string;
  /** The built site, with the documentation in a folder. */
  siteDir: string;
}

/** Not for indexing: personal pages, forms, and API paths. */
const DISALLOWED = [
  ...['/account', '/admin', '/auth/', '/checkout/', '/dashboard', '/popout', '/dev/'],
  ...[
    '/api/',
    '/forecast/',
    '/functions/',
    '/history',
    '/market/',
    '/markets',
    '/products/',
    '/rest/',
    '/storage/',
    '/stream-kat2',
  ],
];
const FOR_AN_HOUR = { 'cache-control': 'public, max-age=3600' };

export function siteIndexRoutes({ origin, siteDir }: SiteIndexDeps): Hono {
  const ofSite = foundRoutes().map(({ path }) => path);
  let ofDocs: readonly string[] = [];
  // The documentation may be built after the server listens.
  const allPaths = () => {
    if (ofDocs.length === 0) ofDocs = docsPaths(siteDir);
    return [...ofSite, ...ofDocs];
  };
  const app = new Hono();
  app.get('/robots.txt', (c) => {
    const lines = ['User-agent: *', ...DISALLOWED.map((path) => `Disallow: ${path}`), ''];
    return c.text(`${[...lines, `Sitemap: ${origin(c.req.raw)}/sitemap.xml`].join('\n')}\n`, 200, FOR_AN_HOUR);
  });
  app.get('/sitemap.xml', (c) => {
    const pages = allPaths().map((path) => `  <url><loc>${escapeHtml(origin(c.req.raw) + path)}</loc></url>`);
    const xml = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...pages,
      '</urlset>',
    ].join('\n');
    return c.body(`${xml}\n`, 200, { 'content-type': 'application/xml; charset=UTF-8', ...FOR_AN_HOUR });
  });
  for (const path of ['/robots.txt', '/sitemap.xml']) app.all(path, onlyMethods('GET', 'HEAD'));
  return app;
}

/** The documentation's pages are files; its overview is the folder itself. */
function docsPaths(siteDir: string): string[] {
  const files = globSync('**/*.html', { cwd: join(siteDir, DOCS_PATH), exclude: ['404.html'] });
  return files.map((file) => DOCS_PATH + file.replaceAll('\\', '/').replace(/(?:^index)?\.html$/, '')).toSorted();
}
