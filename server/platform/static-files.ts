/** The built site: hashed assets for a year, pages never cached; unknown pages get the same document with status 404. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

export interface SiteOptions {
  /** Folder of the built site. */
  siteDir: string;
  /** True for a path that is a page of the site. */
  isPage: (path: string) => boolean;
}

export function staticFiles(options: SiteOptions): Hono {
  const root = relative(process.cwd(), options.siteDir) || '.';
  const indexFile = join(options.siteDir, 'index.html');
  const app = new Hono();

  app.use('/assets/*', async (c, next) => {
    await next();
    if (c.res.status === 200) c.res.headers.set('cache-control', 'public, max-age=31536000, immutable');
  });
  const files = serveStatic({ root, precompressed: true });
  app.on(['GET', 'HEAD'], '*', async (c, next) => {
    // The document itself goes through the page handler below, so that its status is right.
    if (c.req.path === '/' || c.req.path === '/index.html') return next();
    return files(c, next);
  });

  app.on(['GET', 'HEAD'], '*', async (c) => {
    if (!existsSync(indexFile)) return c.text('The site is not built yet.', 503);
    if (c.req.path.startsWith('/assets/')) return c.text('Not found.', 404);
    c.header('cache-control', 'no-cache');
    return c.html(await readFile(indexFile, 'utf8'), options.isPage(c.req.path) ? 200 : 404);
  });
  return app;
}
