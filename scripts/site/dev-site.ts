/** The site's sources as Vite serves them, in front of a started server that answers everything else. */
import { join } from 'node:path';
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite';
import { DOCS_PATH } from '#domain/site/routes.ts';
import { OWN_PAPER_PATH } from '#domain/site/site-settings.ts';
import { isApiPath } from '../../server/api-paths.ts';
import { ROOT } from './site-cache.ts';

/** Paths that only a build creates; the first holds the paper's fonts. */
const BUILT = ['/assets/', OWN_PAPER_PATH, DOCS_PATH];
/** The server's own files at the root. */
const OWN_FILES = new Set([
  '/change-log.atom',
  '/robots.txt',
  '/sitemap.xml',
  OWN_PAPER_PATH.slice(0, -1),
  DOCS_PATH.slice(0, -1),
]);
/** A page under one of the server's paths. */
const DESIGN_PAGE = '/dev/ui';

/**
 * Listens immediately, at `port` or the next free one.
 *
 * @param serverUrl  where the started server listens
 */
export async function openDevSite(serverUrl: string, port = 5173): Promise<{ url: string; site: ViteDevServer }> {
  const site = await createServer({
    configFile: join(ROOT, 'vite.config.ts'),
    server: { host: '127.0.0.1', port, proxy: proxyTo(serverUrl) },
  });
  await site.listen();
  const [url] = site.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error('Vite reported no address.');
  return { url: new URL(url).origin, site };
}

function proxyTo(target: string): Record<string, ProxyOptions> {
  return {
    '/market/ws': { target, ws: true, changeOrigin: true },
    '^/': {
      target,
      changeOrigin: true,
      bypass: ({ url = '/' }) => (isServerPath(pathOf(url)) ? undefined : url),
    },
  };
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/, '');
}

/** False for pages and their sources. */
export function isServerPath(path: string): boolean {
  if (path === DESIGN_PAGE) return false;
  return isApiPath(path) || OWN_FILES.has(path) || BUILT.some((folder) => path.startsWith(folder));
}
