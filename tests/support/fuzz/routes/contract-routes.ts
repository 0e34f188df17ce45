/** The routes of the contract, each with parameters around a friendly client's. */
import fc from 'fast-check';
import type { RouteContract } from '#domain/contract/route-contract.ts';
import { ROUTES } from '#domain/contract/routes.ts';
import { choice, type FuzzRoute } from './route.ts';

/** A stream runs through more of the product than any other read. */
const WEIGHTS: Readonly<Record<string, number>> = { '/stream-kat2': 6 };

function aroundExample(example: object): NonNullable<FuzzRoute['query']> {
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      fc.oneof(
        { arbitrary: fc.constant(String(value)), weight: 3 },
        choice('', 'x', '0', '-1', '1e9', '5.0', '%', '2025-02-30', '9007199254740993'),
      ),
    ]),
  );
}

export const CONTRACT_ROUTES: readonly FuzzRoute[] = Object.entries<RouteContract>(ROUTES)
  .filter(([, { method, answers }]) => method !== 'POST' && answers !== 'socket')
  .map(([path, { example, caller }]) => ({
    methods: ['GET', 'GET', 'HEAD'],
    path,
    query: aroundExample(example ?? {}),
    readsToken: caller !== undefined,
    weight: WEIGHTS[path] ?? 1,
  }));
