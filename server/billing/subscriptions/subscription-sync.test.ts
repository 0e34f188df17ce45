import Stripe from 'stripe';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../platform/telemetry/log.ts';
import { openProviderCall } from '../provider/provider-call.ts';
import { openSubscriptionSync, type SyncDeps } from './subscription-sync.ts';

const log = createLogger('silent');
const TICKET = { seq: 1, userId: 'user' };

/** A sync whose provider refuses the connection immediately, and which writes nothing. */
function syncOfAProviderThatIsAway() {
  const none = () => Promise.reject(new Error('nothing is written'));
  const deps: SyncDeps = {
    stripe: new Stripe('sk_test_x', { host: '127.0.0.1', port: 9, protocol: 'http', maxNetworkRetries: 0 }),
    call: openProviderCall({ log }),
    clock: { nowMs: () => 0 },
    log,
    mode: 'sandbox',
    alarms: { raise: none },
    customers: {
      claim: none,
      assign: none,
      renew: none,
      of: none,
      ownerOf: none,
      adopt: none,
      contactOf: none,
      ticket: async () => TICKET,
      openClaims: none,
    },
    subscriptions: {
      read: none,
      ofCustomer: none,
      write: none,
      end: none,
      planOf: none,
      markNoticed: none,
      unnoticed: none,
      stale: none,
      customerOf: async () => 'cus_1',
    },
    cards: { replace: none, customerOf: none },
    notices: null,
  };
  return openSubscriptionSync(deps);
}

const unhandled = vi.fn();
process.on('unhandledRejection', unhandled);
afterEach(() => process.off('unhandledRejection', unhandled));

test('fails only the sync when the provider is unavailable, without an unhandled rejection', async () => {
  const sync = syncOfAProviderThatIsAway();

  await expect(sync.one('sub_1')).rejects.toMatchObject({ code: 'billing/provider-unavailable' });

  // Requests made at the same time fail a moment later.
  await new Promise((later) => setTimeout(later, 200));
  expect(unhandled).not.toHaveBeenCalled();
});
