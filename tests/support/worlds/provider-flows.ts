/**
 * `[A]` in a name marks an assumption from the provider's documentation. If it fails against the test mode, correct the
 * sandbox and everything built on it.
 */
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { type ProviderWorld, SUITE } from './provider-world.ts';

const { StripeInvalidRequestError, StripeRateLimitError } = Stripe.errors;
const DAY_S = 86_400;
/** A renewal's invoice is a draft for an hour. */
const CHARGED_S = 2 * 3600;
/** More calls than the test mode accepts in a second. */
const BURST = 60;
const BURST_OVER_MS = 1500;

export function providerFlows(world: () => ProviderWorld): void {
  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => 'nothing was refused',
      (error: unknown) => error,
    );
  let resting: ReturnType<ProviderWorld['subscriber']> | null = null;
  /** One subscriber for all tests that leave the subscription unchanged. */
  const restingSubscriber = () => {
    resting ??= world().subscriber('bobcat');
    return resting;
  };

  test("creates a customer once, with its user's name", async () => {
    const ada = await world().person();
    for (let time = 0; time < 2; time += 1)
      expect(await ada.call('stripe-bootstrap')).toEqual({ status: 200, body: { ok: true } });

    const id = String((await ada.row())?.customer_id);
    world().undoLater(() => world().stripe.customers.del(id));
    expect(await world().stripe.customers.retrieve(id)).toMatchObject({
      email: ada.email,
      metadata: { user_id: ada.id },
    });
    const { data } = await world().stripe.customers.list({ limit: 100 });
    expect(data.filter(({ metadata }) => metadata.user_id === ada.id)).toHaveLength(1);
  });

  test('opens a checkout, reuses it, and leads back with the placeholder unchanged [A] escaped, it stays so', async () => {
    const { stripe, url, prices } = world();
    const ada = await world().person();
    const pages = { success_url: `${url}/checkout/success`, cancel_url: `${url}/checkout/cancel` };
    const openCheckout = () => ada.call('stripe-checkout', { price_id: prices.bobcat, mode: 'subscription', ...pages });

    const { body } = await openCheckout();
    const sessionId = String(body.sessionId);
    const customer = String((await ada.row())?.customer_id);
    world().undoLater(() => stripe.customers.del(customer));
    world().undoLater(() => stripe.checkout.sessions.expire(sessionId));

    expect((await openCheckout()).body).toEqual(body);
    expect(await ada.call('checkout-confirm', { session_id: sessionId })).toMatchObject({ body: { status: 'open' } });
    const session = await stripe.checkout.sessions.retrieve(sessionId);
    expect(session).toMatchObject({ status: 'open', url: body.url, client_reference_id: ada.id });
    expect(session.success_url).toBe(`${pages.success_url}?session_id={CHECKOUT_SESSION_ID}`);

    const success_url = `${pages.success_url}?session_id=%7BCHECKOUT_SESSION_ID%7D`;
    const line_items = [{ price: prices.bobcat, quantity: 1 }];
    const escaped = await stripe.checkout.sessions.create({ mode: 'subscription', customer, line_items, success_url });
    world().undoLater(() => stripe.checkout.sessions.expire(escaped.id));
    expect(escaped.success_url).toBe(success_url);
  });

  test('reports a paid subscription by its events, whatever their order [A] created comes before paid', async () => {
    const ada = await restingSubscriber();

    expect(await ada.row()).toMatchObject({ status: 'active', price_id: world().prices.bobcat });
    const types = (await ada.events()).map(({ type }) => type).reverse();
    expect(types).toEqual(expect.arrayContaining(['customer.subscription.created', 'invoice.paid']));
    expect(types.indexOf('customer.subscription.created')).toBeLessThan(types.indexOf('invoice.paid'));
  });

  test('uses flexible billing by default [A]', async () => {
    const { stripe, prices, undoLater } = world();
    const { id: customer } = await stripe.customers.create({ name: SUITE });
    undoLater(() => stripe.customers.del(customer));

    const items = [{ price: prices.bobcat }];
    const { billing_mode } = await stripe.subscriptions.create({ customer, items, trial_period_days: 1 });

    expect(billing_mode.type).toBe('flexible');
  });

  test('charges an upgrade as previewed [A] one credit and one debit, the date under the parent', async () => {
    const { stripe, prices } = world();
    const ada = await world().subscriber('bobcat');
    const { itemId, startS } = await ada.period();
    await ada.advanceTo(startS + 10 * DAY_S);
    const raw = await stripe.invoices.createPreview({
      customer: ada.customer,
      subscription: ada.subscriptionId,
      subscription_details: { items: [{ id: itemId, price: prices.lion }], proration_behavior: 'always_invoice' },
    });
    expect(raw.lines.data.map(({ amount }) => Math.sign(amount)).sort()).toEqual([-1, 1]);
    expect(raw.parent?.subscription_details?.subscription_proration_date).toBe(startS + 10 * DAY_S);

    const { body } = await ada.change('preview-invoice', 'lion');
    expect(body).toMatchObject({ amount_due: raw.amount_due, currency: 'usd' });
    expect(await ada.change('update-subscription', 'lion')).toMatchObject({ body: { ok: true } });

    expect(await ada.settled()).toMatchObject({ price_id: prices.lion, status: 'active' });
    const [newest] = (await stripe.invoices.list({ subscription: ada.subscriptionId })).data;
    expect(newest).toMatchObject({ status: 'paid', amount_paid: body.amount_due });
  });

  test('rounds half a cent away from zero, on each line [A]', async () => {
    const ada = await restingSubscriber();
    const { itemId, startS, endS } = await ada.period();
    const { lines } = await world().stripe.invoices.createPreview({
      customer: ada.customer,
      subscription: ada.subscriptionId,
      subscription_details: {
        items: [{ id: itemId, price: world().prices.lion }],
        proration_behavior: 'always_invoice',
        proration_date: (startS + endS) / 2,
      },
    });

    expect(lines.data.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([-1500, 3500]);
  });

  test('continues a plan whose end was undone, and ends one whose end was not', async () => {
    const ada = await world().subscriber('lion');
    for (const [name, isSet] of [
      ['cancel-subscription', true],
      ['resume-subscription', false],
      ['cancel-subscription', true],
    ] as const) {
      expect(await ada.change(name)).toMatchObject({ body: { ok: true } });
      expect(await ada.settled()).toMatchObject({ status: 'active', cancel_at_period_end: isSet });
    }

    const { endS } = await ada.period();
    await ada.advanceTo(endS + 60);
    expect(await ada.settled()).toMatchObject({ status: 'canceled', current_period_end: endS });
  });

  test('shows and undoes an end by date, as the portal sets it, which leaves the flag alone [A]', async () => {
    const ada = await restingSubscriber();
    const { endS } = await ada.period();
    await world().stripe.subscriptions.update(ada.subscriptionId, { cancel_at: endS });

    expect(await ada.now()).toMatchObject({ cancel_at: endS, cancel_at_period_end: false });
    expect(await ada.settled()).toMatchObject({ cancel_at_period_end: true });
    expect(await ada.change('resume-subscription')).toMatchObject({ body: { ok: true } });
    expect(await ada.now()).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
  });

  test('refuses date and flag of the end together [A]', async () => {
    const ada = await restingSubscriber();
    const { endS } = await ada.period();
    const both = { cancel_at: endS, cancel_at_period_end: true };

    expect(await refusalOf(world().stripe.subscriptions.update(ada.subscriptionId, both))).toBeInstanceOf(
      StripeInvalidRequestError,
    );
    expect(await ada.now()).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
  });

  test('changes to a lower plan with the new period [A] its schedule stays a month more and refuses an end', async () => {
    const { stripe, prices } = world();
    const ada = await world().subscriber('lion');
    const { endS } = await ada.period();
    expect(await ada.change('update-subscription', 'bobcat')).toMatchObject({ body: { ok: true } });

    await ada.advanceTo(endS - 60);
    expect(await ada.settled()).toMatchObject({ price_id: prices.lion, pending_price_id: prices.bobcat });
    await ada.advanceTo(endS + CHARGED_S);
    expect(await ada.settled()).toMatchObject({ price_id: prices.bobcat, pending_price_id: null, status: 'active' });
    const { data } = await stripe.invoices.list({ subscription: ada.subscriptionId });
    expect(data.map(({ amount_paid }) => amount_paid)).toEqual([2999, 6999]);

    expect((await ada.now()).schedule).not.toBeNull();
    const refusal = await refusalOf(stripe.subscriptions.update(ada.subscriptionId, { cancel_at_period_end: true }));
    expect(refusal).toBeInstanceOf(StripeInvalidRequestError);
    expect(refusal).toMatchObject({ statusCode: 400, message: expect.stringMatching(/subscription schedule/i) });
    expect(await ada.change('cancel-subscription')).toMatchObject({ body: { ok: true } });
    expect(await ada.settled()).toMatchObject({ cancel_at_period_end: true, pending_price_id: null });
  });

  test('leaves an upgrade by a card that needs consent each time waiting on a page, and the plan unchanged [A]', async () => {
    const ada = await world().subscriber('bobcat');
    await ada.payBy('pm_card_authenticationRequired');

    const { body } = await ada.change('update-subscription', 'lion');

    expect(body).toEqual({ ok: true, redirect_url: expect.stringMatching(/^https?:/) });
    expect((await ada.now()).pending_update).not.toBeNull();
    expect(await ada.settled()).toMatchObject({ price_id: world().prices.bobcat, status: 'active' });
  });

  test('marks a failed renewal as past due, and as active again once it is paid', async () => {
    const { stripe } = world();
    const ada = await world().subscriber('bobcat');
    await ada.payBy('pm_card_chargeCustomerFail');
    await ada.settled();
    await ada.advanceTo((await ada.period()).endS + CHARGED_S);
    expect(await ada.settled()).toMatchObject({ status: 'past_due' });

    const payment_method = await ada.payBy('pm_card_visa');
    const [open] = (await stripe.invoices.list({ subscription: ada.subscriptionId, status: 'open' })).data;
    await stripe.invoices.pay(open?.id ?? '', { payment_method });
    expect(await ada.settled()).toMatchObject({ status: 'active' });
  });

  test('refuses too many calls as such, without the hint to try again [A]', async (context) => {
    const { stripe, crowd } = world();
    await crowd();
    const once = { maxNetworkRetries: 0 };
    const calls = Array.from({ length: BURST }, () => refusalOf(stripe.products.list({ limit: 1 }, once)));
    const refused = (await Promise.all(calls)).filter((outcome) => outcome instanceof Error);
    // Later calls, the cleanup above all, must not be refused too.
    await new Promise((wake) => setTimeout(wake, BURST_OVER_MS));
    if (refused.length === 0) context.skip(`skipped: none of ${BURST} simultaneous calls was refused`);

    for (const refusal of refused) {
      expect(refusal).toBeInstanceOf(StripeRateLimitError);
      expect(refusal).toMatchObject({ statusCode: 429, code: 'rate_limit' });
      expect(refusal).not.toHaveProperty(['headers', 'stripe-should-retry'], 'true');
    }
  });
}
