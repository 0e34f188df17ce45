/** The page after a payment: it may open before the provider's event, twice, late, or with another user's session. */
import { afterEach, expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { CARDS, PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { billingStories, DAY_S, failure, refusal } from './support/services/billing.ts';

describeOneDatabase('checkout-confirm', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, fault, undoFaults, callsAbout, withoutEvents } = billingStories(world);
  const NONE = refusal('billing/no-such-checkout');

  afterEach(undoFaults);

  test('knows of the payment before the provider has reported it, and the provider changes nothing afterwards', async () => {
    const ada = await buyer();
    const { url, sessionId } = (await ada.checkout('lion')).body;
    const before = await withoutEvents(async () => {
      await world().pay(String(url));

      const { data } = await ada.client.functions.invoke('checkout-confirm', { body: { session_id: sessionId } });

      expect(data).toEqual({ status: 'complete', plan: 'lion', subscription: await world().row(ada.person) });
      expect(data.subscription).toMatchObject({ user_id: ada.id, price_id: PRICES.lion, status: 'active' });
      expect(await world().disagreements(ada.person)).toEqual([]);
      expect(await slots(ada.id)).toEqual(['complete']);
      return data.subscription;
    });

    await ada.agree();
    expect(await world().row(ada.person)).toEqual(before);
  });

  test('can be called again at any time', async () => {
    const ada = await buyer();
    const { url, sessionId } = (await ada.checkout('bobcat')).body;
    await world().pay(String(url));
    const confirm = () => ada.call('checkout-confirm', { session_id: sessionId });

    const answers = await Promise.all([confirm(), confirm(), confirm()]);

    for (const answer of answers) expect(answer).toEqual(await confirm());
    await ada.agree();
  });

  test('says that nothing was paid yet, and that a page has run out', async () => {
    const ada = await buyer();
    const { url, sessionId } = (await ada.checkout('bobcat')).body;
    expect(await world().pay(String(url), CARDS.declined)).toMatchObject({ status: 402, location: null });
    const confirm = () => ada.call('checkout-confirm', { session_id: sessionId });
    expect(await confirm()).toMatchObject({
      status: 200,
      body: { status: 'open', plan: 'free', subscription: { subscription_id: null } },
    });

    await withoutEvents(async () => {
      await world().stripe.checkout.sessions.expire(String(sessionId));
      expect(await confirm()).toMatchObject({ status: 200, body: { status: 'expired', plan: 'free' } });
      expect(await slots(ada.id)).toEqual(['expired']);
    });
    await ada.agree();
  });

  test("reveals nothing of another user's session", async () => {
    const [ada, bob] = [await buyer(), await buyer()];
    const { url, sessionId } = (await ada.checkout('bobcat')).body;
    await world().pay(String(url));

    expect(await bob.call('checkout-confirm', { session_id: sessionId })).toEqual(NONE);
    expect(await bob.row()).toMatchObject({ subscription_id: null });
  });

  test('sends no request for what cannot be a session', async () => {
    const ada = await buyer();
    const calls = await callsAbout('nobody');

    for (const session_id of ['../customers', 'cs_', 'cs_test_1?expand[]=customer', 'sub_1', 'cs_test_ü'])
      expect(await ada.call('checkout-confirm', { session_id })).toEqual(NONE);
    expect(await calls()).toEqual([]);
    expect(await ada.call('checkout-confirm', { session_id: 'cs_test_unknown' })).toEqual(NONE);
    expect(await ada.call('checkout-confirm')).toMatchObject({ status: 400, body: { code: 'request/invalid' } });
  });

  test('knows a person who has never been a customer', async () => {
    const eve = await world().signUp('Eve');
    expect(await world().call(eve, 'checkout-confirm', { session_id: 'cs_test_1' })).toEqual(NONE);
  });

  test('says free for a subscription that has ended since', async () => {
    const ada = await buyer(Math.floor(Date.now() / 1000) - 200 * DAY_S);
    const { url, sessionId } = (await ada.checkout('bobcat')).body;
    await world().pay(String(url));
    const [subscription] = (await world().stripe.subscriptions.list({ customer: ada.customerId })).data;
    await world().stripe.subscriptions.cancel(subscription?.id ?? '');

    expect(await ada.call('checkout-confirm', { session_id: sessionId })).toMatchObject({
      status: 200,
      body: { status: 'complete', plan: 'free', subscription: { status: 'canceled' } },
    });
    await ada.agree();
  });

  test('survives a provider that is away for a moment, and says so when it is longer', async () => {
    const ada = await buyer();
    const { url, sessionId } = (await ada.checkout('bobcat')).body;
    await world().pay(String(url));
    const confirm = () => ada.call('checkout-confirm', { session_id: sessionId });
    const path = '/v1/checkout/sessions/';
    await fault({ method: 'GET', path, kind: 'http_429', times: 2 });
    expect(await confirm()).toMatchObject({ status: 200, body: { status: 'complete' } });

    await fault({ method: 'GET', path, kind: 'reset_before', times: 20 });
    expect(await confirm()).toEqual(failure(503, 'billing/provider-unavailable'));
    await undoFaults();
    expect(await confirm()).toMatchObject({ status: 200, body: { status: 'complete' } });
    await ada.agree();
  });

  async function slots(userId: string): Promise<unknown[]> {
    const rows = await world().rows(
      'select state from public.billing_checkouts where user_id = $1::text::uuid order by created_at',
      [userId],
    );
    return rows.map(({ state }) => state);
  }
});
