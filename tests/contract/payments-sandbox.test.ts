import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxPayments, startSandboxPayments } from '../../sandbox/payments/sandbox-payments.ts';
import { checkedStripe } from '../support/payments/checked-stripe.ts';

const BOBCAT = 'price_kat_bobcat_monthly';
const LION = 'price_kat_lion_monthly';
const KEY = 'sk_test_contract';
const DAY_S = 86_400;

let folder: string;
let sandbox: SandboxPayments;
let stripe: Stripe;

async function start(): Promise<void> {
  sandbox = await startSandboxPayments({
    clock: { nowMs: () => Date.now() },
    journalPath: join(folder, 'payments.jsonl'),
    secretKey: KEY,
    pagesPath: '/pay',
    origin: () => 'http://127.0.0.1',
    webhooks: { target: () => null, secret: 'whsec_test' },
    controlPath: join(folder, 'control.json'),
    log: (line) => expect.fail(line),
  });
  stripe = clientOf(KEY);
}

function clientOf(key: string): Stripe {
  return checkedStripe(sandbox.port, key);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payments-'));
  await start();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

/** As a browser would: the address is the site's, the port the stand-in's. */
function visit(url: string | null, form?: Record<string, string>): Promise<Response> {
  const { pathname } = new URL(url ?? 'http://none');
  return fetch(`http://127.0.0.1:${sandbox.port}${pathname}`, {
    redirect: 'manual',
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  });
}

const card = (number: string) => ({ action: 'pay', number, expiry: '12 / 34', cvc: '123' });

function newSession(customer: string, price = BOBCAT) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: 'u1',
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://site.test/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://site.test/plans',
    expires_at: Math.floor(Date.now() / 1000) + 1800,
    subscription_data: { metadata: { user_id: 'u1' }, billing_mode: { type: 'flexible' } },
  });
}

/** On a clock of its own, that stands where it is until it is moved. */
async function aSubscriber(price = BOBCAT, number = '4242424242424242') {
  const frozenTime = Math.floor(Date.now() / 1000);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: frozenTime });
  const customer = await stripe.customers.create({ email: 'ada@example.com', test_clock: clock.id });
  const { id, url } = await newSession(customer.id, price);
  let page = await visit(url, card(number));
  if (page.status === 200) {
    const held = /name="held" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    page = await visit(url, { action: 'consent', held });
  }
  expect(page.headers.get('location')).toBe(`http://site.test/done?session=${id}`);
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  if (subscription === undefined) throw new Error('There is no subscription.');
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('There is no item.');
  return { clock, customer, subscription, item };
}

describe('a call', () => {
  test('needs the key and the version of the SDK', async () => {
    await expect(clientOf('sk_test_other').customers.list()).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
    const old = await fetch(`http://127.0.0.1:${sandbox.port}/v1/customers`, {
      headers: { authorization: `Bearer ${KEY}`, 'stripe-version': '2020-01-01' },
    });
    expect([old.status, await old.json()]).toEqual([400, { error: expect.anything() }]);
  });

  test('says which parameter is unknown and which object is missing', async () => {
    const unknown = { metadata: { a: 'b' }, shoe_size: '44' };
    await expect(stripe.customers.create(unknown)).rejects.toMatchObject({
      statusCode: 400,
      code: 'parameter_unknown',
      param: 'shoe_size',
    });
    await expect(stripe.subscriptions.retrieve('sub_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    const nowhere = await fetch(`http://127.0.0.1:${sandbox.port}/v1/nowhere`);
    expect([nowhere.status, await nowhere.json()]).toEqual([404, { error: expect.anything() }]);
  });

  test('with the same key is done once, with other parameters refused', async () => {
    const options = { idempotencyKey: 'once' };
    const first = await stripe.customers.create({ metadata: { user_id: 'u7' } }, options);
    const again = await stripe.customers.create({ metadata: { user_id: 'u7' } }, options);

    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    await expect(stripe.customers.create({ metadata: { user_id: 'u8' } }, options)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    });
    const { data } = await stripe.customers.search({ query: "metadata['user_id']:'u7'" });
    expect(data.map(({ id }) => id)).toEqual([first.id]);
  });

  test('from another name of this machine is refused', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const options = { port: sandbox.port, host: '127.0.0.1', path: '/v1/customers', headers: { host: 'evil.test' } };
      request(options, (response) => resolve(response.resume().statusCode)).end();
    });
    expect(status).toBe(421);
  });
});

