import { expect, test } from 'vitest';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import { ROUTES } from './routes.ts';

test('guards every route of the site by the one table; the last takes every other address', () => {
  const shown = ROUTES.map(({ path, access }) => ({ path, access }));

  expect(shown.slice(0, -1)).toEqual(SITE_ROUTES.map(({ path, access }) => ({ path, access })));
  expect(shown.at(-1)).toEqual({ path: '*', access: 'public' });
});
