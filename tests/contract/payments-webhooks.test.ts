/** How the payment sandbox delivers events: signed, retried, held, dropped, and across a restart. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type StartedPayments, startPayments, WEBHOOK_SECRET } from './support/services/payments.ts';

const deliveriesSchema = z.object({ deliveries: z.array(z.object({ type: z.string(), status: z.number() })) });

let payments: StartedPayments;
let stripe: Stripe;
const control: StartedPayments['control'] = (...call) => payments.control(...call);

beforeAll(async () => {
  payments = await startPayments();
  stripe = payments.stripe;
});
afterAll(() => payments.stop());
beforeEach(async () => {
  payments.answers.length = 0;
  await control('POST', '/webhooks', {});
  payments.received.length = 0;
});

async function restart(between: () => void = () => {}): Promise<void> {
  await payments.close();
  between();
  await payments.start();
  stripe = payments.stripe;
}

const names = () => payments.received.map(({ body }) => JSON.parse(body).data.object.name);
const eventually = (count: number) => expect.poll(() => payments.received.length).toBe(count);
const read = (index = 0) => {
  const { body, header } = payments.received[index] ?? { body: '', header: '' };
  return stripe.webhooks.constructEvent(body, header, WEBHOOK_SECRET);
};

describe('an event', () => {
  test('is sent with a signature that the SDK accepts, and is listed', async () => {
    const { id } = await stripe.customers.create({ name: 'Ada' });
    await eventually(1);

    const event = read();
    expect(event).toMatchObject({ type: 'customer.created', livemode: false, data: { object: { id, name: 'Ada' } } });
    expect((await stripe.events.retrieve(event.id)).id).toBe(event.id);
  });

  test('can carry a bad signature, or one of the past or the future', async () => {
    await control('POST', '/webhooks', { signature: 'bad' });
    await stripe.customers.create();
    await eventually(1);
    expect(() => read()).toThrow(Stripe.errors.StripeSignatureVerificationError);

    await control('POST', '/webhooks', { age_s: 301 });
    await stripe.customers.create();
    await eventually(2);
    expect(() => read(1)).toThrow(/tolerance/);

    await control('POST', '/webhooks', { age_s: -86_400 });
    await stripe.customers.create();
    await eventually(3);
    const stamp = Number(/t=(\d+)/.exec(payments.received[2]?.header ?? '')?.[1]);
    expect(stamp - Date.now() / 1000).toBeGreaterThan(86_000);
  });

  test('is sent again until the receiver accepts it', async () => {
    payments.answers.push(500);
    await stripe.customers.create({ name: 'Ben' });
    await eventually(2);

    expect(names()).toEqual(['Ben', 'Ben']);
    expect(read(1).id).toBe(read(0).id);
  });

  test('is released in the order and number of copies that were set', async () => {
    await control('POST', '/webhooks', { mode: 'hold', order: 'reverse', copies: 2 });
    await stripe.customers.create({ name: 'a' });
    await stripe.customers.create({ name: 'b' });
    expect(payments.received).toEqual([]);

    const { deliveries } = deliveriesSchema.parse(await control('POST', '/webhooks/release'));

    expect(names()).toEqual(['b', 'b', 'a', 'a']);
    expect(deliveries).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test('can be dropped, and be sent manually', async () => {
    await control('POST', '/webhooks', { mode: 'drop' });
    await stripe.customers.create({ name: 'lost' });
    const [event] = (await stripe.events.list({ limit: 1 })).data;
    expect(payments.received).toEqual([]);

    await control('POST', `/events/${event?.id}/resend`);

    expect(names()).toEqual(['lost']);
  });

  test('is sent after a restart when no receiver accepted it before', async () => {
    payments.site.isKnown = false;
    const { id } = await stripe.customers.create({ name: 'patient' });
    await restart(() => {
      payments.site.isKnown = true;
    });
    await eventually(1);

    expect(names()).toEqual(['patient']);
    expect(await stripe.customers.retrieve(id)).toMatchObject({ id, name: 'patient' });
  });

  test('is neither sent nor recorded by a closed sandbox, but sent by the next one', async () => {
    let goOn = () => {};
    payments.site.pause = new Promise((resolve) => {
      goOn = resolve;
    });
    await stripe.customers.create({ name: 'on its way' });
    await stripe.customers.create({ name: 'behind it' });
    await eventually(1);
    await payments.close();
    const journal = () => readFileSync(join(payments.folder, 'payments.jsonl'), 'utf8');
    const books = journal();
    goOn();
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(names()).toEqual(['on its way']);
    expect(journal()).toBe(books);
    await payments.start();
    stripe = payments.stripe;
    await eventually(3);
    expect(names()).toEqual(['on its way', 'on its way', 'behind it']);
  });
});

describe('the control', () => {
  test('refuses callers without the token, which only the owner can read', async () => {
    const answer = await fetch(`http://127.0.0.1:${payments.port}/_control/requests`);
    expect(answer.status).toBe(401);
    expect(statSync(join(payments.folder, 'control.json')).mode & 0o777).toBe(0o600);
  });

  test('puts new customers on a default clock', async () => {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: 1_600_000_000 });
    await control('POST', '/clock', { default_test_clock: clock.id });
    const { test_clock } = await stripe.customers.create();
    await control('POST', '/clock', { default_test_clock: null });

    expect([test_clock, (await stripe.customers.create()).test_clock]).toEqual([clock.id, null]);
    const moved = await control('POST', '/clock', { advance_s: 3600 });
    expect(moved).toMatchObject({ offset_s: 3600 });
  });
});
