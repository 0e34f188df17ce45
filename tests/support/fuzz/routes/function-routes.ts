/** The server functions of the contract, each with bodies around a friendly client's. */
import fc from 'fast-check';
import type { FunctionContract } from '#domain/contract/function-contract.ts';
import { FUNCTIONS } from '#domain/contract/functions.ts';
import { type FuzzRoute, id } from './route.ts';

/** Each field as a friendly client sends it, and as none does. */
function aroundExample(example: unknown): NonNullable<FuzzRoute['body']> {
  const wrong = fc.constantFrom<unknown>(
    '',
    'x',
    'http://127.0.0.1/',
    'https://10.0.0.1/',
    null,
    -1,
    1e21,
    [],
    ['x'],
    {},
  );
  return Object.fromEntries(
    Object.entries(example ?? {}).map(([name, value]) => [
      name,
      fc.oneof(
        { arbitrary: name === 'id' && typeof value === 'string' ? id : fc.constant(value), weight: 3 },
        ...(Array.isArray(value) ? [fc.subarray<unknown>(value), fc.constant([...value.slice(1), null])] : []),
        wrong,
      ),
    ]),
  );
}

export const FUNCTION_ROUTES: readonly FuzzRoute[] = [
  ...Object.entries<FunctionContract>(FUNCTIONS).map(([name, { example, acceptsGet, isStreamed }]): FuzzRoute => {
    return {
      methods: acceptsGet === true ? ['POST', 'GET'] : ['POST'],
      path: `/functions/v1/${name}`,
      // Something where nothing is read.
      body: example === null ? { a: fc.nat() } : aroundExample(example),
      readsToken: true,
      // A download of the account reads every table.
      ...(isStreamed === true ? { weight: 1 } : {}),
    };
  }),
];
