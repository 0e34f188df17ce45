/**
 * Compares the parameters that the payment sandbox accepts with those the provider's SDK declares, and tests the
 * checks.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS } from '../../sandbox/payments/api/api.ts';
import { EXPANDABLE } from '../../sandbox/payments/api/expand.ts';
import { declaredExpandables } from '../support/payments/declared-expandables.ts';
import { aSubscriber } from '../support/payments/paying-customers.ts';
import { providerSchema } from '../support/payments/provider-schema.ts';
import { answerFaults, eventFaults } from '../support/payments/shape-faults.ts';
import { strangeParams } from '../support/payments/strange-params.ts';
import { openWatchedSandbox, type WatchedSandbox } from '../support/payments/watched-sandbox.ts';

// The first call builds it, which takes seconds.
beforeAll(() => void providerSchema());

test.each(ENDPOINTS.map((one) => [`${one.method.toUpperCase()} ${one.path}`, one.params] as const))(
  'accepts nothing in %s that the provider would refuse',
  (call, params) => {
    expect(strangeParams(call, params)).toEqual([]);
  },
);

test.each(Object.entries(EXPANDABLE))('expands in %s only what the provider declares', (kind, paths) => {
  const declared = declaredExpandables(kind);

  expect(paths.filter((path) => !declared.includes(path))).toEqual([]);
});

test('detects a parameter, a value and a gap that the provider would refuse', () => {
  const params = z.strictObject({
    unit_amount: z.string(),
    currency: z.optional(z.string()),
    recurring: z.strictObject({ interval: z.enum(['month', 'fortnight']), shoe_size: z.string() }),
  });

  expect(strangeParams('POST /v1/prices', params)).toEqual([
    'unit_amount is not free',
    'recurring.interval is never fortnight',
    'recurring.shoe_size is unknown',
    'currency has to be given',
  ]);
});

describe('the check of answers and events', () => {
  let sandbox: WatchedSandbox;
  beforeAll(async () => {
    sandbox = await openWatchedSandbox((line) => expect.fail(line));
  });
  afterAll(() => sandbox.close());

  type Fields = Record<string, unknown>;

  test.each<[string, (product: Fields) => Fields, RegExp]>([
    ['a field that is missing', ({ tax_details: _, ...rest }) => rest, /tax_details/],
    ['a field that is not declared', (product) => ({ ...product, shoe_size: 44 }), /shoe_size/],
    ['a value that is not among the declared', (product) => ({ ...product, type: 'gift' }), /\/type .*"service"/],
    ['a value of another type', (product) => ({ ...product, created: '1' }), /\/created must be number/],
    ['another object', ({ id }) => ({ id, object: 'customer', deleted: true }), /\/object must be equal/],
  ])('detects %s', async (_what, damage, complaint) => {
    const { data } = await sandbox.stripe.products.list({ limit: 1 });
    const product: Fields = JSON.parse(JSON.stringify(data[0]));
    const path = `/v1/products/${product.id}`;

    expect(answerFaults('GET', path, product)).toEqual([]);
    expect(answerFaults('GET', path, damage(product)).join('\n')).toMatch(complaint);
  });

  test("detects a fault in expanded objects, in lists and in an event's previous attributes", async () => {
    const { subscription } = await aSubscriber(sandbox);
    const text = JSON.stringify(
      await sandbox.stripe.subscriptions.retrieve(subscription.id, { expand: ['default_payment_method'] }),
    );
    const list = { object: 'list', has_more: false, url: '/v1/subscriptions' };
    const corrupted: unknown = JSON.parse(text.replace('"brand":"visa"', '"brnd":"visa"'));
    expect(answerFaults('GET', '/v1/subscriptions/sub_1', corrupted).join('\n')).toMatch(
      /default_payment_method\/card.*brnd/,
    );
    expect(answerFaults('GET', '/v1/subscriptions', { ...list, data: [corrupted] }).join('\n')).toMatch(
      /data\/0.*brnd/,
    );

    await sandbox.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    const [event] = (await sandbox.stripe.events.list({ type: 'customer.subscription.updated', limit: 1 })).data;
    const changed = JSON.stringify(event).replace(/("previous_attributes":.*"cancel_at_period_end":)false/, '$1"no"');
    expect(eventFaults(JSON.parse(changed)).join('\n')).toMatch(/previous_attributes\/cancel_at_period_end/);
    expect(eventFaults({ object: 'event', type: 'moon.rise' })).toEqual([expect.stringContaining('moon.rise')]);
  });
});
