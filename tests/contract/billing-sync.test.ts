/** Rows of subscriptions and cards follow the payment provider, and nothing else. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openAlarms } from '../../server/billing/alarms.ts';
import { customerStore } from '../../server/billing/checkout/customer-store.ts';
import { openProviderCall, type ProviderCall } from '../../server/billing/provider/provider-call.ts';
import { cardStore, subscriptionStore } from '../../server/billing/subscriptions/subscription-store.ts';
import { openSubscriptionSync } from '../../server/billing/subscriptions/subscription-sync.ts';
import { testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';

const DAY_S = 86_400;
const nowS = () => Math.floor(Date.now() / 1000);

describeBothAtNight('the sync', (kind) => {
  const world = sharedBillingWorld(kind);

  afterEach(async () => {
    await world().control('DELETE', '/faults');
    await world().control('POST', '/webhooks', {});
    await world().control('POST', '/webhooks/release');
  });

  /** With a separate clock, which moves only when the test moves it. */
  async function aSubscriber(name: string, plan: keyof typeof PRICES = 'bobcat', startS = nowS()) {
    const person = await world().signUp(name);
    const clock = await world().stripe.testHelpers.testClocks.create({ frozen_time: startS });
    await world().control('POST', '/clock', { default_test_clock: clock.id });
    await world().call(person, 'stripe-bootstrap');
    await world().control('POST', '/clock', { default_test_clock: null });
    const id = await world().buy(person, plan);
    await world().settled();
    const advance = async (toS: number) => {
      await world().stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: toS });
      await world().settled();
    };
    const customer = z.string().parse((await world().row(person))?.customer_id);
    return { person, id, customer, advance };
  }

  /** A second sync beside the server's. */
  function syncBy(call: ProviderCall, mode: 'sandbox' | 'live') {
    const { stripe, database } = world();
    return openSubscriptionSync({
      stripe,
      call,
      log: testLog,
      clock: { nowMs: Date.now },
      mode,
      notices: null,
      alarms: openAlarms({ database, log: testLog }),
      customers: customerStore(database, 'sandbox'),
      subscriptions: subscriptionStore(database, 'sandbox'),
      cards: cardStore(database),
    });
  }

  const alarmsOf = (subject: string) =>
    world().rows('select kind, count, details from public.billing_alarms where subject = $1', [subject]);

  test('follows a renewal, a cancellation and its end', async () => {
    const start = nowS();
    const { person, id, advance } = await aSubscriber('Ada', 'bobcat', start);
    await advance(start + 32 * DAY_S);
    expect(await world().disagreements(person)).toEqual([]);
    await world().stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await world().settled();
    expect(await world().row(person)).toMatchObject({ cancel_at_period_end: true, status: 'active' });

    await advance(start + 70 * DAY_S);

    expect(await world().row(person)).toMatchObject({ status: 'canceled', subscription_id: id });
    expect(await world().disagreements(person)).toEqual([]);
  });

  test('shows a cancellation of the provider’s own pages, which sets a moment and no flag', async () => {
    const { person, id, customer } = await aSubscriber('Ben');
    const portal = await world().stripe.billingPortal.sessions.create({ customer, return_url: `${world().url}/` });
    await fetch(portal.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action: 'cancel' }) });
    await world().settled();

    const theirs = await world().stripe.subscriptions.retrieve(id);
    expect([theirs.cancel_at_period_end, theirs.cancel_at === null]).toEqual([false, false]);
    expect(await world().row(person)).toMatchObject({ cancel_at_period_end: true });

    await world().stripe.subscriptions.update(id, { cancel_at: '' });
    await world().settled();
    expect(await world().row(person)).toMatchObject({ cancel_at_period_end: false });
  });

  test('ends access two hours after an immediate end, not at the end of the month', async () => {
    const { person, id } = await aSubscriber('Cleo', 'lion');
    const before = await world().row(person);
    await world().stripe.subscriptions.cancel(id);
    await world().settled();

    const after = await world().row(person);
    expect(after).toMatchObject({ status: 'canceled' });
    expect(Number(after?.current_period_end)).toBeLessThan(Number(before?.current_period_end) - 20 * DAY_S);
    expect(await world().disagreements(person)).toEqual([]);
  });

  test('has a downgrade pending until it has come, and never for a schedule that was only begun', async () => {
    const start = nowS();
    const { person, id, advance } = await aSubscriber('Dan', 'lion', start);
    const { stripe } = world();
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
    await world().settled();
    expect(await world().row(person)).toMatchObject({ pending_price_id: null, pending_subscription_id: null });

    const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
    const { current_period_start: start_date = 0, current_period_end: end_date = 0 } = item ?? {};
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        { items: [{ price: PRICES.lion, quantity: 1 }], start_date, end_date },
        { items: [{ price: PRICES.bobcat, quantity: 1 }], duration: { interval: 'month' }, proration_behavior: 'none' },
      ],
    });
    await world().settled();
    expect(await world().row(person)).toMatchObject({
      price_id: PRICES.lion,
      pending_price_id: PRICES.bobcat,
      pending_subscription_id: schedule.id,
    });

    await advance(end_date + DAY_S);

    expect((await stripe.subscriptions.retrieve(id)).schedule).toBe(schedule.id);
    expect(await world().row(person)).toMatchObject({ price_id: PRICES.bobcat, pending_price_id: null });
    expect(await world().disagreements(person)).toEqual([]);
  });

  test('keeps the newest view, though an older one is written last', async () => {
    const { person, id } = await aSubscriber('Eve');
    const plain = openProviderCall({ log: testLog });
    const gate = Promise.withResolvers<void>();
    const hasRead = Promise.withResolvers<void>();
    /** Its answer about the subscription takes long to arrive. */
    const late: ProviderCall = async (object, work) => {
      const answer = await plain(object, work);
      if (object === 'subscription') {
        hasRead.resolve();
        await gate.promise;
      }
      return answer;
    };
    const older = syncBy(late, 'sandbox').one(id);
    await hasRead.promise;
    await world().stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await world().settled();
    gate.resolve();

    expect((await older)?.after.cancelAtPeriodEnd).toBe(true);
    expect(await world().row(person)).toMatchObject({ cancel_at_period_end: true });
    expect(await world().disagreements(person)).toEqual([]);
  });

  test('keeps the cards: new ones, the default, and none that was taken away', async () => {
    const { person, customer } = await aSubscriber('Fay');
    const other = await aSubscriber('Faye');
    const [theirs] = (await world().stripe.customers.listPaymentMethods(other.customer)).data;
    await world().stripe.paymentMethods.detach(theirs?.id ?? '');
    await world().settled();
    expect(await world().disagreements(other.person)).toEqual([]);
    expect(await world().rows('select 1 from public.payment_methods where user_id = $1', [other.person.id])).toEqual(
      [],
    );

    const [card] = (await world().stripe.customers.listPaymentMethods(customer)).data;
    await world().stripe.customers.update(customer, { invoice_settings: { default_payment_method: card?.id ?? '' } });
    await world().settled();

    expect(
      await world().rows('select brand, last4, is_default from public.payment_methods where user_id = $1', [person.id]),
    ).toEqual([{ brand: 'visa', last4: '4242', is_default: true }]);
  });

  test('gives no plan for a price that is not ours, and raises an alarm', async () => {
    const { person, id } = await aSubscriber('Gus');
    const { stripe } = world();
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 1,
      product: 'prod_kat_lion',
      recurring: { interval: 'month' },
    });
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
    await stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', price: price.id }] });
    await world().settled();

    expect(await world().row(person)).toMatchObject({ price_id: price.id, status: 'active' });
    expect(await world().rows('select private.plan_of($1) as plan', [person.id])).toEqual([{ plan: 'free' }]);
    expect(await alarmsOf(id)).toMatchObject([{ kind: 'unmapped-price', details: { priceId: price.id } }]);
    expect(await world().disagreements(person)).toEqual([]);
  });

  test('refunds and ends the newer of two subscriptions, and notifies', async () => {
    const hal = await world().signUp('Hal');
    await world().call(hal, 'stripe-bootstrap');
    const customer = z.string().parse((await world().row(hal))?.customer_id);
    await world().control('POST', '/webhooks', { mode: 'hold' });
    // Two pages of the provider, made past the product, which would allow one.
    const urls: string[] = [];
    for (const price of [PRICES.bobcat, PRICES.lion]) {
      const { url } = await world().stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price, quantity: 1 }],
        success_url: `${world().url}/checkout/success`,
      });
      urls.push(url ?? '');
    }
    await world().pay(urls[0] ?? '');
    // The provider's list does not show the order within a second.
    await new Promise((wait) => setTimeout(wait, 1100));
    await world().pay(urls[1] ?? '');
    await world().control('POST', '/webhooks', {});
    await world().control('POST', '/webhooks/release');
    await world().settled();

    const all = (await world().stripe.subscriptions.list({ customer, status: 'all' })).data;
    const live = all.filter(({ status }) => status === 'active');
    const [ended] = all.filter(({ status }) => status === 'canceled');
    expect(live.map(({ items }) => items.data[0]?.price.id)).toEqual([PRICES.bobcat]);
    expect(await world().row(hal)).toMatchObject({ subscription_id: live[0]?.id, status: 'active' });
    const [payment] = (await world().stripe.invoicePayments.list({ invoice: String(ended?.latest_invoice) })).data;
    const intent = await world().stripe.paymentIntents.retrieve(z.string().parse(payment?.payment.payment_intent));
    const charge = await world().stripe.charges.retrieve(z.string().parse(intent.latest_charge));
    expect(charge).toMatchObject({ refunded: true, amount_refunded: 6999 });
    expect(await alarmsOf(ended?.id ?? '')).toMatchObject([{ kind: 'double-subscription' }]);
    expect(await world().disagreements(hal)).toEqual([]);
  });

  test('takes a subscription of a customer that it does not know for the user whom it names', async () => {
    const ida = await world().signUp('Ida');
    const { stripe } = world();
    const customer = await stripe.customers.create({ metadata: { user_id: ida.id } });
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: PRICES.lion, quantity: 1 }],
      success_url: `${world().url}/checkout/success`,
      subscription_data: { metadata: { user_id: ida.id } },
    });
    await world().pay(url ?? '');
    await world().settled();

    expect(await world().row(ida)).toMatchObject({ customer_id: customer.id, price_id: PRICES.lion, status: 'active' });
    expect(await world().disagreements(ida)).toEqual([]);
  });

  test('ends no plan paid with real money because the provider does not know it, and notifies', async () => {
    const jan = await world().signUp('Jan');
    await world().call(jan, 'stripe-bootstrap');
    // The customer's own events would look for the subscription too.
    await world().settled();
    await world().rows(
      `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_end, stripe_created)
       select 'sub_elsewhere', customer_id, $2, 'active', 4000000000, 1 from public.stripe_customers where user_id = $1`,
      [jan.id, PRICES.lion],
    );

    await syncBy(openProviderCall({ log: testLog }), 'live').one('sub_elsewhere');
    expect(await world().row(jan)).toMatchObject({ status: 'active' });
    expect(await alarmsOf('sub_elsewhere')).toMatchObject([{ kind: 'subscription-gone' }]);

    await syncBy(openProviderCall({ log: testLog }), 'sandbox').one('sub_elsewhere');
    expect(await world().row(jan)).toMatchObject({ status: 'canceled' });
  });

  test('raises an alarm for a subscription without a user, and takes its events all the same', async () => {
    const { stripe } = world();
    const customer = await stripe.customers.create({ name: 'Nobody' });
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: PRICES.lion, quantity: 1 }],
      success_url: `${world().url}/checkout/success`,
    });
    await world().pay(url ?? '');
    await world().settled();

    expect(await alarmsOf(customer.id)).toMatchObject([{ kind: 'unknown-customer' }]);
    expect(
      await world().rows('select 1 from public.stripe_subscriptions where customer_id = $1', [customer.id]),
    ).toEqual([]);
  });

  test('raises no alarm about another product’s customer on the same payment account', async () => {
    const { stripe } = world();
    const product = await stripe.products.create({ name: 'Another product' });
    const recurring = { interval: 'month' } as const;
    const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 900, recurring });
    const customer = await stripe.customers.create({ name: 'Not ours', metadata: { user_id: randomUUID() } });
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      client_reference_id: randomUUID(),
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: `${world().url}/checkout/success`,
    });
    await world().pay(url ?? '');
    await world().settled();
    const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data;
    const [payment] = (await stripe.invoicePayments.list({ invoice: invoice?.id ?? '' })).data;
    const refund = await stripe.refunds.create({ payment_intent: String(payment?.payment.payment_intent) });
    await world().settled();

    expect([...(await alarmsOf(customer.id)), ...(await alarmsOf(String(refund.charge)))]).toEqual([]);
    const failed = 'select type, last_error from public.stripe_events where last_error is not null';
    expect(await world().rows(failed)).toEqual([]);
  });
});
