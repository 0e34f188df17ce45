import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedPayments, startPayments } from './support/services/payments.ts';

const BOBCAT = 'price_kat_bobcat_monthly';
const LION = 'price_kat_lion_monthly';

let payments: StartedPayments;
let stripe: Stripe;

beforeAll(async () => {
  payments = await startPayments();
  stripe = payments.stripe;
});
afterAll(() => payments.stop());

const card = (number: string) => ({ action: 'pay', number, expiry: '12 / 34', cvc: '123' });
const heldIn = (html: string) => /name="held" value="([^"]+)"/.exec(html)?.[1] ?? '';

async function visit(url: string | null | undefined, form?: Record<string, string>) {
  const response = await payments.visit(new URL(url ?? 'http://none').pathname, form);
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}

function newSession(customer: string, price = BOBCAT) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://site.test/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://site.test/plans',
  });
}

async function aSubscriber(number = '4242424242424242') {
  const customer = await stripe.customers.create();
  const { url } = await newSession(customer.id);
  const page = await visit(url, card(number));
  if (page.status === 200) await visit(url, { action: 'consent', held: heldIn(page.html) });
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  if (subscription === undefined) throw new Error('There is no subscription.');
  const portal = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: 'http://site.test/account',
  });
  return { customer, subscription, portal };
}

describe('the checkout page', () => {
  test('shows a test card and a test notice, without inline script or style', async () => {
    const { id } = await stripe.customers.create();
    const { html } = await visit((await newSession(id, LION)).url);

    expect(html).toContain('Test payments - no real money');
    expect(html).toMatch(
      /<label for="number">Card number<\/label>\s*<input id="number"[^>]*value="4242 4242 4242 4242"/,
    );
    expect(html).toContain('$69.99');
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
    const style = await visit(`http://site.test${/href="([^"]+page\.css)"/.exec(html)?.[1]}`);
    expect([style.status, style.html.includes('prefers-color-scheme: light')]).toEqual([200, true]);
  });

  test("deducts the customer's credit from the amount due", async () => {
    const { id } = await stripe.customers.create();
    await stripe.customers.update(id, { balance: -500 });

    const { html } = await visit((await newSession(id)).url);

    expect(html).toMatch(/Balance<\/dt><dd>−\$5\.00.*Due today<\/dt><dd>\$24\.99/);
  });

  test('marks the field of a declined card, stays open, and stores no card', async () => {
    const { id } = await stripe.customers.create();
    const session = await newSession(id);
    const { status, html } = await visit(session.url, card('4000000000009995'));

    expect(status).toBe(402);
    expect(html).toMatch(/role="alert" id="payment-error">Your card has insufficient funds\./);
    expect(html).toMatch(/<input id="number"[^>]*autofocus aria-invalid="true" aria-describedby="payment-error"/);
    expect(html).not.toContain('4000000000009995');
    expect(readFileSync(join(payments.folder, 'payments.jsonl'), 'utf8')).not.toContain('4000000000009995');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    expect((await stripe.customers.listPaymentMethods(id)).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer: id, status: 'all' })).data).toEqual([]);
    expect((await visit(session.url, { action: 'back' })).location).toBe('http://site.test/plans');
  });

  test('reports a paid session to a visitor, and redirects another click on Pay', async () => {
    const { id } = await stripe.customers.create();
    const { url, id: session } = await newSession(id);
    const done = `http://site.test/done?session=${session}`;
    expect((await visit(url, card('4242424242424242'))).location).toBe(done);

    const seen = await visit(url);
    expect([seen.status, seen.html.includes(done)]).toEqual([200, true]);
    expect((await visit(url, card('4242424242424242'))).location).toBe(done);
    expect((await stripe.subscriptions.list({ customer: id })).data).toHaveLength(1);
  });

  test('reports with 410 that an expired session was not paid, even after a click on Pay', async () => {
    const { id } = await stripe.customers.create();
    const { url, id: session } = await newSession(id);
    await stripe.checkout.sessions.expire(session);
    await expect(stripe.checkout.sessions.expire(session)).rejects.toThrow(/status of expired/);
    expect((await stripe.checkout.sessions.list({ customer: id, status: 'open' })).data).toEqual([]);

    expect((await visit(url)).status).toBe(410);
    const late = await visit(url, card('4242424242424242'));

    expect([late.status, late.html.includes('Nothing was paid')]).toEqual([410, true]);
    expect(late.html).toContain('href="http://site.test/plans"');
  });

  test('requests consent for a card that needs it, and creates nothing when it is refused', async () => {
    const { id } = await stripe.customers.create();
    const { url } = await newSession(id);
    const challenged = await visit(url, card('4000002760003184'));
    expect(challenged.html).toContain('Visa ending in 3184');

    const refused = await visit(url, { action: 'refuse', held: heldIn(challenged.html) });

    expect([refused.status, refused.html.includes('was not confirmed')]).toEqual([402, true]);
    expect((await stripe.subscriptions.list({ customer: id, status: 'all' })).data).toEqual([]);
  });
});