test('the catalogue is there, and lists go page by page', async () => {
  const { data } = await stripe.prices.list({ active: true, lookup_keys: ['lion_monthly'], expand: ['data.product'] });
  expect(data).toMatchObject([{ id: LION, unit_amount: 6999, product: { name: 'Kat Lion' } }]);

  for (const name of ['a', 'b', 'c']) await stripe.customers.create({ email: 'many@example.com', name });
  const names: unknown[] = [];
  for await (const { name } of stripe.customers.list({ email: 'many@example.com', limit: 2 })) names.push(name);
  expect(names).toEqual(['c', 'b', 'a']);
});

describe('checkout', () => {
  test('shows what it is, keeps no card and goes back to the site', async () => {
    const { id } = await stripe.customers.create();
    const session = await newSession(id);
    const page = await (await visit(session.url)).text();

    expect(page).toContain('Test payments - no real money');
    expect(page).toContain('$29.99');
    expect(page).not.toContain('<script');
    expect((await visit(session.url, { action: 'back' })).headers.get('location')).toBe('http://site.test/plans');
    const declined = await visit(session.url, card('4000000000000002'));
    expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('Your card was declined.')]);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    expect((await stripe.subscriptions.list({ customer: id, status: 'all' })).data).toEqual([]);
    expect(readFileSync(join(folder, 'payments.jsonl'), 'utf8')).not.toContain('4000000000000002');
  });

  test('makes a subscription whose fields are where the provider has them now', async () => {
    const { subscription, customer } = await aSubscriber();
    const full = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['default_payment_method', 'schedule', 'latest_invoice.payments.data.payment.payment_intent'],
    });

    expect(full).toMatchObject({
      object: 'subscription',
      status: 'active',
      customer: customer.id,
      metadata: { user_id: 'u1' },
      default_payment_method: { card: { brand: 'visa', last4: '4242' } },
      latest_invoice: {
        status: 'paid',
        amount_due: 2999,
        parent: { subscription_details: { subscription: subscription.id } },
        payments: { data: [{ payment: { payment_intent: { status: 'succeeded', amount: 2999 } } }] },
      },
    });
    expect(full.items.data[0]).toMatchObject({ price: { id: BOBCAT }, current_period_start: expect.any(Number) });
  });

  test('expires by a call, once', async () => {
    const { id } = await stripe.customers.create();
    const session = await newSession(id);

    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired');
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow(/status of expired/);
    expect((await visit(`http://x/pay/checkout/${session.id}`)).status).toBe(410);
    expect((await stripe.checkout.sessions.list({ customer: id, status: 'open' })).data).toEqual([]);
  });
});

describe('an upgrade', () => {
  test('costs what the preview said', async () => {
    const { subscription, item, customer } = await aSubscriber();
    const items = [{ id: item.id, price: LION }];
    const preview = await stripe.invoices.createPreview({
      customer: customer.id,
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'always_invoice' },
    });
    const quoted = preview.parent?.subscription_details?.subscription_proration_date;
    const updated = await stripe.subscriptions.update(subscription.id, {
      items,
      proration_behavior: 'always_invoice',
      proration_date: quoted ?? 0,
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    });

    expect(preview.amount_due).toBe(4000);
    expect(updated).toMatchObject({ latest_invoice: { amount_due: 4000, status: 'paid' }, pending_update: null });
    expect(updated.items.data[0]?.price.id).toBe(LION);
  });

  test('that needs consent waits at its invoice page', async () => {
    const { subscription, item } = await aSubscriber(BOBCAT, '4000002760003184');
    const waiting = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: LION }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    });
    const invoice = waiting.latest_invoice;
    if (invoice === null || typeof invoice === 'string') throw new Error('The invoice is not expanded.');
    expect(waiting.items.data[0]?.price.id).toBe(BOBCAT);
    expect(waiting.pending_update?.subscription_items?.[0]?.price.id).toBe(LION);

    const paid = await visit(invoice.hosted_invoice_url ?? null, card('4242424242424242'));

    expect([paid.status, await paid.text()]).toEqual([200, expect.stringContaining('Paid')]);
    const after = await stripe.subscriptions.retrieve(subscription.id);
    expect([after.items.data[0]?.price.id, after.pending_update]).toEqual([LION, null]);
  });
});

