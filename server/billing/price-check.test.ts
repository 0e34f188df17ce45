import { createServer, type Server } from 'node:http';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../platform/telemetry/log.ts';
import { checkPrices } from './price-check.ts';
import { openProviderCall } from './provider/provider-call.ts';

const MONTHLY = { active: true, currency: 'usd', recurring: { interval: 'month', interval_count: 1 } };
const BOBCAT = { ...MONTHLY, id: 'price_bobcat', object: 'price', unit_amount: 2999 };
const LION = { ...MONTHLY, id: 'price_lion', object: 'price', unit_amount: 6999 };

let provider: Server;
let prices: readonly { id: string }[];

beforeEach(async () => {
  provider = createServer(({ url }, response) => {
    const price = prices.find(({ id }) => url === `/v1/prices/${id}`);
    const missing = { error: { type: 'invalid_request_error', code: 'resource_missing' } };
    response.writeHead(price === undefined ? 404 : 200).end(JSON.stringify(price ?? missing));
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
});
afterEach(() => new Promise((done) => provider.close(done)));

/** @returns the details of each alarm, by the price's id */
async function alarmsFor(known: readonly { id: string }[], priceIds = { bobcat: BOBCAT.id, lion: LION.id }) {
  prices = known;
  const address = provider.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const raised: Record<string, unknown> = {};
  const stripe = new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 });
  const call = openProviderCall({ log: createLogger('silent') });
  const raise = async (_kind: string, subject: string, details: object = {}) => {
    raised[subject] = details;
  };
  await checkPrices({ stripe, call, alarms: { raise }, priceIds });
  return raised;
}

test('raises no alarm for prices that match the site', async () => {
  expect(await alarmsFor([BOBCAT, LION])).toEqual({});
});

test('raises an alarm when the settings swap the two prices', async () => {
  expect(await alarmsFor([BOBCAT, LION], { bobcat: LION.id, lion: BOBCAT.id })).toEqual({
    price_lion: { plan: 'bobcat', wrong: ['amount'] },
    price_bobcat: { plan: 'lion', wrong: ['amount'] },
  });
});

test('raises an alarm for an unknown price, and for an inactive yearly one in euros', async () => {
  const yearly = { ...LION, recurring: { interval: 'year', interval_count: 1 }, currency: 'eur', active: false };

  expect(await alarmsFor([yearly])).toEqual({
    price_bobcat: { plan: 'bobcat', wrong: ['unknown'] },
    price_lion: { plan: 'lion', wrong: ['inactive', 'currency', 'interval'] },
  });
});
