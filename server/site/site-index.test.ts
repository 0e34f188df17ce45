import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { foundRoutes, SITE_ROUTES } from '#domain/site/routes.ts';
import { errorResponse } from '../platform/http/calls/http-errors.ts';
import { siteIndexRoutes } from './site-index.ts';

const siteDir = mkdtempSync(join(tmpdir(), 'kat-site-'));
mkdirSync(join(siteDir, 'docs/guides'), { recursive: true });
for (const file of ['index.html', '404.html', 'guides/start.html', 'guides/start.html.gz', 'hashmap.json'])
  writeFileSync(join(siteDir, 'docs', file), '');
afterAll(() => rmSync(siteDir, { recursive: true, force: true }));

const app = siteIndexRoutes({ origin: () => 'https://kat.test', siteDir });
app.onError(errorResponse);
const get = async (path: string) => (await app.request(`https://kat.test${path}`)).text();

test('lists exactly the public pages and the built documentation in the sitemap, by absolute address', async () => {
  const named = [...(await get('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);

  const paths = [...foundRoutes().map(({ path }) => path), '/docs/', '/docs/guides/start'];

  expect(named).toEqual(paths.map((path) => `https://kat.test${path}`));
  expect(named).toContain('https://kat.test/about');
  expect(named.join()).not.toMatch(/account|admin|auth|popout/);
});

test('lists the public pages alone until the documentation is built', async () => {
  const folder = join(siteDir, 'built-later');
  const later = siteIndexRoutes({ origin: () => 'https://kat.test', siteDir: folder });
  const listed = async () => (await (await later.request('https://kat.test/sitemap.xml')).text()).match(/<loc>/g);

  expect(await listed()).toHaveLength(foundRoutes().length);

  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'docs/index.html'), '');

  expect(await listed()).toHaveLength(foundRoutes().length + 1);
});

test('names the sitemap in robots.txt, and disallows only pages that are not public', async () => {
  const text = await get('/robots.txt');
  const refused = [...text.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path);
  const isRefused = (path: string) => refused.some((start) => path.startsWith(start));
  const open = foundRoutes().map(({ path }) => path);

  expect(text).toContain('Sitemap: https://kat.test/sitemap.xml');
  for (const { path } of SITE_ROUTES) expect([path, isRefused(path)]).toEqual([path, !open.includes(path)]);
});

test('allows no POST', async () => {
  expect((await app.request('https://kat.test/robots.txt', { method: 'POST' })).status).toBe(405);
});
