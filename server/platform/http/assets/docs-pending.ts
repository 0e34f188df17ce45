/**
 * The documentation's addresses while its pages are being built. A server from a checkout links the folder that the
 * build will fill before it listens, and builds in the background; an image is built with its documentation.
 */
import { existsSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Context } from 'hono';
import { DOCS_PATH } from '#domain/site/routes.ts';

/** Where the site's link leads after a build that failed. No such folder exists. */
export const FAILED_DOCS = 'docs-failed';
const RELOAD_S = 5;

export type DocsState = 'building' | 'failed' | 'settled';

/** @returns settled: built, or never to be built here */
export function docsState(siteDir: string): DocsState {
  const link = join(siteDir, DOCS_PATH.slice(1, -1));
  if (existsSync(link)) return 'settled';
  try {
    return basename(readlinkSync(link)) === FAILED_DOCS ? 'failed' : 'building';
  } catch {
    return 'settled';
  }
}

/** @returns null for any other path, or if the pages are settled */
export function docsPending(c: Context, siteDir: string): Response | null {
  if (!c.req.path.startsWith(DOCS_PATH)) return null;
  const state = docsState(siteDir);
  if (state === 'settled') return null;
  const isBuilding = state === 'building';
  c.header('cache-control', 'no-store');
  if (isBuilding) c.header('retry-after', String(RELOAD_S));
  return c.html(page(isBuilding), 503);
}

function page(isBuilding: boolean): string {
  const text = isBuilding
    ? 'The documentation is being built. This takes up to a minute after the first start. The page reloads when it is ready.'
    : 'The documentation could not be built. The rest of the site works. The server’s output says why. The same pages are Markdown files in the folder “docs” of the repository.';
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...(isBuilding ? [`<meta http-equiv="refresh" content="${RELOAD_S}">`] : []),
    '<title>Kat docs</title>',
    '<h1>Kat docs</h1>',
    `<p>${text}</p>`,
    '<p><a href="/">Home page</a></p>',
    '',
  ].join('\n');
}
