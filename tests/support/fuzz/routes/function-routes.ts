/** Server functions beyond forecasts and sessions, each with bodies around a friendly client's. */
import fc from 'fast-check';
import type { FunctionContract } from '#domain/contract/function-contract.ts';
import { FUNCTIONS } from '#domain/contract/functions.ts';
import { choice, type FuzzRoute, id } from './route.ts';

const functionRoute = (name: string, body: FuzzRoute['body'] = {}): FuzzRoute => ({
  methods: ['POST'],
  path: `/functions/v1/${name}`,
  body,
  readsToken: true,
});

const plan = choice('bobcat', 'lion', 'x');
const sessionId = choice('cs_test_1', 'x');

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
      fc.oneof({ arbitrary: name === 'id' && typeof value === 'string' ? id : fc.constant(value), weight: 3 }, wrong),
    ]),
  );
}

export const FUNCTION_ROUTES: readonly FuzzRoute[] = [
  ...Object.entries<FunctionContract>(FUNCTIONS).map(([name, { example }]) =>
    functionRoute(name, aroundExample(example)),
  ),
  functionRoute('operations-state', { a: fc.nat() }),
  functionRoute('operations-acknowledge-alarm', { id }),
  functionRoute('stripe-checkout', { plan }),
  functionRoute('stripe-checkout-url', { session_id: sessionId }),
  functionRoute('checkout-confirm', { session_id: sessionId }),
  functionRoute('stripe-bootstrap'),
  functionRoute('billing-portal'),
  functionRoute('preview-invoice', { plan }),
  functionRoute('update-subscription', { plan }),
  functionRoute('cancel-subscription'),
  functionRoute('resume-subscription'),
];
