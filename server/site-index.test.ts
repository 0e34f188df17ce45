import { expect, test } from 'vitest';
import { foundRoutes, SITE_ROUTES } from '#domain/site/routes.ts';
import { errorResponse } from './platform/http/calls/http-errors.ts';
import { siteIndexRoutes } from './site-index.ts';

const app = siteIndexRoutes({ origin: () => 'https://kat.test' });
app.onError(errorResponse);
const get = async (path: string) => (await app.request(`https://kat.test${path}`)).text();

test('the sitemap names every page that may be found, by its whole address, and no other', async () => {
  const named = [...(await get('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);

  expect(named).toEqual(foundRoutes().map(({ path }) => `https://kat.test${path}`));
  expect(named).toContain('https://kat.test/about');
  expect(named.join()).not.toMatch(/account|admin|auth|popout/);
});

test('robots are told where the sitemap is, kept out of what is not to be found, and out of nothing else', async () => {
  const text = await get('/robots.txt');
  const refused = [...text.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path);
  const isRefused = (path: string) => refused.some((start) => path.startsWith(start));
  const open = foundRoutes().map(({ path }) => path);

  expect(text).toContain('Sitemap: https://kat.test/sitemap.xml');
  for (const { path } of SITE_ROUTES) expect([path, isRefused(path)]).toEqual([path, !open.includes(path)]);
});

test('they are read only', async () => {
  expect((await app.request('https://kat.test/robots.txt', { method: 'POST' })).status).toBe(405);
});
