import { expect, test } from 'vitest';
import { headOf } from './page-head.ts';
import { foundRoutes, SITE_ROUTES } from './routes.ts';

test.each([
  ['/', 'Kat – honest one-minute forecasts'],
  ['/kat', 'AI Prediction – Kat'],
  ['/account/security/', 'Security – Kat'],
  ['/no/such/page', 'Page not found – Kat'],
])('titles %s as %s', (pathname, title) => {
  expect(headOf(pathname).title).toBe(title);
});

test.each([
  ['/about', '/about'],
  ['/about/', '/about'],
  ['/', '/'],
  ['/change-log', '/change-log'],
  ['/account', null],
  ['/popout', null],
  ['/no/such/page', null],
])('gives %s the canonical path %s', (pathname, path) => {
  expect(headOf(pathname).canonicalPath).toBe(path);
});

test('describes no two public pages alike, and none longer than a search result shows', () => {
  const descriptions = foundRoutes().map((route) => headOf(route.path).description);

  expect(new Set(descriptions).size).toBe(descriptions.length);
  for (const text of descriptions) {
    expect(text.length).toBeGreaterThan(50);
    expect(text.length).toBeLessThanOrEqual(165);
  }
});

test('offers only public pages to search engines', () => {
  const open = SITE_ROUTES.filter((route) => route.access === 'public').map((route) => route.path);

  for (const { path } of foundRoutes()) expect(open).toContain(path);
});
