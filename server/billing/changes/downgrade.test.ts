import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { BillingDeps } from '../billing-function.ts';
import { openProviderCall } from '../provider/provider-call.ts';
import type { Synced } from '../subscriptions/subscription-row.ts';
import { scheduleDowngrade } from './downgrade.ts';

const log = createLogger('silent');

let provider: Server;
let sent: Record<string, string>;
let paths: string[];

beforeEach(async () => {
  sent = {};
  paths = [];
  provider = createServer(async (request, response) => {
    const body = await text(request);
    paths.push(request.url ?? '');
    if (request.url?.endsWith('sub_sched_1') === true) sent = Object.fromEntries(new URLSearchParams(body));
    response.writeHead(200).end(JSON.stringify({ id: 'sub_sched_1', object: 'subscription_schedule' }));
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
});
afterEach(() => new Promise((done) => provider.close(done)));

interface Schedule {
  id: string;
  phases: object[];
}
/** As another request leaves it between its two calls. */
const INCOMPLETE: Schedule = { id: 'sub_sched_1', phases: [{}] };

/** A subscription with only the fields that the code under test reads. */
function aSubscription(schedule: string | Schedule | null, pendingPriceId: string | null): Synced {
  const period = { current_period_start: 100, current_period_end: 200 };
  const items = [
    { id: 'si_1', price: { id: 'price_lion' }, quantity: 1, ...period },
    { id: 'si_2', price: { id: 'price_addition' }, quantity: 3, ...period },
  ];
  const subscription = { id: 'sub_1', status: 'active', trial_end: null, discounts: ['di_half'], schedule };
  return {
    before: null,
    after: { subscriptionId: 'sub_1', pendingPriceId },
    subscription: { ...subscription, items: { data: items } },
  } as unknown as Synced;
}

test('changes only the plan in a planned downgrade, and keeps other items and a discount', async () => {
  const deps = depsReading([aSubscription('sub_sched_1', null), aSubscription('sub_sched_1', 'price_bobcat')]);

  await scheduleDowngrade(deps, aSubscription(null, null), 'price_bobcat');

  expect(sent).toMatchObject({
    'phases[0][items][0][price]': 'price_lion',
    'phases[0][items][1][price]': 'price_addition',
    'phases[0][items][1][quantity]': '3',
    'phases[0][discounts][0][discount]': 'di_half',
    'phases[1][items][0][price]': 'price_bobcat',
    'phases[1][items][1][price]': 'price_addition',
    'phases[1][discounts][0][discount]': 'di_half',
  });
});

test('leaves a schedule alone that another process is about to complete', async () => {
  const complete = aSubscription({ id: 'sub_sched_1', phases: [{}, {}] }, 'price_bobcat');
  const deps = depsReading([aSubscription(INCOMPLETE, null), complete]);

  expect(await scheduleDowngrade(deps, aSubscription(INCOMPLETE, null), 'price_bobcat')).toBe(complete);

  expect(paths).toEqual([]);
});

/** @param states  of the subscription, as each read finds it */
function depsReading(states: Synced[]): BillingDeps {
  const address = provider.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const unused = () => Promise.reject(new Error('not called here'));
  const deps: Pick<BillingDeps, 'stripe' | 'call' | 'sync'> = {
    stripe: new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 }),
    call: openProviderCall({ log }),
    sync: { one: async () => states.shift() ?? null, ofCustomer: unused },
  };
  return deps as BillingDeps;
}
