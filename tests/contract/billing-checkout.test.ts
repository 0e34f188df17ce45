/** Where a plan is bought: prices, addresses, one open session a user. */
import { afterEach, describe, expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { billingStories, failure, refusal } from './support/services/billing.ts';

describeOneDatabase('stripe-checkout', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, fault, undoFaults, watch, callsAbout, withoutEvents } = billingStories(world);
  const CREATE = 'POST /v1/checkout/sessions';
  const EXPIRE = 'POST /v1/checkout/sessions/:id/expire';
  const A_PAGE = { status: 200, body: { url: expect.stringMatching(/^http/), sessionId: expect.any(String) } };
  const sessions = () => world().stripe.checkout.sessions;

  afterEach(undoFaults);

  test('leads to a page where the plan is bought, and back with the session', async () => {
    const ada = await buyer();
    const { data, error } = await ada.client.functions.invoke('stripe-checkout', {
      body: {
        price_id: PRICES.bobcat,
        success_url: `${world().url}/checkout/success?from=plans`,
        cancel_url: `${world().url}/checkout/cancel`,
        mode: 'subscription',
      },
    });
    expect([error, Object.keys(data)]).toEqual([null, ['url', 'sessionId']]);

    const paid = await world().pay(data.url);

    expect(paid.location).toBe(`${world().url}/checkout/success?from=plans&session_id=${data.sessionId}`);
    const session = await sessions().retrieve(data.sessionId);
    expect(session).toMatchObject({ customer: ada.customerId, client_reference_id: ada.id, status: 'complete' });
    const [subscription] = (await world().stripe.subscriptions.list({ customer: ada.customerId })).data;
    expect(subscription).toMatchObject({ metadata: { user_id: ada.id }, billing_mode: { type: 'flexible' } });
    await ada.agree();
  });

  test('makes one session of ten clicks, and gives all of them its page', async () => {
    const ada = await buyer();
    const calls = await watch();

    const answers = await Promise.all(Array.from({ length: 10 }, () => ada.checkout('bobcat')));

    expect(answers[0]).toEqual(A_PAGE);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await calls()).toEqual([CREATE]);
  });

  test('refuses more clicks than anybody makes', async () => {
    const ada = await buyer();
    // The first of them is not done before the last has come.
    await fault({ method: 'POST', path: '/v1/checkout/sessions', kind: 'slow', ms: 2500 });

    const answers = await Promise.all(Array.from({ length: 24 }, () => ada.checkout('bobcat')));

    const refused = answers.filter(({ body }) => body.ok === false);
    expect(refused).toEqual(Array.from({ length: 4 }, () => refusal('billing/busy')));
  });

  test('closes the page of the first plan when another one is wanted', async () => {
    const ada = await buyer();
    const first = await ada.checkout('bobcat');
    const calls = await watch();

    const second = await ada.checkout('lion');

    expect(await calls()).toEqual([EXPIRE, CREATE]);
    expect((await world().pay(String(first.body.url))).location).toBeNull();
    expect((await world().pay(String(second.body.url))).location).toContain('/checkout/success');
    const confirmed = await ada.call('checkout-confirm', { session_id: second.body.sessionId });
    expect(confirmed.body).toMatchObject({ status: 'complete', plan: 'lion' });
    await ada.agree();
  });

  test('makes a separate page for a redirect to another page', async () => {
    const ada = await buyer();
    const first = await ada.checkout('bobcat');

    const second = await ada.checkout('bobcat', { success_url: `${world().url}/welcome` });

    expect(second.body.sessionId).not.toBe(first.body.sessionId);
    expect((await sessions().retrieve(String(first.body.sessionId))).status).toBe('expired');
  });

  test('makes another page after one has expired', async () => {
    const ada = await buyer();
    const first = await ada.checkout('bobcat');
    await withoutEvents(async () => {
      await sessions().expire(String(first.body.sessionId));

      const second = await ada.checkout('bobcat');

      expect(second).toEqual(A_PAGE);
      expect(second.body.sessionId).not.toBe(first.body.sessionId);
    });
  });

  test('makes another page after a server stopped in the middle, once that call has surely ended', async () => {
    const ada = await buyer();
    await world().rows(
      'insert into public.billing_checkouts (user_id, price_id, created_at) values ($1::text::uuid, $2, $3::text::timestamptz)',
      [ada.id, PRICES.bobcat, new Date().toISOString()],
    );
    expect(await ada.checkout('bobcat')).toEqual(refusal('billing/busy'));

    await world().rows(
      `update public.billing_checkouts set created_at = created_at - interval '1 minute' where user_id = $1::text::uuid`,
      [ada.id],
    );
    expect(await ada.checkout('bobcat')).toEqual(A_PAGE);
  });

  test('refuses a second subscription, also to one that is not known here yet', async () => {
    const ada = await buyer();
    const { body } = await ada.checkout('bobcat');
    await withoutEvents(async () => {
      await world().pay(String(body.url));
      expect(await ada.row()).toMatchObject({ subscription_id: null });

      expect(await ada.checkout('lion')).toEqual(refusal('billing/already-subscribed'));

      expect(await ada.row()).toMatchObject({ price_id: PRICES.bobcat, status: 'active' });
      expect(await world().disagreements(ada.person)).toEqual([]);
    });
  });

  test('sells again once the subscription has ended', async () => {
    const ada = await buyer();
    const subscriptionId = await ada.subscribe('bobcat');
    await world().stripe.subscriptions.cancel(subscriptionId);

    await ada.subscribe('lion');

    expect(await ada.row()).toMatchObject({ price_id: PRICES.lion, status: 'active' });
    await ada.agree();
  });

  test('has the new plan immediately, also while the event of the old one’s end is under way', async () => {
    const ada = await buyer();
    const subscriptionId = await ada.subscribe('bobcat');
    await world().settled();

    await withoutEvents(async () => {
      await world().stripe.subscriptions.cancel(subscriptionId);
      await ada.subscribe('lion');

      expect(await ada.row()).toMatchObject({ price_id: PRICES.lion, status: 'active' });
      expect(await world().disagreements(ada.person)).toEqual([]);
    });
    await ada.agree();
  });

  describe('refusals of a checkout', () => {
    test('refuses a price that is not on sale, without a call to the provider', async () => {
      const ada = await buyer();
      const penny = await world().stripe.prices.create({
        currency: 'usd',
        unit_amount: 1,
        product: 'prod_kat_lion',
        recurring: { interval: 'month' },
      });
      const calls = await callsAbout(ada.customerId);

      for (const price_id of [penny.id, 'free', 'price_none'])
        expect(await ada.checkout('bobcat', { price_id })).toEqual(refusal('billing/unknown-price'));
      expect(await calls()).toEqual([]);
    });

    test('refuses a price that is no longer sold', async () => {
      const ada = await buyer();
      const setActive = (isActive: boolean) =>
        world().rows('update public.billing_prices set active = $1 where price_id = $2', [isActive, PRICES.lion]);
      await setActive(false);
      try {
        expect(await ada.checkout('lion')).toEqual(refusal('billing/unknown-price'));
      } finally {
        await setActive(true);
      }
    });

    test.each([
      ['success_url', 'https://evil.example/'],
      ['cancel_url', 'https://evil.example/'],
      ['success_url', 'javascript:alert(1)'],
      ['cancel_url', '/checkout/cancel'],
    ])('refuses a %s of %s', async (field, address) => {
      const ada = await buyer();
      const calls = await callsAbout(ada.customerId);

      expect(await ada.checkout('bobcat', { [field]: address })).toEqual(failure(400, 'billing/foreign-address'));
      expect(await calls()).toEqual([]);
    });

    test('refuses a body that does not fit', async () => {
      const ada = await buyer();
      for (const changes of [
        { mode: undefined },
        { mode: 'payment' },
        { price_id: '' },
        { price_id: 7 },
        { cancel_url: null },
      ])
        expect(await ada.checkout('bobcat', changes)).toMatchObject({ status: 400, body: { code: 'request/invalid' } });
    });

    test('refuses a visitor', async () => {
      const ada = await buyer();
      const unknown = { ...ada.person, accessToken: 'none' };
      for (const name of [
        'stripe-checkout',
        'checkout-confirm',
        'update-subscription',
        'cancel-subscription',
        'billing-portal',
      ])
        expect((await world().call(unknown, name)).status).toBe(401);
    });
  });

  describe('a checkout while the provider fails', () => {
    // What else is tried again, for every call alike: billing-provider-call.test.ts.
    test.each([
      ['a lost answer', { kind: 'reset_after', times: 6 }],
      ['two calls too many', { kind: 'http_429', times: 2 }],
    ] as const)('opens one session in spite of %s', async (_what, trouble) => {
      const ada = await buyer();
      await fault({ method: 'POST', path: '/v1/checkout/sessions', ...trouble });

      const answer = await ada.checkout('bobcat');

      expect(answer).toEqual(A_PAGE);
      const open = await sessions().list({ customer: ada.customerId, status: 'open' });
      expect(open.data.map(({ id }) => id)).toEqual([answer.body.sessionId]);
    });

    test('reports a failure, and the next click succeeds', async () => {
      const ada = await buyer();
      await fault({ method: 'POST', path: '/v1/checkout/sessions', kind: 'http_500', times: 20 });
      expect(await ada.checkout('bobcat')).toEqual(failure(503, 'billing/provider-unavailable'));
      await undoFaults();

      expect(await ada.checkout('bobcat')).toEqual(A_PAGE);
    });
  });

  describe('stripe-checkout-url', () => {
    test('gives the page of the own open session, and of no other', async () => {
      const [ada, bob] = [await buyer(), await buyer()];
      const { url, sessionId: session_id } = (await ada.checkout('lion')).body;

      expect(await ada.call('stripe-checkout-url', { session_id })).toEqual({ status: 200, body: { url } });
      expect(await bob.call('stripe-checkout-url', { session_id })).toEqual(refusal('billing/no-such-checkout'));
      for (const none of ['cs_test_none', '../customers'])
        expect(await ada.call('stripe-checkout-url', { session_id: none })).toEqual(
          refusal('billing/no-such-checkout'),
        );

      await world().pay(String(url));
      expect(await ada.call('stripe-checkout-url', { session_id })).toEqual(refusal('billing/no-such-checkout'));
    });
  });
});
