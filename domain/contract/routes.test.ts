import { expect, test } from 'vitest';
import type { RouteContract } from './route-contract.ts';
import { ROUTES } from './routes.ts';

const ALL = Object.entries<RouteContract>(ROUTES);

test.each(ALL.filter(([, { query }]) => query !== undefined))('%s accepts its own example', (_, { query, example }) => {
  expect(query?.safeParse(example ?? {})).toMatchObject({ success: true });
});

test('names an example for each route that needs a parameter', () => {
  const needing = ALL.filter(([, { query }]) => query?.safeParse({}).success === false);

  expect(needing.length).toBeGreaterThan(3);
  expect(needing.filter(([, { example }]) => example === undefined)).toEqual([]);
});
