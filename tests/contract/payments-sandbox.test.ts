/**
 * What the payment sandbox does with calls beyond the shape of its answers: who may call, refusals, lists and the
 * control.
 */
import { request } from 'node:http';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkedStripe } from '../support/payments/checked-stripe.ts';
import { type StartedPayments, startPayments } from './support/services/payments.ts';

const BOBCAT = 'price_kat_bobcat_monthly';
const LION = 'price_kat_lion_monthly';
const DAY_S = 86_400;

let payments: StartedPayments;
let stripe: Stripe;

beforeAll(async () => {
  payments = await startPayments({ isChecked: true });
  stripe = payments.stripe;
});
afterAll(() => payments.stop());

/** A customer on its own clock, with a card when one is named. */
async function aCustomer(token: string | null = 'pm_card_visa') {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) });
  const customer = await stripe.customers.create({ test_clock: clock.id });
  const card = token === null ? null : await stripe.paymentMethods.attach(token, { customer: customer.id });
  const pass = (days: number) =>
    stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: clock.frozen_time + days * DAY_S });
  return { customer, card, pass, nowS: clock.frozen_time };
}

const bobcat = (customer: string, card: string | undefined, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
  stripe.subscriptions.create({
    customer,
    items: [{ price: BOBCAT }],
    ...(card === undefined ? {} : { default_payment_method: card }),
    ...more,
  });
const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status;

describe('a call', () => {
  test("needs the key, the SDK's version and a known path", async () => {
    await expect(checkedStripe(payments.port, 'sk_test_other').customers.list()).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
    const answered = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`http://127.0.0.1:${payments.port}${path}`, { headers });
      return [answer.status, await answer.json()];
    };
    const authorization = `Bearer ${payments.secretKey}`;
    const error = { error: expect.anything() };
    expect(await answered('/v1/customers', { authorization, 'stripe-version': '2020-01-01' })).toEqual([400, error]);
    expect(await answered('/v1/nowhere', {})).toEqual([404, error]);
  });

  test('is refused with 421 under another host name of this machine', async () => {
    const status = await new Promise((resolve) => {
      const options = { port: payments.port, host: '127.0.0.1', path: '/v1/customers', headers: { host: 'evil.test' } };
      request(options, (response) => resolve(response.resume().statusCode)).end();
    });
    expect(status).toBe(421);
  });
});

describe('a new subscription', () => {
  test('waits for its first payment, and becomes active with it', async () => {
    const { customer, card } = await aCustomer('pm_card_chargeCustomerFail');
    const sub = await bobcat(customer.id, card?.id, { expand: ['latest_invoice'] });
    const invoice = sub.latest_invoice;
    if (invoice === null || typeof invoice === 'string') throw new Error('The invoice is not expanded.');
    expect([sub.status, invoice.status, invoice.attempt_count]).toEqual(['incomplete', 'open', 1]);
    await expect(stripe.invoices.pay(invoice.id)).rejects.toMatchObject({ type: 'StripeCardError' });
    expect((await stripe.invoices.retrieve(invoice.id)).attempt_count).toBe(2);
    const other = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });

    await stripe.invoices.pay(invoice.id, { payment_method: other.id });

    expect(await statusOf(sub.id)).toBe('active');
    const [event] = (await stripe.events.list({ type: 'customer.subscription.updated', limit: 1 })).data;
    expect(event?.data.previous_attributes).toEqual({ status: 'incomplete' });
  });

  test('is refused with error_if_incomplete, without a card, and with a past trial end', async () => {
    const { customer, card, nowS } = await aCustomer('pm_card_chargeCustomerFail');
    await expect(bobcat(customer.id, card?.id, { payment_behavior: 'error_if_incomplete' })).rejects.toMatchObject({
      type: 'StripeCardError',
    });
    await expect(bobcat(customer.id, undefined)).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(bobcat(customer.id, card?.id, { trial_end: nowS - 1 })).rejects.toMatchObject({ param: 'trial_end' });
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([]);
  });

  test('becomes active after a trial with a set end and a card', async () => {
    const { customer, card, pass, nowS } = await aCustomer();
    const trial_settings = { end_behavior: { missing_payment_method: 'pause' } } as const;
    const sub = await bobcat(customer.id, card?.id, { trial_end: nowS + 7 * DAY_S, trial_settings });

    await pass(8);

    expect(await statusOf(sub.id)).toBe('active');
  });
});

