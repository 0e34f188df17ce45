/** What an upgrade costs now: the provider's own amount, and the same when it is made. */
import { afterEach, describe, expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { billingStories, DAY_S, failure, refusal } from './support/services/billing.ts';

const at = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;

describeOneDatabase('preview-invoice', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, fault, undoFaults, watch, callsAbout } = billingStories(world);

  afterEach(undoFaults);

  // From 29.99 to 69.99, by the second, each line rounded alone.
  test.each([
    { from: '2026-04-01', periodDays: 30, leftDays: 30, cents: 4000 },
    { from: '2026-04-01', periodDays: 30, leftDays: 20, cents: 2667 },
    { from: '2026-04-01', periodDays: 30, leftDays: 15, cents: 2000 },
    { from: '2026-04-01', periodDays: 30, leftDays: 10, cents: 1333 },
    { from: '2026-02-01', periodDays: 28, leftDays: 7, cents: 1000 },
    { from: '2026-03-01', periodDays: 31, leftDays: 7, cents: 903 },
  ])(
    'shows and charges $leftDays of $periodDays days left: $cents cents',
    async ({ from, periodDays, leftDays, cents }) => {
      const ada = await buyer(at(from));
      const subscription_id = await ada.subscribe('bobcat');
      const changedAtS = at(from) + (periodDays - leftDays) * DAY_S;
      await ada.advanceTo(changedAtS);

      const body = { subscription_id, new_price_id: PRICES.lion };
      const preview = await ada.client.functions.invoke('preview-invoice', { body });

      expect(preview).toMatchObject({ error: null });
      expect(preview.data).toEqual({ amount_due: cents, currency: 'usd', proration_date: changedAtS });
      // The provider's clock goes on by some cents; ours, by which a promise runs out, by a moment.
      await ada.advanceTo(changedAtS + 3 * 3600);
      expect(await ada.call('update-subscription', body)).toMatchObject({ status: 200, body: { ok: true } });
      const [invoice] = (await world().stripe.invoices.list({ subscription: subscription_id })).data;
      expect(invoice).toMatchObject({ amount_due: cents, amount_paid: cents, billing_reason: 'subscription_update' });
      await ada.agree();
    },
  );

  test('counts what the customer has in credit', async () => {
    const ada = await buyer();
    const subscription_id = await ada.subscribe('bobcat');
    await world().stripe.customers.update(ada.customerId, { balance: -500 });

    const preview = await ada.call('preview-invoice', { subscription_id, new_price_id: PRICES.lion });

    expect(preview.body.amount_due).toBe(3500);
  });

  test('changes nothing', async () => {
    const ada = await buyer();
    const subscription_id = await ada.subscribe('bobcat');
    const row = await ada.row();
    const calls = await watch();

    await ada.call('preview-invoice', { subscription_id, new_price_id: PRICES.lion });

    expect(await calls()).toEqual(['POST /v1/invoices/create_preview']);
    expect(await ada.row()).toEqual(row);
    await ada.agree();
  });

  test('holds its price for ten minutes and no longer', async () => {
    const ada = await buyer();
    const subscription_id = await ada.subscribe('bobcat');
    const body = { subscription_id, new_price_id: PRICES.lion };
    const { proration_date } = (await ada.call('preview-invoice', body)).body;
    const [quote] = await quotes(subscription_id);
    const validS = (Date.parse(String(quote?.expires_at)) - Date.now()) / 1000;
    expect(validS).toBeGreaterThan(590);
    expect(validS).toBeLessThanOrEqual(600);

    await world().rows(
      `update public.billing_quotes set expires_at = expires_at - interval '11 minutes' where subscription_id = $1`,
      [subscription_id],
    );
    const laterS = Number(proration_date) + 5 * DAY_S;
    await ada.advanceTo(laterS);
    await ada.call('update-subscription', body);

    const [invoice] = (await world().stripe.invoices.list({ subscription: subscription_id })).data;
    const { current_period_start: start, current_period_end: end } = await ada.row();
    const share = (Number(end) - laterS) / (Number(end) - Number(start));
    expect(invoice?.amount_due).toBe(Math.round(6999 * share) - Math.round(2999 * share));
    expect(await quotes(subscription_id)).toEqual([]);
    await ada.agree();
  });

  test('drops the price of the period before', async () => {
    const ada = await buyer(at('2026-04-01'));
    const subscription_id = await ada.subscribe('bobcat');
    const body = { subscription_id, new_price_id: PRICES.lion };
    await ada.call('preview-invoice', body);
    await ada.advanceTo(at('2026-05-02'));

    expect(await ada.call('update-subscription', body)).toMatchObject({ status: 200, body: { ok: true } });

    const [invoice] = (await world().stripe.invoices.list({ subscription: subscription_id })).data;
    // 30 of May's 31 days: 6773 - 2902.
    expect(invoice?.amount_due).toBe(3871);
    await ada.agree();
  });

  describe('refusals of a preview', () => {
    test('refuses everything but a move to a higher plan', async () => {
      const [ada, bob] = [await buyer(), await buyer()];
      const bobcat = { subscription_id: await ada.subscribe('bobcat'), new_price_id: PRICES.bobcat };
      const lion = { subscription_id: await bob.subscribe('lion'), new_price_id: PRICES.bobcat };

      expect(await ada.call('preview-invoice', bobcat)).toEqual(refusal('billing/not-previewable'));
      expect(await bob.call('preview-invoice', lion)).toEqual(refusal('billing/not-previewable'));
      expect(await ada.call('preview-invoice', { ...bobcat, new_price_id: 'free' })).toEqual(
        refusal('billing/unknown-price'),
      );
    });

    test('refuses a subscription that is to end, and one that has', async () => {
      const ada = await buyer();
      const body = { subscription_id: await ada.subscribe('bobcat'), new_price_id: PRICES.lion };
      await ada.call('cancel-subscription', body);
      expect(await ada.call('preview-invoice', body)).toEqual(refusal('billing/cancellation-pending'));

      await world().stripe.subscriptions.cancel(body.subscription_id);
      expect(await ada.call('preview-invoice', body)).toEqual(refusal('billing/subscription-ended'));
      await ada.agree();
    });

    test("refuses another user's subscription, without a call to the provider", async () => {
      const [ada, bob] = [await buyer(), await buyer()];
      const subscription_id = await ada.subscribe('bobcat');
      const calls = await callsAbout(subscription_id);

      const answer = await bob.call('preview-invoice', { subscription_id, new_price_id: PRICES.lion });

      expect(answer).toEqual(refusal('billing/no-such-subscription'));
      expect(await calls()).toEqual([]);
    });
  });

  test('reports an unavailable provider', async () => {
    const ada = await buyer();
    const subscription_id = await ada.subscribe('bobcat');
    await fault({ method: 'POST', path: '/v1/invoices/create_preview', kind: 'reset_before', times: 20 });

    const answer = await ada.call('preview-invoice', { subscription_id, new_price_id: PRICES.lion });

    expect(answer).toEqual(failure(503, 'billing/provider-unavailable'));
    await ada.agree();
  });

  const quotes = (subscriptionId: string) =>
    world().rows('select expires_at from public.billing_quotes where subscription_id = $1', [subscriptionId]);
});
