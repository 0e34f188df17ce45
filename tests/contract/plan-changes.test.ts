/** Access follows the subscription row immediately: nothing about a plan is cached between two calls. */
import { expect, test } from 'vitest';
import { GRACE_S } from '#domain/billing/subscription.ts';
import { SERVICE } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openPredictionWorld, STREAM, subscribe, type TestUser } from '../support/worlds/prediction-world.ts';

/**
 * Requests the Lion's stream, which only its plan includes. These tests have no Lion model, which only users with
 * access learn.
 */
const LION_STREAM = STREAM.replace('ver=213', 'ver=214');

describeBothAtNight('a change of plan', (kind) => {
  const world = openedForTests(() => openPredictionWorld(kind));

  /** Writes the row as the sync with the payment provider does. */
  async function become(user: TestUser, change: { price_id?: string; status?: string; endsInS?: number }) {
    const endS = change.endsInS === undefined ? null : Math.floor(Date.now() / 1000) + change.endsInS;
    await world().database.query(
      SERVICE,
      `update public.stripe_subscriptions set price_id = coalesce($2, price_id), status = coalesce($3, status),
         current_period_end = coalesce($4, current_period_end) where customer_id = $1`,
      [`cus_${user.id}`, change.price_id ?? null, change.status ?? null, endS],
    );
  }

  const codeOf = async (path: string, user: TestUser) => {
    const response = await world().get(path, user.token);
    if (response.status === 200) {
      await response.body?.cancel();
      return 'open';
    }
    return ((await response.json()) as { code: string }).code;
  };

  test('opens the stream and brings the quota after a purchase', async () => {
    const user = await world().user('free');
    expect(await codeOf(STREAM, user)).toBe('forecast/model-locked');

    await subscribe(world().database, user.id, 'bobcat', null, null);

    expect(await world().left(user)).toEqual({ daily: 10, monthly: 60 });
    expect(await codeOf(STREAM, user)).toBe('open');
  });

  test("opens the upgrade's models, and subtracts past use from the new quota", async () => {
    const user = await world().user('bobcat');
    await (await world().stream(user)).rest();
    expect(await codeOf(LION_STREAM, user)).toBe('forecast/model-locked');

    await become(user, { price_id: 'price_kat_lion_monthly' });

    expect(await codeOf(LION_STREAM, user)).not.toBe('forecast/model-locked');
    expect(await world().left(user)).toEqual({ daily: 14, monthly: 299 });
  });

  // domain/billing/entitlement.test.ts and tests/parity/plan-of.test.ts test which rows give no plan.
  test('closes what the plan had opened once its grace period is over', async () => {
    const user = await world().user('lion');
    expect(await codeOf(STREAM, user)).toBe('open');

    await become(user, { status: 'canceled', endsInS: -GRACE_S - 60 });

    expect(await codeOf(STREAM, user)).toBe('forecast/model-locked');
    expect(await world().left(user)).toEqual({ daily: 0, monthly: 0 });
    const candles = Array.from({ length: 200 }, (_, i) => ({ time: i * 60, open: 1, high: 1, low: 1, close: 1 }));
    expect(await world().save(user, candles)).toMatchObject({ ok: false, reason: 'forecast/model-locked' });
  });
});
