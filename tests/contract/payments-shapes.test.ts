/**
 * Checks every answer and event of the payment sandbox against the types that the provider's SDK declares.
 * `checkedStripe` examines each call below: an answer of another shape fails and reports where.
 */
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../sandbox/payments/api/api.ts';
import { aCustomer, aSubscriber, idOf, newSession } from '../support/payments/paying-customers.ts';
import { callOf } from '../support/payments/shape-faults.ts';
import {
  BOBCAT,
  CARDS,
  DAY_S,
  LION,
  openWatchedSandbox,
  type WatchedSandbox,
} from '../support/payments/watched-sandbox.ts';

let sandbox: WatchedSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openWatchedSandbox((line) => expect.fail(line));
  stripe = sandbox.stripe;
});
afterAll(() => sandbox.close());

const WHOLE = {
  expand: [
    'default_payment_method',
    'schedule',
    'customer',
    'latest_invoice.payments.data.payment.payment_intent',
    'items.data.price.product',
  ],
};

describe("answers compared with the SDK's types", () => {
  test('match for products and prices', async () => {
    const product = await stripe.products.create({ name: 'Kat Panther', description: 'Both', metadata: { a: 'b' } });
    const price = await stripe.prices.create({
      product: product.id,
      unit_amount: 4999,
      currency: 'usd',
      recurring: { interval: 'month' },
      lookup_key: 'panther_monthly',
    });

    await stripe.products.update(product.id, { description: 'For both', metadata: { a: '', c: 'd' } });
    await stripe.prices.update(price.id, { nickname: 'The middle one', metadata: { e: 'f' } });
    expect((await stripe.products.retrieve(product.id)).metadata).toEqual({ c: 'd' });
    expect((await stripe.prices.retrieve(price.id, { expand: ['product'] })).product).toMatchObject({ id: product.id });
    expect((await stripe.products.list()).data.length).toBeGreaterThan(2);
    expect((await stripe.prices.list({ expand: ['data.product'] })).data.length).toBeGreaterThan(2);
  });

  test('match for a customer, before and after its deletion', async () => {
    const { id } = await stripe.customers.create({ metadata: { user_id: 'u9' } });
    await stripe.customers.update(id, { email: 'b@example.com', name: 'Ben', balance: -500 });
    expect((await stripe.customers.list({ email: 'b@example.com' })).data).toHaveLength(1);
    expect((await stripe.customers.search({ query: "metadata['user_id']:'u9'" })).data).toHaveLength(1);

    await stripe.customers.del(id);

    expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true });
  });

  test('match for an open, declined, paid and expired checkout', async () => {
    const { id } = await stripe.customers.create();
    const open = await newSession(stripe, id);
    expect((await stripe.checkout.sessions.listLineItems(open.id)).data).toHaveLength(1);
    expect((await sandbox.pay(open.url, CARDS.declined)).status).toBe(402);
    await stripe.checkout.sessions.expire(open.id);
    const { session } = await aSubscriber(sandbox, LION, CARDS.consentAlways);
    const expand = ['customer', 'subscription', 'invoice', 'line_items'];
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand });

    expect([paid.status, paid.payment_status]).toEqual(['complete', 'paid']);
    const all = await stripe.checkout.sessions.list({ limit: 2, expand: ['data.customer', 'data.subscription'] });
    expect(all.data.map(({ status }) => status)).toEqual(['complete', 'expired']);
  });

  test('match for a subscription with everything it refers to', async () => {
    const { subscription, customer } = await aSubscriber(sandbox);
    const full = await stripe.subscriptions.retrieve(subscription.id, WHOLE);
    const { status, amount, id } = { status: 'succeeded', amount: 2999, id: expect.stringMatching(/^pi_/) };
    expect(full).toMatchObject({
      object: 'subscription',
      status: 'active',
      customer: { id: customer.id },
      metadata: { user_id: 'u1' },
      default_payment_method: { card: { brand: 'visa', last4: '4242' } },
      items: { data: [{ price: { id: BOBCAT }, current_period_start: expect.any(Number) }] },
      latest_invoice: {
        status: 'paid',
        amount_due: amount,
        billing_reason: 'subscription_create',
        parent: { subscription_details: { subscription: subscription.id } },
        payments: { data: [{ status: 'paid', payment: { payment_intent: { id, status, amount } } }] },
      },
    });

    const expand = WHOLE.expand.map((path) => `data.${path}`).filter((path) => path.split('.').length <= 5);
    expect((await stripe.subscriptions.list({ status: 'all', customer: customer.id, expand })).data).toHaveLength(1);
    const owner = await stripe.customers.retrieve(customer.id, {
      expand: ['subscriptions', 'invoice_settings.default_payment_method', 'test_clock'],
    });
    expect(owner).toMatchObject({ subscriptions: { data: [{ id: subscription.id }] } });
  });

  test('match for cards, payments and refunds', async () => {
    const { subscription, customer } = await aSubscriber(sandbox, BOBCAT, CARDS.mastercard);
    const [card] = (await stripe.customers.listPaymentMethods(customer.id)).data;
    const [payment] = (
      await stripe.invoicePayments.list({
        invoice: idOf(subscription.latest_invoice),
        expand: ['data.invoice', 'data.payment.payment_intent'],
      })
    ).data;
    const intent = await stripe.paymentIntents.retrieve(idOf(payment?.payment.payment_intent), {
      expand: ['latest_charge', 'payment_method', 'customer'],
    });
    const charge = await stripe.charges.retrieve(idOf(intent.latest_charge), { expand: ['payment_intent'] });
    await stripe.refunds.create({ charge: charge.id, amount: 100, reason: 'requested_by_customer' });
    const rest = await stripe.refunds.create({ payment_intent: intent.id, expand: ['charge'] });

    expect(rest.charge).toMatchObject({ amount: 2999, amount_refunded: 2999, refunded: true });
    const listed = await stripe.refunds.list({ charge: charge.id });
    expect(listed.data.map(({ amount }) => amount)).toEqual([2899, 100]);
    expect((await stripe.refunds.list({ payment_intent: intent.id, limit: 1 })).has_more).toBe(true);
    const again = stripe.refunds.create({ charge: charge.id });
    await expect(again).rejects.toMatchObject({ code: 'charge_already_refunded' });
    const detached = await stripe.paymentMethods.detach(card?.id ?? '');
    expect(detached.customer).toBeNull();
    await stripe.paymentMethods.attach(detached.id, { customer: customer.id });
    expect((await stripe.paymentMethods.retrieve(detached.id, { expand: ['customer'] })).customer).toMatchObject({
      id: customer.id,
    });
  });

  test('match for a trial that pauses without a card and resumes with one', async () => {
    const { clock, customer, pass } = await aCustomer(stripe);
    const trial = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: BOBCAT }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
      expand: WHOLE.expand,
    });
    expect([trial.status, trial.trial_end]).toEqual(['trialing', clock.frozen_time + 7 * DAY_S]);
    await pass(60 * DAY_S);
    expect((await stripe.subscriptions.retrieve(trial.id, WHOLE)).status).toBe('paused');
    expect((await stripe.invoices.list({ subscription: trial.id })).data).toHaveLength(1);
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } });

    const { status, items } = await stripe.subscriptions.resume(trial.id, { expand: WHOLE.expand });
    expect([status, items.data[0]?.current_period_start]).toEqual(['active', clock.frozen_time + 60 * DAY_S]);
    expect((await stripe.subscriptions.cancel(trial.id)).status).toBe('canceled');
  });

  test('match for a first payment that arrives, and one that never does', async () => {
    const { customer, pass } = await aCustomer(stripe);
    const begun = () =>
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: LION }],
        payment_behavior: 'default_incomplete',
        expand: ['latest_invoice.payments'],
      });
    const [first, second] = [await begun(), await begun()];
    const invoice = await stripe.invoices.retrieve(idOf(first.latest_invoice));
    await sandbox.pay(invoice.hosted_invoice_url, CARDS.good);
    await pass(DAY_S);

    expect((await stripe.subscriptions.retrieve(first.id, WHOLE)).status).toBe('active');
    expect((await stripe.subscriptions.retrieve(second.id, WHOLE)).status).toBe('incomplete_expired');
    const counts: number[] = [];
    for (const status of ['ended', 'incomplete_expired', 'active', 'all'] as const)
      counts.push((await stripe.subscriptions.list({ customer: customer.id, status })).data.length);
    expect(counts).toEqual([1, 1, 1, 2]);
  });

  test('match for a paid upgrade and its preview', async () => {
    const { subscription, item, customer } = await aSubscriber(sandbox);
    const change = { items: [{ id: item.id, price: LION }], proration_behavior: 'always_invoice' as const };
    const of = { customer: customer.id, subscription: subscription.id };
    await stripe.invoices.createPreview(of);
    const preview = await stripe.invoices.createPreview({ ...of, subscription_details: change });
    const upgraded = await stripe.subscriptions.update(subscription.id, {
      ...change,
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice.payments'],
    });

    expect(upgraded.latest_invoice).toMatchObject({ amount_due: preview.amount_due, status: 'paid' });
  });

  test.each([
    ['the owner has to consent', CARDS.consentAlways],
    ['the card is declined', CARDS.failsLater],
  ])('match for an upgrade that waits because %s', async (_why, card) => {
    const { subscription, item } = await aSubscriber(sandbox, BOBCAT, card);
    const upgrade = (behavior: 'pending_if_incomplete' | 'error_if_incomplete') =>
      stripe.subscriptions.update(subscription.id, {
        items: [{ id: item.id, price: LION }],
        proration_behavior: 'always_invoice',
        payment_behavior: behavior,
        expand: ['latest_invoice.payments.data.payment.payment_intent'],
      });
    await expect(upgrade('error_if_incomplete')).rejects.toMatchObject({ type: 'StripeCardError' });
    const waiting = await upgrade('pending_if_incomplete');
    expect(waiting.items.data[0]?.price.id).toBe(BOBCAT);
    expect(waiting.pending_update?.subscription_items?.[0]?.price.id).toBe(LION);
    const invoice = await stripe.invoices.retrieve(idOf(waiting.latest_invoice), { expand: ['payments', 'customer'] });
    await expect(stripe.invoices.pay(invoice.id)).rejects.toMatchObject({ type: 'StripeCardError' });

    await sandbox.pay(invoice.hosted_invoice_url, CARDS.good);

    const after = await stripe.subscriptions.retrieve(subscription.id, WHOLE);
    expect([after.pending_update, after.items.data[0]?.price.id]).toEqual([null, LION]);
  });

  test('match for an upgrade that expires unpaid, and one that is voided', async () => {
    const { subscription, item, pass } = await aSubscriber(sandbox, BOBCAT, CARDS.failsLater);
    const upgrade = () =>
      stripe.subscriptions.update(subscription.id, {
        items: [{ id: item.id, price: LION }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
      });
    await upgrade();
    await pass(DAY_S);
    expect((await stripe.subscriptions.retrieve(subscription.id)).pending_update).toBeNull();
    const again = await upgrade();

    expect((await stripe.invoices.voidInvoice(idOf(again.latest_invoice))).status).toBe('void');
  });

  test('charge nothing for the current phase of a schedule, whose price stays', async () => {
    const { subscription, item, customer } = await aSubscriber(sandbox, LION);
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const update = (price: string) =>
      stripe.subscriptionSchedules.update(id, {
        proration_behavior: 'always_invoice',
        phases: [
          {
            items: [{ price, quantity: 1 }],
            start_date: phases[0]?.start_date ?? 0,
            end_date: item.current_period_end,
          },
        ],
      });

    await update(LION);
    await expect(update(BOBCAT)).rejects.toThrow(/price of the current phase/);

    expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1);
  });

  test('match for a downgrade from its schedule to its end', async () => {
    const { subscription, item, customer, pass } = await aSubscriber(sandbox, LION);
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const [running] = schedule.phases;
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: LION, quantity: 1 }],
          start_date: running?.start_date ?? 0,
          end_date: item.current_period_end,
        },
        { items: [{ price: BOBCAT, quantity: 1 }], duration: { interval: 'month' }, proration_behavior: 'none' },
      ],
      expand: ['phases.items.price'],
    });
    await stripe.subscriptions.retrieve(subscription.id, WHOLE);
    await pass(32 * DAY_S);
    const changed = await stripe.subscriptions.retrieve(subscription.id, WHOLE);
    expect(changed).toMatchObject({ items: { data: [{ price: { id: BOBCAT } }] }, schedule: { status: 'active' } });
    await stripe.subscriptionSchedules.retrieve(schedule.id, { expand: ['subscription', 'customer'] });
    const released = await stripe.subscriptionSchedules.release(schedule.id);
    expect(released).toMatchObject({ status: 'released', subscription: null, released_subscription: subscription.id });

    const next = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    expect((await stripe.subscriptionSchedules.cancel(next.id)).status).toBe('canceled');
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'ended' })).data).toHaveLength(1);
  });

  test('match for a plan that is set to cancel, continues, and ends', async () => {
    const { subscription, item, customer, pass } = await aSubscriber(sandbox);
    const flag = (cancel_at_period_end: boolean) =>
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end, expand: ['latest_invoice'] });
    expect((await flag(true)).cancel_at_period_end).toBe(true);
    await flag(false);
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'http://site.test/',
    });
    await sandbox.visit(portal.url, { action: 'cancel' });
    const end = async () => {
      const { cancel_at, cancel_at_period_end } = await stripe.subscriptions.retrieve(subscription.id);
      return [cancel_at, cancel_at_period_end];
    };
    expect(await end()).toEqual([item.current_period_end, false]);
    await sandbox.visit(portal.url, { action: 'keep' });
    expect(await end()).toEqual([null, false]);
    await sandbox.visit(portal.url, { action: 'cancel' });
    await stripe.subscriptions.update(subscription.id, { cancel_at: '' });
    expect(await end()).toEqual([null, false]);

    await flag(true);
    await pass(32 * DAY_S);
    const ended = await stripe.subscriptions.retrieve(subscription.id);
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'cancellation_requested' } });
  });

  test('match for renewals: paid, failing, paid manually, and given up', async () => {
    const { subscription, customer, pass } = await aSubscriber(sandbox, BOBCAT);
    await pass(31 * DAY_S + 7200);
    const paid = await stripe.invoices.list({ customer: customer.id, status: 'paid', expand: ['data.payments'] });
    expect(paid.data.map((one) => one.billing_reason)).toEqual(['subscription_cycle', 'subscription_create']);
    const portal = await stripe.billingPortal.sessions.create({ customer: customer.id });
    await sandbox.visit(portal.url, { action: 'card', number: CARDS.failsLater, expiry: '12 / 34', cvc: '123' });
    await pass(62 * DAY_S + 7200);
    expect((await stripe.subscriptions.retrieve(subscription.id, WHOLE)).status).toBe('past_due');
    const [open] = (await stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data;
    const [good] = (await stripe.customers.listPaymentMethods(customer.id, { limit: 2 })).data.slice(1);
    expect((await stripe.invoices.pay(open?.id ?? '', { payment_method: good?.id ?? '' })).status).toBe('paid');

    await pass(110 * DAY_S);

    const ended = await stripe.subscriptions.retrieve(subscription.id, WHOLE);
    expect([ended.status, ended.cancellation_details?.reason]).toEqual(['canceled', 'payment_failed']);
  });

  test('match for a test clock', async () => {
    const { clock, pass } = await aSubscriber(sandbox);
    expect((await pass(60)).status).toBe('advancing');
    expect((await stripe.testHelpers.testClocks.retrieve(clock.id)).status).toBe('ready');
    expect(await stripe.testHelpers.testClocks.del(clock.id)).toMatchObject({ deleted: true });
  });

  test('match for errors', async () => {
    const { subscription } = await aSubscriber(sandbox);
    const missing = { statusCode: 404, code: 'resource_missing' };
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject(missing);
    for (const path of ['id', 'items', 'items.data.subscription', 'data.customer'])
      await expect(stripe.subscriptions.retrieve(subscription.id, { expand: [path] }), path).rejects.toThrow(
        `cannot be expanded (${path})`,
      );
    const unknown = { metadata: { a: 'b' }, shoe_size: '44' };
    const refusal = { statusCode: 400, code: 'parameter_unknown', param: 'shoe_size' };
    await expect(stripe.customers.create(unknown)).rejects.toMatchObject(refusal);
  });
});

test('lists and sends events in the shapes that the SDK declares', async () => {
  const listed: string[] = [];
  for await (const event of stripe.events.list({ limit: 100 })) listed.push(event.id);
  const [newest = ''] = listed;
  expect((await stripe.events.retrieve(newest)).id).toBe(newest);

  // Each event arrives at least once, in any order.
  const missing = () => listed.filter((id) => !sandbox.received.includes(id));
  await expect.poll(missing).toEqual([]);
  expect(sandbox.faults).toEqual([]);
});

test('called every endpoint of the sandbox in the tests above', async () => {
  const requested = new Set((await sandbox.requests()).map(({ method, path }) => callOf(method, path)));
  const known = ENDPOINTS.map(({ method, path }) => `${method.toUpperCase()} ${path}`);

  expect(known.filter((call) => !requested.has(call))).toEqual([]);
});