describe('time', () => {
  test('moved past the end renews, tells it, and ends what was to end', async () => {
    const { clock, subscription, item } = await aSubscriber();
    const target = item.current_period_end + 7200;
    const advancing = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: target });
    expect(advancing.status).toBe('advancing');
    expect((await stripe.testHelpers.testClocks.retrieve(clock.id)).status).toBe('ready');

    const invoices = await stripe.invoices.list({ subscription: subscription.id });
    expect(invoices.data.map(({ status, billing_reason }) => [status, billing_reason])).toEqual([
      ['paid', 'subscription_cycle'],
      ['paid', 'subscription_create'],
    ]);
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: target + 32 * DAY_S });
    const ended = await stripe.subscriptions.retrieve(subscription.id);
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'cancellation_requested' } });
    const [event] = (await stripe.events.list({ type: 'customer.subscription.deleted', limit: 1 })).data;
    expect(event?.data.object).toMatchObject({ id: subscription.id, status: 'canceled' });
  });

  test('brings a planned downgrade, and its schedule forbids a cancel flag until released', async () => {
    const { clock, subscription, item } = await aSubscriber(LION);
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: LION, quantity: 1 }],
          start_date: item.current_period_start,
          end_date: item.current_period_end,
        },
        { items: [{ price: BOBCAT, quantity: 1 }], duration: { interval: 'month' }, proration_behavior: 'none' },
      ],
    });
    const flag = () => stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await expect(flag()).rejects.toThrow(/managed by the subscription schedule/);

    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: item.current_period_end });
    const changed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['schedule'] });
    expect(changed.items.data[0]?.price.id).toBe(BOBCAT);
    expect(changed.schedule).toMatchObject({ status: 'active' });
    const released = await stripe.subscriptionSchedules.release(schedule.id);
    expect(released).toMatchObject({ status: 'released', subscription: null });
    expect((await flag()).cancel_at_period_end).toBe(true);
  });
});

test('the portal ends the plan by a moment, not by the flag, and both are cleared together', async () => {
  const { subscription, customer, item } = await aSubscriber();
  const { url } = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: 'http://site.test/',
  });
  await visit(url, { action: 'cancel' });

  const canceling = await stripe.subscriptions.retrieve(subscription.id);
  expect([canceling.cancel_at, canceling.cancel_at_period_end]).toEqual([item.current_period_end, false]);
  const kept = await stripe.subscriptions.update(subscription.id, { cancel_at: '' });
  expect([kept.cancel_at, kept.cancel_at_period_end]).toEqual([null, false]);
});

test('a refund finds its way from the payment', async () => {
  const { subscription } = await aSubscriber();
  const [invoice] = (await stripe.invoices.list({ subscription: subscription.id })).data;
  const [payment] = (await stripe.invoicePayments.list({ invoice: invoice?.id ?? '' })).data;
  const intent = payment?.payment.payment_intent;
  if (typeof intent !== 'string') throw new Error('There is no payment.');
  const refund = await stripe.refunds.create({ payment_intent: intent });

  const charge = typeof refund.charge === 'string' ? await stripe.charges.retrieve(refund.charge) : null;
  expect(charge).toMatchObject({ amount: 2999, amount_refunded: 2999, refunded: true });
});

test('a restart forgets nothing', async () => {
  const { subscription } = await aSubscriber();
  await sandbox.close();
  await start();

  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ id: subscription.id, status: 'active' });
});
