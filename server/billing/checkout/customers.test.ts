import { createServer, type Server } from 'node:http';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../platform/telemetry/log.ts';
import { openProviderCall } from '../provider/provider-call.ts';
import type { CustomerStore } from './customer-store.ts';
import { openCustomers } from './customers.ts';

/** A provider that knows the customer or not, and answers every change of it with this status. */
let provider: Server;
let status: number;
let isKnown: boolean;
let renewed: number;

beforeEach(async () => {
  [isKnown, renewed] = [true, 0];
  provider = createServer((request, response) => {
    const customer = { id: 'cus_1', object: 'customer', email: null, name: null };
    const refusal = { error: { type: 'invalid_request_error', code: 'email_invalid' } };
    const missing = { error: { type: 'invalid_request_error', code: 'resource_missing' } };
    if (!isKnown) response.writeHead(404).end(JSON.stringify(missing));
    else if (request.method === 'GET') response.writeHead(200).end(JSON.stringify(customer));
    else response.writeHead(status).end(JSON.stringify(status === 200 ? customer : refusal));
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
});
afterEach(() => new Promise((done) => provider.close(done)));

function customers(mode: 'test' | 'live' = 'test') {
  const address = provider.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const unused = () => Promise.reject(new Error('not asked here'));
  const store: CustomerStore = {
    ...{ keep: unused, of: unused, ownerOf: unused, ticket: unused, adopt: unused, openClaims: unused },
    renew: async () => {
      renewed += 1;
    },
    claim: async () => ({ customerId: 'cus_1', creatingKey: 'key', ageS: 1, claimedS: 1 }),
    contactOf: async () => ({ email: 'ada@intranet', name: 'Ada' }),
  };
  const stripe = new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 });
  return openCustomers({ stripe, call: openProviderCall({ log: createLogger('silent') }), store, mode });
}

test('An address or name that the provider does not take keeps nobody from buying.', async () => {
  status = 400;

  expect(await customers().ensure('user')).toBe('cus_1');
});

test('That the provider is away is told: the next visit makes it good.', async () => {
  status = 500;

  await expect(customers().ensure('user')).rejects.toMatchObject({ code: 'billing/provider-unavailable' });
});

test('One that the provider does not know is replaced in test mode, whose data is deleted now and then.', async () => {
  isKnown = false;

  await customers('test').ensure('user');

  expect(renewed).toBeGreaterThan(0);
});

test('With real money it is not: the keys are of another account, and who pays would lose the plan.', async () => {
  isKnown = false;

  await expect(customers('live').ensure('user')).rejects.toMatchObject({ code: 'billing/provider-refused' });
  expect(renewed).toBe(0);
});
