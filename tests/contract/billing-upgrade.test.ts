/** From Bobcat to Lion immediately, for the difference; and what happens when that payment does not go through. */
import { afterEach, expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { CARDS, PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { billingStories, failure, refusal } from './support/services/billing.ts';

describeOneDatabase('update-subscription to a higher plan', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, fault, undoFaults, watch, callsAbout, withoutEvents } = billingStories(world);
  const UPDATE = 'POST /v1/subscriptions/:id';
  const toLion = (subscription_id: string) => ({ subscription_id, new_price_id: PRICES.lion });
  const invoicesOf = async (subscription: string) =>
    (await world().stripe.invoices.list({ subscription })).data.map(({ amount_due, status }) => [amount_due, status]);

  afterEach(undoFaults);

  test('counts immediately, and is in the row before the answer', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat');
    await withoutEvents(async () => {
      const { data, error } = await ada.client.functions.invoke('update-subscription', { body: toLion(id) });

      expect(error).toBeNull();
      expect(data).toEqual({ ok: true, subscription: await world().row(ada.person) });
      expect(data.subscription).toMatchObject({ price_id: PRICES.lion, status: 'active', pending_price_id: null });
      expect(await world().disagreements(ada.person)).toEqual([]);
    });
    expect(await invoicesOf(id)).toEqual([
      [4000, 'paid'],
      [2999, 'paid'],
    ]);
    const { data } = await ada.client.functions.invoke('get-quota');
    expect(data).toMatchObject({ remaining_daily: 15 });
    await ada.agree();
  });

  test('is already done when requested again', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat');
    await ada.call('update-subscription', toLion(id));
    const calls = await watch();

    expect(await ada.call('update-subscription', toLion(id))).toMatchObject({ status: 200, body: { ok: true } });

    expect(await calls()).toEqual([]);
    await ada.agree();
  });

  test('waits for a card that needs consent: the plan stays, and paying the page brings the new one', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat', CARDS.consentAlways);

    const { body } = await ada.call('update-subscription', toLion(id));

    expect(body).toEqual({ ok: true, redirect_url: expect.stringMatching(/\/invoice\//) });
    expect(await ada.row()).toMatchObject({ price_id: PRICES.bobcat, status: 'active' });
    await ada.agree();

    const calls = await watch();
    expect((await ada.call('update-subscription', toLion(id))).body).toEqual(body);
    expect(await calls()).toEqual([]);

    await world().pay(String(body.redirect_url), CARDS.consentAlways);
    await ada.agree();
    expect(await ada.row()).toMatchObject({ price_id: PRICES.lion, status: 'active' });
  });

  test('waits for another card on the same page after a declined one', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat', CARDS.failsLater);

    const { body } = await ada.call('update-subscription', toLion(id));

    expect(body).toEqual({ ok: true, redirect_url: expect.any(String) });
    expect(await ada.price(id)).toBe(PRICES.bobcat);
    await world().pay(String(body.redirect_url), CARDS.good);
    await ada.agree();
    expect(await ada.row()).toMatchObject({ price_id: PRICES.lion, status: 'active' });
    expect(await invoicesOf(id)).toEqual([
      [4000, 'paid'],
      [2999, 'paid'],
    ]);
  });

  test('ends after a day without a payment, and can be requested again', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat', CARDS.failsLater);
    const first = await ada.call('update-subscription', toLion(id));
    const { start_date } = await world().stripe.subscriptions.retrieve(id);
    await ada.advanceTo(start_date + 86_400);

    const second = await ada.call('update-subscription', toLion(id));

    expect(second.body).toEqual({ ok: true, redirect_url: expect.any(String) });
    expect(second.body.redirect_url).not.toBe(first.body.redirect_url);
    await ada.agree();
  });

  test("leads to an unpaid renewal's payment and changes no plan", async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat', CARDS.failsLater);
    await ada.advanceTo(Number((await ada.row()).current_period_end) + 2 * 3600);
    await ada.agree();
    expect(await ada.row()).toMatchObject({ status: 'past_due' });
    const calls = await watch();

    const up = await ada.call('update-subscription', toLion(id));
    const same = await ada.call('update-subscription', { subscription_id: id, new_price_id: PRICES.bobcat });

    expect(up.body).toEqual({ ok: true, redirect_url: expect.any(String) });
    expect(same.body).toEqual(up.body);
    expect(await calls()).toEqual([]);
    await world().pay(String(up.body.redirect_url), CARDS.good);
    await ada.agree();
    expect(await ada.row()).toMatchObject({ status: 'active', price_id: PRICES.bobcat });
  });

  test('is refused while the subscription is to end, with a text that helps', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat');
    await ada.call('cancel-subscription', { subscription_id: id });
    const calls = await watch();

    for (const new_price_id of [PRICES.lion, PRICES.bobcat])
      expect(await ada.call('update-subscription', { subscription_id: id, new_price_id })).toEqual(
        refusal('billing/cancellation-pending'),
      );
    expect(await calls()).toEqual([]);
  });

  test("is refused for what has ended, for other prices, and for another user's subscription", async () => {
    const [ada, bob] = [await buyer(), await buyer()];
    const id = await ada.subscribe('bobcat');
    for (const new_price_id of ['price_none', 'FREE'])
      expect(await ada.call('update-subscription', { subscription_id: id, new_price_id })).toEqual(
        refusal('billing/unknown-price'),
      );

    const calls = await callsAbout(id);
    for (const new_price_id of [PRICES.lion, 'free'])
      expect(await bob.call('update-subscription', { subscription_id: id, new_price_id })).toEqual(
        refusal('billing/no-such-subscription'),
      );
    expect(await calls()).toEqual([]);

    await world().stripe.subscriptions.cancel(id);
    expect(await ada.call('update-subscription', toLion(id))).toEqual(refusal('billing/subscription-ended'));
    await ada.agree();
  });

  // What else is tried again, for every call alike: billing-provider-call.test.ts.
  test.each([
    ['an answer that is lost, again and again', { kind: 'reset_after', times: 6 }],
    ['too many calls', { kind: 'http_429', times: 2 }],
  ] as const)('is charged once through %s', async (_what, trouble) => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat');
    await ada.call('preview-invoice', toLion(id));
    await fault({ method: 'POST', path: `/v1/subscriptions/${id}`, ...trouble });

    expect(await ada.call('update-subscription', toLion(id))).toMatchObject({ status: 200, body: { ok: true } });

    expect(await ada.row()).toMatchObject({ price_id: PRICES.lion });
    expect(await invoicesOf(id)).toEqual([
      [4000, 'paid'],
      [2999, 'paid'],
    ]);
    await ada.agree();
  });

  test('is reported when it fails altogether, charges nothing, and works the next time', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat');
    await ada.call('preview-invoice', toLion(id));
    await fault({ method: 'POST', path: `/v1/subscriptions/${id}`, kind: 'reset_before', times: 20 });
    expect(await ada.call('update-subscription', toLion(id))).toEqual(failure(503, 'billing/provider-unavailable'));
    expect(await ada.row()).toMatchObject({ price_id: PRICES.bobcat });
    await undoFaults();

    expect(await ada.call('update-subscription', toLion(id))).toMatchObject({ status: 200, body: { ok: true } });
    expect(await invoicesOf(id)).toEqual([
      [4000, 'paid'],
      [2999, 'paid'],
    ]);
    await ada.agree();
  });

  test('takes away a schedule that has done its work', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('lion');
    await ada.call('update-subscription', { subscription_id: id, new_price_id: PRICES.bobcat });
    await ada.advanceTo(Number((await ada.row()).current_period_end) + 86_400);
    await ada.agree();
    expect(await ada.row()).toMatchObject({ price_id: PRICES.bobcat, pending_price_id: null });
    const calls = await watch();

    expect(await ada.call('update-subscription', toLion(id))).toMatchObject({ status: 200, body: { ok: true } });

    expect(await calls()).toEqual(['POST /v1/subscription_schedules/:id/release', UPDATE]);
    expect(await ada.row()).toMatchObject({ price_id: PRICES.lion, pending_price_id: null });
    await ada.agree();
  });
});
