/** What the server allows follows the subscription row at once: nothing of a plan is remembered between two calls. */
import { expect, test } from 'vitest';
import { GRACE_S } from '#domain/billing/subscription.ts';
import { SERVICE } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openPredictionWorld, STREAM, subscribe, type TestUser } from '../support/worlds/prediction-world.ts';

/** Asks for the Lion, which only its plan includes; it is not there in these tests, which is said only to who may ask. */
const LION_STREAM = STREAM.replace('ver=213', 'ver=214');

describeBothAtNight('a change of plan', (kind) => {
  const world = openedForTests(() => openPredictionWorld(kind));

  /** As the sync with the payment provider writes it. */
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

  test('buying opens the stream and brings the quota', async () => {
    const user = await world().user('free');
    expect(await codeOf(STREAM, user)).toBe('forecast/model-locked');

    await subscribe(world().database, user.id, 'bobcat', null, null);

    expect(await world().left(user)).toEqual({ daily: 10, monthly: 60 });
    expect(await codeOf(STREAM, user)).toBe('open');
  });

  test('an upgrade opens its models and raises what is left by what is used', async () => {
    const user = await world().user('bobcat');
    await (await world().stream(user)).rest();
    expect(await codeOf(LION_STREAM, user)).toBe('forecast/model-locked');

    await become(user, { price_id: 'price_kat_lion_monthly' });

    expect(await codeOf(LION_STREAM, user)).not.toBe('forecast/model-locked');
    expect(await world().left(user)).toEqual({ daily: 14, monthly: 299 });
  });

  // Which rows give no plan: domain/billing/entitlement.test.ts and tests/parity/plan-of.test.ts.
  test('an end past its grace closes what the plan had opened', async () => {
    const user = await world().user('lion');
    expect(await codeOf(STREAM, user)).toBe('open');

    await become(user, { status: 'canceled', endsInS: -GRACE_S - 60 });

    expect(await codeOf(STREAM, user)).toBe('forecast/model-locked');
    expect(await world().left(user)).toEqual({ daily: 0, monthly: 0 });
    const made = Array.from({ length: 200 }, (_, i) => ({ time: i * 60, open: 1, high: 1, low: 1, close: 1 }));
    expect(await world().save(user, made)).toMatchObject({ ok: false, reason: 'forecast/model-locked' });
  });
});
