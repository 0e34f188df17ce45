/** From Lion to Bobcat at the period's end: nothing changes before, nothing is paid back, and it can be undone. */
import { afterEach, describe, expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { billingStories, failure } from './support/services/billing.ts';

describeOneDatabase('update-subscription to a lower plan', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, fault, undoFaults, watch, withoutEvents } = billingStories(world);
  const CREATE = 'POST /v1/subscription_schedules';
  const PLAN = 'POST /v1/subscription_schedules/:id';
  const RELEASE = 'POST /v1/subscription_schedules/:id/release';
  const to = (plan: keyof typeof PRICES, subscription_id: string) => ({ subscription_id, new_price_id: PRICES[plan] });
  const PLANNED = {
    price_id: PRICES.lion,
    pending_price_id: PRICES.bobcat,
    pending_subscription_id: expect.stringMatching(/^sub_sched_/),
  };
  const NOTHING_PLANNED = { price_id: PRICES.lion, pending_price_id: null, pending_subscription_id: null };

  afterEach(undoFaults);

  /** On Lion, the move to Bobcat planned. */
  async function planned() {
    const ada = await buyer();
    const id = await ada.subscribe('lion');
    await ada.call('update-subscription', to('bobcat', id));
    expect(await ada.row()).toMatchObject(PLANNED);
    return { ada, id, endS: Number((await ada.row()).current_period_end) };
  }

  test('is planned: the plan stays, and nothing is charged or paid back', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('lion');
    await withoutEvents(async () => {
      const { data } = await ada.client.functions.invoke('update-subscription', { body: to('bobcat', id) });

      expect(data).toEqual({ ok: true, subscription: await world().row(ada.person) });
      expect(data.subscription).toMatchObject(PLANNED);
      expect(await world().disagreements(ada.person)).toEqual([]);
    });
    const { data } = await world().stripe.invoices.list({ subscription: id });
    expect(data.map(({ amount_due }) => amount_due)).toEqual([6999]);
    await ada.agree();
  });

  test('comes at the end and not a second before, at the lower price', async () => {
    const { ada, id, endS } = await planned();
    await ada.advanceTo(endS - 1);
    await ada.agree();
    expect(await ada.row()).toMatchObject(PLANNED);

    await ada.advanceTo(endS + 1);
    await ada.agree();
    expect(await ada.row()).toMatchObject({ price_id: PRICES.bobcat, pending_price_id: null, status: 'active' });

    await ada.advanceTo(endS + 2 * 3600);
    const { data } = await world().stripe.invoices.list({ subscription: id });
    expect(data.map(({ amount_due, status }) => [amount_due, status])).toEqual([
      [2999, 'paid'],
      [6999, 'paid'],
    ]);
    await ada.agree();
  });

  test('is already planned when requested again', async () => {
    const { ada, id } = await planned();
    const calls = await watch();

    expect(await ada.call('update-subscription', to('bobcat', id))).toMatchObject({ status: 200, body: { ok: true } });

    expect(await calls()).toEqual([]);
    await ada.agree();
  });

  test('is undone by a request for the present plan, and can be planned and undone again', async () => {
    const { ada, id } = await planned();
    const calls = await watch();

    for (let round = 0; round < 2; round += 1) {
      const undone = await ada.call('update-subscription', to('lion', id));
      expect(undone).toMatchObject({ status: 200, body: { ok: true, subscription: NOTHING_PLANNED } });
      await ada.call('update-subscription', to('bobcat', id));
      expect(await ada.row()).toMatchObject(PLANNED);
    }

    expect(await calls()).toEqual([RELEASE, CREATE, PLAN, RELEASE, CREATE, PLAN]);
    await ada.agree();
  });

  test('never takes effect after an undo', async () => {
    const { ada, id, endS } = await planned();
    await ada.call('update-subscription', to('lion', id));
    await ada.advanceTo(endS + 2 * 3600);

    expect(await ada.price(id)).toBe(PRICES.lion);
    await ada.agree();
  });

  test('gives way to the end of the subscription', async () => {
    const { ada, id } = await planned();

    const ended = await ada.call('cancel-subscription', { subscription_id: id });

    expect(ended).toMatchObject({
      status: 200,
      body: { ok: true, subscription: { ...NOTHING_PLANNED, cancel_at_period_end: true } },
    });
    await ada.agree();
  });

  test('stays planned when there is no cancellation to take back', async () => {
    const { ada, id } = await planned();
    const calls = await watch();

    const resumed = await ada.call('resume-subscription', { subscription_id: id });

    expect(resumed).toMatchObject({ status: 200, body: { ok: true, subscription: PLANNED } });
    expect(await calls()).toEqual([]);
    await ada.agree();
  });

  describe('a provider that fails between the two calls', () => {
    /** A schedule that is attached and changes nothing, as a crash between the two calls leaves it. */
    async function halfDone() {
      const ada = await buyer();
      const id = await ada.subscribe('lion');
      await world().stripe.subscriptionSchedules.create({ from_subscription: id });
      await ada.agree();
      expect(await ada.row()).toMatchObject(NOTHING_PLANNED);
      return { ada, id };
    }

    test('reports an error, plans nothing, and leaves nothing behind', async () => {
      const ada = await buyer();
      const id = await ada.subscribe('lion');
      const path = String.raw`/^\/v1\/subscription_schedules\/\w+$/`;
      await fault({ method: 'POST', path, kind: 'http_500', times: 20 });

      expect(await ada.call('update-subscription', to('bobcat', id))).toEqual(
        failure(503, 'billing/provider-unavailable'),
      );
      expect(await ada.row()).toMatchObject(NOTHING_PLANNED);
      expect((await world().stripe.subscriptions.retrieve(id)).schedule).toBeNull();

      expect(await ada.call('cancel-subscription', { subscription_id: id })).toMatchObject({ body: { ok: true } });
      await ada.agree();
    });

    test('completes half a plan by planning again', async () => {
      const { ada, id } = await halfDone();

      await ada.call('update-subscription', to('bobcat', id));

      expect(await ada.row()).toMatchObject(PLANNED);
      await ada.agree();
    });

    test.each([
      ['cancel-subscription', { cancel_at_period_end: true }],
      ['resume-subscription', { cancel_at_period_end: false }],
      ['update-subscription', { cancel_at_period_end: false }],
    ])('removes half a plan by %s', async (name, expected) => {
      const { ada, id } = await halfDone();

      const answer = await ada.call(name, to('lion', id));

      expect(answer).toMatchObject({ status: 200, body: { ok: true, subscription: expected } });
      expect((await world().stripe.subscriptions.retrieve(id)).schedule).toBeNull();
      await ada.agree();
    });

    test.each([
      ['the first answer', CREATE],
      ['the second answer', '/v1/subscription_schedules/sub_sched'],
    ])('plans it although %s is lost', async (_what, path) => {
      const ada = await buyer();
      const id = await ada.subscribe('lion');
      await fault({ method: 'POST', path: path.replace('POST ', ''), kind: 'reset_after', times: 2 });

      expect(await ada.call('update-subscription', to('bobcat', id))).toMatchObject({
        status: 200,
        body: { ok: true, subscription: PLANNED },
      });
      await ada.agree();
    });
  });
});
