import { expect, test } from 'vitest';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import { ROUTES } from './routes.ts';
import { titleOf } from './use-title.ts';

test('every route of the site has its guard and title from the one table; the last takes every other address', () => {
  const shown = ROUTES.map(({ path, access, title }) => ({ path, access, title }));

  expect(shown.slice(0, -1)).toEqual(SITE_ROUTES);
  expect(shown.at(-1)).toEqual({ path: '*', access: 'public', title: 'Page not found' });
});

test.each([
  ['/', 'Kat – honest one-minute forecasts'],
  ['/kat', 'AI Prediction – Kat'],
  ['/account/security/', 'Security – Kat'],
  ['/no/such/page', 'Page not found – Kat'],
])('the title of %s is %s', (pathname, title) => {
  expect(titleOf(pathname)).toBe(title);
});
