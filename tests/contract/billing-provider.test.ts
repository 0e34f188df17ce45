/**
 * The same flows against the sandbox, always, and against the provider's test mode when STRIPE_TEST_KEY is given:
 * docs/payments-sandbox.md.
 */
import { describe, expect, test } from 'vitest';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { providerFlows } from '../support/worlds/provider-flows.ts';
import { openProviderWorld, type ProviderAccess, testModeAccess } from '../support/worlds/provider-world.ts';
import { startPayments } from './support/services/payments.ts';

const KEY = process.env.STRIPE_TEST_KEY || null;
/** Test clocks of the provider take their time. */
const PATIENCE_MS = 300_000;

async function sandboxAccess(): Promise<ProviderAccess> {
  const { secretKey, port, control, stop } = await startPayments();
  const fault = { method: 'GET', path: '/v1/products', kind: 'http_429', times: 3 };
  return { secretKey, port, crowd: () => control('POST', '/faults', fault), close: stop };
}

describe('payments by the sandbox', () => {
  providerFlows(openedForTests(async () => openProviderWorld(await sandboxAccess())));
});

describe.skipIf(KEY === null)(
  `payments by the provider's test mode${KEY === null ? ' (skipped: STRIPE_TEST_KEY is not set)' : ''}`,
  { timeout: PATIENCE_MS },
  () => providerFlows(openedForTests(async () => openProviderWorld(testModeAccess(KEY ?? '')))),
);

test.each(['sk_live_abc', 'rk_live_abc', 'pk_test_abc', 'sk_test_', ' sk_test_abc', 'whsec_abc'])(
  'does not use the key %s',
  (key) => {
    expect(() => testModeAccess(key)).toThrow('STRIPE_TEST_KEY must begin with sk_test_ or rk_test_');
  },
);