describe('the invoice page', () => {
  async function waiting() {
    const { customer, subscription } = await aSubscriber('4000002760003184');
    const updated = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: LION }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    });
    const invoice = updated.latest_invoice;
    if (invoice === null || typeof invoice === 'string') throw new Error('The invoice is not expanded.');
    return { customer, subscription, url: invoice.hosted_invoice_url };
  }

  test('has its address for paper, where its style hides the controls and is white', async () => {
    const { url } = await waiting();

    const { html } = await visit(url);
    const style = await (await payments.visit(/href="([^"]+page\.css)"/.exec(html)?.[1] ?? '')).text();

    expect(html).toContain(`<p class="note address">${url}</p>`);
    expect(style).toMatch(/@media print \{\s*:root:root \{\s*color-scheme: light;\s*--ground: #fff;/);
  });

  test('stores no declined card', async () => {
    const { customer, url } = await waiting();
    const before = (await stripe.customers.listPaymentMethods(customer.id)).data.length;

    const declined = await visit(url, card('4000000000000002'));

    expect([declined.status, declined.html.includes('Your card was declined.')]).toEqual([402, true]);
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(before);
  });

  test('accepts a payment with consent, and links back to the site', async () => {
    const { subscription, url } = await waiting();
    const challenged = await visit(url, card('4000002760003184'));

    const paid = await visit(url, { action: 'consent', held: heldIn(challenged.html) });

    expect([paid.status, paid.html.includes('Paid on')]).toEqual([200, true]);
    expect(paid.html).toContain('href="http://site.test/plans"');
    expect((await stripe.subscriptions.retrieve(subscription.id)).items.data[0]?.price.id).toBe(LION);
  });
});

describe('the portal', () => {
  test('shows the plan, card, invoices and end, and redirects back', async () => {
    const { portal } = await aSubscriber();
    const { html } = await visit(portal.url);

    expect(html).toContain('Kat Bobcat');
    expect(html).toContain('Visa ending in 4242');
    expect((await visit(portal.url, { action: 'cancel' })).html).toContain('The plan ends on');
    expect((await visit(portal.url, { action: 'keep' })).html).toContain('The plan renews on');
    expect(html).toMatch(/<td><a href="[^"]+\/pay\/invoice\/in_[^"]+">TEST-\d{6}<\/a><\/td>.*\$29\.99.*Paid/);
    expect((await visit(portal.url, { action: 'back' })).location).toBe('http://site.test/account');
  });

  test('changes the card, but not to one that is declined', async () => {
    const { portal, subscription } = await aSubscriber();
    const change = (number: string) => visit(portal.url, { ...card(number), action: 'card' });
    expect((await change('4000000000000002')).html).toContain('Your card was declined.');

    expect((await change('5555555555554444')).html).toContain('Mastercard ending in 4444');

    const { default_payment_method } = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['default_payment_method'],
    });
    expect(default_payment_method).toMatchObject({ card: { brand: 'mastercard' } });
  });

  test('explains why it cannot cancel a plan with a scheduled change', async () => {
    const { portal, subscription } = await aSubscriber();
    await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });

    const refused = await visit(portal.url, { action: 'cancel' });

    expect([refused.status, refused.html.includes('already scheduled')]).toEqual([402, true]);
  });
});