test('declines an always declined card when it is attached', async () => {
  await expect(aCustomer('pm_card_chargeDeclined')).rejects.toMatchObject({ code: 'card_declined' });
});

describe('the control', () => {
  test.each(['unpaid', 'past_due'] as const)('leaves a subscription %s after its last failed retry', async (status) => {
    await payments.control('POST', '/settings', { after_last_retry: status });
    const { customer, card, pass } = await aCustomer();
    const sub = await bobcat(customer.id, card?.id);
    await payments.control('POST', `/customers/${customer.id}`, { card: 'card_declined' });

    await pass(40);
    expect(await statusOf(sub.id)).toBe(status);
    // The next invoice of an unpaid subscription stays a draft.
    await pass(63);
    await payments.control('POST', '/settings', { after_last_retry: 'cancel' });

    const [newest] = (await stripe.invoices.list({ subscription: sub.id })).data;
    expect([await statusOf(sub.id), newest?.status]).toEqual([status, status === 'unpaid' ? 'draft' : 'open']);
  });

  test("fails a customer's next charge, once", async () => {
    const { customer, card } = await aCustomer();
    await payments.control('POST', `/customers/${customer.id}`, { next_declines: { reason: 'insufficient_funds' } });

    expect((await bobcat(customer.id, card?.id)).status).toBe('incomplete');
    expect((await bobcat(customer.id, card?.id)).status).toBe('active');
  });

  test('sends events for late payments that succeed or fail', async () => {
    const { customer } = await aCustomer();
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: LION, quantity: 1 }],
      success_url: 'http://site.test/done',
    });
    for (const result of ['succeeded', 'failed'])
      await payments.control('POST', `/checkout_sessions/${session.id}/async_payment`, { result });

    const receivedTypes = () =>
      payments.received.map(({ type }) => type).filter((type) => type.startsWith('checkout.session.as'));
    await expect
      .poll(receivedTypes)
      .toEqual(['checkout.session.async_payment_succeeded', 'checkout.session.async_payment_failed']);
  });
});

test('pages a list in both directions, and filters it by creation time', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd'])
    ids.unshift((await stripe.customers.create({ email: 'list@example.com', name })).id);
  const list = async (params: Stripe.CustomerListParams) => {
    const { data, has_more } = await stripe.customers.list({ email: 'list@example.com', ...params });
    return [data.map(({ id }) => ids.indexOf(id)), has_more];
  };
  const nowS = Math.floor(Date.now() / 1000);
  const names: unknown[] = [];
  for await (const { name } of stripe.customers.list({ email: 'list@example.com', limit: 2 })) names.push(name);

  expect(names).toEqual(['d', 'c', 'b', 'a']);
  expect(await list({ ending_before: ids[3] ?? '', limit: 2 })).toEqual([[1, 2], true]);
  expect(await list({ ending_before: ids[1] ?? '', limit: 2 })).toEqual([[0], false]);
  expect(await list({ created: { gte: nowS - 60, lte: nowS + 1 } })).toEqual([[0, 1, 2, 3], false]);
  expect(await list({ created: { lt: nowS - 60 } })).toEqual([[], false]);
  await expect(list({ ending_before: ids[0] ?? '', starting_after: ids[1] ?? '' })).rejects.toMatchObject({
    statusCode: 400,
  });
});

test('finds a price by its lookup key, and sends an event with the previous values when deactivated', async () => {
  const { data } = await stripe.prices.list({ active: true, lookup_keys: ['lion_monthly'], expand: ['data.product'] });
  expect(data).toMatchObject([{ id: LION, unit_amount: 6999, product: { name: 'Kat Lion' } }]);
  const { id } = await stripe.prices.create({
    product: 'prod_kat_lion',
    unit_amount: 100,
    currency: 'usd',
    recurring: { interval: 'month' },
  });

  const updated = await stripe.prices.update(id, { active: false, nickname: 'gone' });

  expect(updated).toMatchObject({ active: false, nickname: 'gone', unit_amount: 100 });
  const [event] = (await stripe.events.list({ type: 'price.updated', limit: 1 })).data;
  expect(event?.data.previous_attributes).toEqual({ active: true, nickname: null });
  const { customer, card } = await aCustomer();
  await expect(bobcat(customer.id, card?.id, { items: [{ price: id }] })).rejects.toThrow(/inactive/);
  await expect(stripe.prices.update(id, { lookup_key: 'lion_monthly' })).rejects.toThrow(
    /already uses that lookup key/,
  );
});
