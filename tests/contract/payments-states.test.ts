import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedPayments, startPayments } from './support-payments.ts';

const BOBCAT = 'price_kat_bobcat_monthly';
const LION = 'price_kat_lion_monthly';
const DAY_S = 86_400;

let payments: StartedPayments;
let stripe: Stripe;

beforeAll(async () => {
  payments = await startPayments(true);
  stripe = payments.stripe;
});
afterAll(() => payments.stop());

/** On a clock of its own, with a card where one is named. */
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

describe('a subscription that is created', () => {
  test('with a card that pays is active', async () => {
    const { customer, card } = await aCustomer('pm_card_mastercard');

    const sub = await bobcat(customer.id, card?.id, {
      metadata: { user_id: 'u1' },
      expand: ['latest_invoice', 'default_payment_method'],
    });

    expect(sub).toMatchObject({
      status: 'active',
      metadata: { user_id: 'u1' },
      latest_invoice: { status: 'paid', amount_due: 2999 },
      default_payment_method: { card: { brand: 'mastercard', last4: '4444' } },
    });
  });

  test('waits for its first payment, and is made active by it', async () => {
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

  test('and never paid is over after 23 hours', async () => {
    const { customer, card, pass } = await aCustomer();
    const sub = await bobcat(customer.id, card?.id, { payment_behavior: 'default_incomplete' });
    expect(sub.status).toBe('incomplete');

    await pass(1);

    expect(await statusOf(sub.id)).toBe('incomplete_expired');
    const listed = async (status: Stripe.SubscriptionListParams['status']) =>
      (await stripe.subscriptions.list({ customer: customer.id, ...(status === undefined ? {} : { status }) })).data
        .length;
    expect([
      await listed('ended'),
      await listed('incomplete_expired'),
      await listed('active'),
      await listed('all'),
    ]).toEqual([1, 1, 0, 1]);
  });

  test('is refused as a whole where that was asked, and without anything to pay with', async () => {
    const { customer, card } = await aCustomer('pm_card_chargeCustomerFail');
    await expect(bobcat(customer.id, card?.id, { payment_behavior: 'error_if_incomplete' })).rejects.toMatchObject({
      type: 'StripeCardError',
    });
    await expect(bobcat(customer.id, undefined)).rejects.toMatchObject({ code: 'resource_missing' });
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([]);
  });

  test('a card that is always declined is declined when it is attached', async () => {
    await expect(aCustomer('pm_card_chargeDeclined')).rejects.toMatchObject({ code: 'card_declined' });
  });
});

test('a trial without a card pauses, and goes on when it is resumed with one', async () => {
  const { customer, pass, nowS } = await aCustomer(null);
  const sub = await bobcat(customer.id, undefined, {
    trial_period_days: 14,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  });
  expect(sub).toMatchObject({ status: 'trialing', trial_end: nowS + 14 * DAY_S });
  await pass(60);
  expect(await statusOf(sub.id)).toBe('paused');

  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } });
  const resumed = await stripe.subscriptions.resume(sub.id);

  expect(resumed.status).toBe('active');
  expect(resumed.items.data[0]?.current_period_start).toBe(nowS + 60 * DAY_S);
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['customer.subscription.paused', 'customer.subscription.resumed']));
});

test('a trial ends by a moment as well, and in an active plan', async () => {
  const { customer, card, pass, nowS } = await aCustomer();
  const sub = await bobcat(customer.id, card?.id, { trial_end: nowS + 7 * DAY_S });

  await pass(8);

  expect(await statusOf(sub.id)).toBe('active');
  await expect(bobcat(customer.id, card?.id, { trial_end: nowS - 1 })).rejects.toMatchObject({ param: 'trial_end' });
});

describe('the control', () => {
  test('decides what the last failed try means', async () => {
    await payments.control('POST', '/settings', { after_last_retry: 'unpaid' });
    const { customer, card, pass } = await aCustomer();
    const sub = await bobcat(customer.id, card?.id);
    await payments.control('POST', `/customers/${customer.id}`, { card: 'card_declined' });

    await pass(40);
    await payments.control('POST', '/settings', { after_last_retry: 'cancel' });

    expect(await statusOf(sub.id)).toBe('unpaid');
  });

  test('makes the next charge of a customer fail, once', async () => {
    const { customer, card } = await aCustomer();
    await payments.control('POST', `/customers/${customer.id}`, { next_declines: { reason: 'insufficient_funds' } });

    expect((await bobcat(customer.id, card?.id)).status).toBe('incomplete');
    expect((await bobcat(customer.id, card?.id)).status).toBe('active');
  });

  test('tells of money that came late or not at all', async () => {
    const { customer } = await aCustomer();
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: LION, quantity: 1 }],
      success_url: 'http://site.test/done',
    });
    for (const result of ['succeeded', 'failed'])
      await payments.control('POST', `/checkout_sessions/${session.id}/async_payment`, { result });

    await expect
      .poll(() => payments.heard.filter((type) => type.startsWith('checkout.session.async')), { timeout: 15_000 })
      .toEqual(['checkout.session.async_payment_succeeded', 'checkout.session.async_payment_failed']);
  });
});

describe('a list', () => {
  test('goes backwards, and can be narrowed by the moment of creation', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd'])
      ids.unshift((await stripe.customers.create({ email: 'list@example.com', name })).id);
    const list = async (params: Stripe.CustomerListParams) => {
      const { data, has_more } = await stripe.customers.list({ email: 'list@example.com', ...params });
      return [data.map(({ id }) => ids.indexOf(id)), has_more];
    };
    const nowS = Math.floor(Date.now() / 1000);

    expect(await list({ ending_before: ids[3] ?? '', limit: 2 })).toEqual([[1, 2], true]);
    expect(await list({ ending_before: ids[1] ?? '', limit: 2 })).toEqual([[0], false]);
    expect(await list({ created: { gte: nowS - 60, lte: nowS + 1 } })).toEqual([[0, 1, 2, 3], false]);
    expect(await list({ created: { lt: nowS - 60 } })).toEqual([[], false]);
    await expect(list({ ending_before: ids[0] ?? '', starting_after: ids[1] ?? '' })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});

test('a price is taken off the shelf, and that is told with what it was before', async () => {
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
