import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { BillingDeps } from '../billing-function.ts';
import { openProviderCall } from '../provider/provider-call.ts';
import { openCheckout } from './checkout.ts';

const log = createLogger('silent');
const PURCHASE = {
  userId: 'user',
  priceId: 'price_1',
  successUrl: 'http://127.0.0.1/checkout/success',
  cancelUrl: 'http://127.0.0.1/checkout/cancel',
};

/** A provider with one customer that refuses the first request for a page as too many. */
let provider: Server;
let statuses: string[];
let calls: { key: string | undefined; body: string }[];
let listed: string[];
let openSessions: object[];
/** The open slot of each read, in order; no slot after the last. */
let slots: object[][];

beforeEach(async () => {
  [statuses, calls, listed, openSessions, slots] = [[], [], [], [], []];
  provider = createServer(async (request, response) => {
    const body = await text(request);
    const path = new URL(request.url ?? '', 'http://provider').pathname;
    const answer = (status: number, json: object) => response.writeHead(status).end(JSON.stringify(json));
    const list = (data: object[]) => answer(200, { object: 'list', data, has_more: false, url: path });
    if (request.method === 'GET') {
      listed.push(path);
      return path === '/v1/subscriptions'
        ? list(statuses.map((status, index) => ({ id: `sub_${index}`, object: 'subscription', status })))
        : list(openSessions);
    }
    calls.push({ key: request.headers['idempotency-key']?.toString(), body });
    if (calls.length === 1) return answer(429, { error: { type: 'invalid_request_error', code: 'lock_timeout' } });
    return answer(200, { id: 'cs_1', object: 'checkout.session', url: 'https://provider/cs_1' });
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
});
afterEach(() => new Promise((done) => provider.close(done)));

function depsOfAFastClock(): BillingDeps {
  const address = provider.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const unused = () => Promise.reject(new Error('not called here'));
  const query: Database['query'] = async <T>(_who: unknown, sql: string) =>
    (sql.startsWith('insert') ? [{ id: 'slot' }] : sql.startsWith('select') ? (slots.shift() ?? []) : []) as T[];
  const database: Database = { kind: 'pglite', query, transaction: unused, listen: unused, close: unused };
  let nowMs = 0;
  return {
    database,
    clock: { nowMs: () => (nowMs += 1000) },
    log,
    mode: 'sandbox',
    stripe: new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 }),
    call: openProviderCall({ log }),
    priceIds: { bobcat: 'price_1', lion: 'price_2' },
    isOwnAddress: () => true,
    customers: { ensure: async () => 'cus_1', of: unused },
    sync: { one: unused, ofCustomer: async () => [] },
    queue: { run: (_user, work) => work() },
  };
}

test('repeats a checkout request with the same body, because the provider allows no other under one key', async () => {
  await openCheckout(depsOfAFastClock(), PURCHASE);

  expect(calls).toHaveLength(2);
  expect(calls[1]).toEqual(calls[0]);
});

test('lists subscriptions after open pages, so that a payment in between prevents a second sale', async () => {
  await openCheckout(depsOfAFastClock(), PURCHASE);

  expect(listed).toEqual(['/v1/checkout/sessions', '/v1/subscriptions']);
});

test.each(['active', 'trialing', 'past_due', 'unpaid', 'paused', 'of_tomorrow'])(
  'refuses a checkout while a subscription is %s',
  async (status) => {
    statuses = ['canceled', status];

    await expect(openCheckout(depsOfAFastClock(), PURCHASE)).rejects.toMatchObject({
      code: 'billing/already-subscribed',
    });
  },
);

test('allows a checkout beside a subscription whose first payment was never made', async () => {
  statuses = ['incomplete', 'incomplete_expired', 'canceled'];

  expect(await openCheckout(depsOfAFastClock(), PURCHASE)).toMatchObject({ id: 'cs_1' });
});

test('leaves the page of another process open, whose slot was claimed after ours was read', async () => {
  openSessions = [{ id: 'cs_other', object: 'checkout.session', metadata: { slot_id: 'other' } }];
  slots = [[], [{ id: 'other', priceId: 'price_1', sessionId: 'cs_other', createdAtMs: 0 }]];

  await expect(openCheckout(depsOfAFastClock(), PURCHASE)).rejects.toMatchObject({ code: 'billing/busy' });

  expect(calls).toEqual([]);
});
