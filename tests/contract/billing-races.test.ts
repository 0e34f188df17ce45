/** Many clicks, two tabs, two devices: the provider does each thing once, and every answer is true. */
import { afterEach, expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { billingStories } from './support/services/billing.ts';

describeOneDatabase('simultaneous requests', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, fault, undoFaults, watch } = billingStories(world);
  const UPDATE = 'POST /v1/subscriptions/:id';

  afterEach(undoFaults);

  const times = <T>(count: number, act: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)));

  test('make one of ten cancellations, and answer the others that it was set', async () => {
    const ada = await buyer();
    const subscription_id = await ada.subscribe('bobcat');
    const calls = await watch();

    const answers = await times(10, () => ada.call('cancel-subscription', { subscription_id }));

    expect(answers.map(({ body }) => body.ok)).toEqual(Array.from({ length: 10 }, () => true));
    expect(answers.filter(({ body }) => body.already_set === true)).toHaveLength(9);
    expect(await calls()).toEqual([UPDATE]);
    await ada.agree();
  });

  test('charge ten upgrades once', async () => {
    const ada = await buyer();
    const body = { subscription_id: await ada.subscribe('bobcat'), new_price_id: PRICES.lion };
    await ada.call('preview-invoice', body);
    const calls = await watch();

    const answers = await times(10, () => ada.call('update-subscription', body));

    for (const answer of answers)
      expect(answer.body).toMatchObject({ ok: true, subscription: { price_id: PRICES.lion } });
    expect(await calls()).toEqual([UPDATE]);
    const { data } = await world().stripe.invoices.list({ subscription: body.subscription_id });
    expect(data.map(({ amount_paid }) => amount_paid)).toEqual([4000, 2999]);
    await ada.agree();
  });

  test('make one plan of ten downgrades', async () => {
    const ada = await buyer();
    const body = { subscription_id: await ada.subscribe('lion'), new_price_id: PRICES.bobcat };
    const calls = await watch();

    const answers = await times(10, () => ada.call('update-subscription', body));

    for (const answer of answers)
      expect(answer.body).toMatchObject({ ok: true, subscription: { pending_price_id: PRICES.bobcat } });
    expect(await calls()).toEqual(['POST /v1/subscription_schedules', 'POST /v1/subscription_schedules/:id']);
    await ada.agree();
  });

  test('agree on ten returns from a payment', async () => {
    const ada = await buyer();
    const { url, sessionId } = (await ada.checkout('bobcat')).body;
    await world().pay(String(url));

    const answers = await times(10, () => ada.call('checkout-confirm', { session_id: sessionId }));

    for (const answer of answers) expect(answer.body).toMatchObject({ status: 'complete', plan: 'bobcat' });
    await ada.agree();
  });

  test('leave one of two pages when one tab buys Bobcat while another buys Lion', async () => {
    const ada = await buyer();

    const answers = await Promise.all([ada.checkout('bobcat'), ada.checkout('lion'), ada.checkout('bobcat')]);

    const open = await world().stripe.checkout.sessions.list({ customer: ada.customerId, status: 'open' });
    expect(open.data).toHaveLength(1);
    expect(answers.map(({ body }) => body.sessionId)).toContain(open.data[0]?.id);
    const paid = await Promise.all(answers.map(({ body }) => world().pay(String(body.url))));
    expect(paid.some(({ location }) => location !== null)).toBe(true);
    const live = await world().stripe.subscriptions.list({ customer: ada.customerId });
    expect(live.data).toHaveLength(1);
    await ada.agree();
  });

  test('make one subscription of two paid pages, and refund the other payment', async () => {
    const ada = await buyer();
    const { url, sessionId } = (await ada.checkout('bobcat')).body;
    // As another server process would have, that did not see the first in time.
    const other = await world().stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: ada.customerId,
      line_items: [{ price: PRICES.lion, quantity: 1 }],
      success_url: `${world().url}/checkout/success`,
      subscription_data: { metadata: { user_id: ada.id } },
    });
    await Promise.all([world().pay(String(url)), world().pay(String(other.url))]);

    await times(3, () => ada.call('checkout-confirm', { session_id: sessionId }));

    await world().settled();
    const all = await world().stripe.subscriptions.list({ customer: ada.customerId, status: 'all' });
    expect(all.data.map(({ status }) => status).sort()).toEqual(['active', 'canceled']);
    await ada.agree();
  });

  test('end a cancellation and an upgrade in one of two states, which the row shows', async () => {
    const ada = await buyer();
    const subscription_id = await ada.subscribe('bobcat');

    const [, upgrade] = await Promise.all([
      ada.call('cancel-subscription', { subscription_id }),
      ada.call('update-subscription', { subscription_id, new_price_id: PRICES.lion }),
    ]);

    const row = await ada.row();
    expect(row.cancel_at_period_end).toBe(true);
    expect(row.price_id).toBe(upgrade.body.ok === true ? PRICES.lion : PRICES.bobcat);
    await ada.agree();
  });

  test('leave the row as the provider has it after any mixture of clicks', async () => {
    const ada = await buyer();
    const subscription_id = await ada.subscribe('lion');
    const clicks: readonly (() => Promise<unknown>)[] = [
      () => ada.call('cancel-subscription', { subscription_id }),
      () => ada.call('resume-subscription', { subscription_id }),
      () => ada.call('update-subscription', { subscription_id, new_price_id: PRICES.bobcat }),
      () => ada.call('update-subscription', { subscription_id, new_price_id: PRICES.lion }),
      () => ada.call('preview-invoice', { subscription_id, new_price_id: PRICES.lion }),
    ];

    await times(15, async (index) => clicks[(index * 7) % clicks.length]?.());

    expect(await world().disagreements(ada.person)).toEqual([]);
    await ada.agree();
  });

  test("do not delay other users by one user's slow change", async () => {
    const [ada, bob] = [await buyer(), await buyer()];
    const [hers, his] = [await ada.subscribe('bobcat'), await bob.subscribe('bobcat')];
    await fault({ method: 'POST', path: `/v1/subscriptions/${hers}`, kind: 'slow', ms: 7000 });
    let isDone = false;
    const slow = ada.call('cancel-subscription', { subscription_id: hers }).then(() => {
      isDone = true;
    });

    await bob.call('cancel-subscription', { subscription_id: his });

    expect(isDone).toBe(false);
    await slow;
    await Promise.all([ada.agree(), bob.agree()]);
  });
});
