import { expect, test } from 'vitest';
import { headOf } from './page-head.ts';
import { foundRoutes, SITE_ROUTES } from './routes.ts';

test.each([
  ['/', 'Kat – honest one-minute forecasts'],
  ['/kat', 'AI Prediction – Kat'],
  ['/account/security/', 'Security – Kat'],
  ['/no/such/page', 'Page not found – Kat'],
])('the title of %s is %s', (pathname, title) => {
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
])('%s is known as %s', (pathname, path) => {
  expect(headOf(pathname).canonicalPath).toBe(path);
});

test('no two pages that may be found say the same, and none says more than a result shows', () => {
  const descriptions = foundRoutes().map((route) => headOf(route.path).description);

  expect(new Set(descriptions).size).toBe(descriptions.length);
  for (const text of descriptions) {
    expect(text.length).toBeGreaterThan(50);
    expect(text.length).toBeLessThanOrEqual(165);
  }
});

test('only public pages may be found', () => {
  const open = SITE_ROUTES.filter((route) => route.access === 'public').map((route) => route.path);

  for (const { path } of foundRoutes()) expect(open).toContain(path);
});
