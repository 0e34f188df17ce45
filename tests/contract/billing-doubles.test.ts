/** A second subscription of a customer: ended and paid back where two pages were paid for one plan, else left to a person. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { CARDS, PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { type Buyer, billingStories, DAY_S } from './support/services/billing.ts';

describeBothAtNight('a second subscription', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, withoutEvents } = billingStories(world);

  /** Past the product, which would refuse it. @returns the subscription's id */
  async function another(customer: string, price: string): Promise<string> {
    const { stripe, url } = world();
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price, quantity: 1 }],
      success_url: `${url}/checkout/success`,
    });
    await world().pay(session.url ?? '');
    return z.string().parse((await stripe.checkout.sessions.retrieve(session.id)).subscription);
  }
  const statusOf = async (id: string) => (await world().stripe.subscriptions.retrieve(id)).status;
  const refundsOf = async (customer: string) => {
    const { data } = await world().stripe.invoices.list({ customer });
    const charges: number[] = [];
    for (const { id } of data) {
      const payments = await world().stripe.invoicePayments.list({ invoice: id });
      for (const { payment } of payments.data) {
        if (payment.payment_intent === undefined) continue;
        const intent = await world().stripe.paymentIntents.retrieve(String(payment.payment_intent));
        if (intent.latest_charge === null) continue;
        charges.push((await world().stripe.charges.retrieve(String(intent.latest_charge))).amount_refunded);
      }
    }
    return charges.filter((amount) => amount > 0);
  };
  const alarmed = async (id: string) =>
    world().rows("select details from public.billing_alarms where kind = 'double-subscription' and subject = $1", [id]);
  const leftAlone = async (ada: Buyer, first: { id: string; status: string }, second: string) => {
    await ada.agree();
    expect([await statusOf(first.id), await statusOf(second)]).toEqual([first.status, 'active']);
    expect(await refundsOf(ada.customerId)).toEqual([]);
  };

  test('is ended and refunded when it was paid at the same time', async () => {
    const ada = await buyer();
    await withoutEvents(async () => {
      await ada.subscribe('bobcat');
      await another(ada.customerId, PRICES.bobcat);
    });
    await ada.agree();

    const statuses = (await world().stripe.subscriptions.list({ customer: ada.customerId, status: 'all' })).data;
    expect(statuses.map(({ status }) => status).toSorted()).toEqual(['active', 'canceled']);
    expect(await refundsOf(ada.customerId)).toEqual([2999]);
  });

  test('is no double when it pays while the first is no longer paid', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat', CARDS.failsLater);
    await ada.advanceTo(Math.floor(Date.now() / 1000) + 32 * DAY_S);
    await ada.agree();
    expect(await statusOf(id)).toBe('past_due');

    const second = await another(ada.customerId, PRICES.lion);

    await leftAlone(ada, { id, status: 'past_due' }, second);
    expect(await alarmed(second)).toHaveLength(1);
  });

  test('is left to a person when it came much later', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat');
    await ada.advanceTo(Math.floor(Date.now() / 1000) + DAY_S);

    const second = await another(ada.customerId, PRICES.lion);

    await leftAlone(ada, { id, status: 'active' }, second);
    expect(await alarmed(second)).toMatchObject([{ details: { kept: id, refunded: [] } }]);
  });

  test('is ignored when it is of something that is no plan', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat');
    const { id: product } = await world().stripe.products.create({ name: 'Something else' });
    const { id: price } = await world().stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
    });

    const second = await another(ada.customerId, price);

    await leftAlone(ada, { id, status: 'active' }, second);
    expect(await alarmed(second)).toEqual([]);
  });
});
