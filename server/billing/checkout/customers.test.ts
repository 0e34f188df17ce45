import { createServer, type Server } from 'node:http';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../platform/telemetry/log.ts';
import { openProviderCall } from '../provider/provider-call.ts';
import type { CustomerStore } from './customer-store.ts';
import { openCustomers } from './customers.ts';

/** A provider that knows the customer or not, and answers every change to it with `status`. */
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
  const unused = () => Promise.reject(new Error('not called here'));
  const store: CustomerStore = {
    assign: unused,
    of: unused,
    ownerOf: unused,
    ticket: unused,
    adopt: unused,
    openClaims: unused,
    renew: async () => {
      renewed += 1;
    },
    claim: async () => ({ customerId: 'cus_1', creatingKey: 'key', ageS: 1, claimedS: 1 }),
    contactOf: async () => ({ email: 'ada@intranet', name: 'Ada' }),
  };
  const stripe = new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 });
  return openCustomers({ stripe, call: openProviderCall({ log: createLogger('silent') }), store, mode });
}

test('lets users buy although the provider refuses their address or name', async () => {
  status = 400;

  expect(await customers().ensure('user')).toBe('cus_1');
});

test('reports an unavailable provider, so that the next visit retries the change', async () => {
  status = 500;

  await expect(customers().ensure('user')).rejects.toMatchObject({ code: 'billing/provider-unavailable' });
});

test("replaces a customer that the provider doesn't know in test mode", async () => {
  isKnown = false;

  await customers('test').ensure('user');

  expect(renewed).toBeGreaterThan(0);
});

test('refuses to replace an unknown customer in live mode, where the keys may be of another account', async () => {
  isKnown = false;

  await expect(customers('live').ensure('user')).rejects.toMatchObject({ code: 'billing/provider-refused' });
  expect(renewed).toBe(0);
});
