/** What the server allows follows the subscription row at once: nothing of a plan is remembered between two calls. */
import { describe, expect, test } from 'vitest';
import type { PlanName } from '#domain/billing/plans.ts';
import { GRACE_S } from '#domain/billing/subscription.ts';
import type { Candle } from '#domain/market/candle.ts';
import { SERVICE } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/day-database.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { candlesOf, openPredictionWorld, STREAM, subscribe, type TestUser } from '../support/prediction-world.ts';

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

  async function watched(user: TestUser): Promise<Candle[]> {
    const events = await (await world().stream(user)).rest();
    const { history } = await world().fetchAgain(user, events[0]?.id?.split(':')[0] ?? '');
    return [...history, ...candlesOf(events)];
  }

  test('buying opens the stream and brings the quota', async () => {
    const user = await world().user('free');
    expect(await codeOf(STREAM, user)).toBe('forecast/model-locked');

    await subscribe(world().database, user.id, 'bobcat', null, null);

    expect(await world().left(user)).toEqual({ daily: 10, monthly: 60 });
    expect(await codeOf(STREAM, user)).toBe('open');
  });

  test('an upgrade opens its models and raises what is left by what is used', async () => {
    const user = await world().user('bobcat');
    await watched(user);
    expect(await codeOf(LION_STREAM, user)).toBe('forecast/model-locked');

    await become(user, { price_id: 'price_kat_lion_monthly' });

    expect(await codeOf(LION_STREAM, user)).not.toBe('forecast/model-locked');
    expect(await world().left(user)).toEqual({ daily: 14, monthly: 299 });
  });

  describe.each<[string, Parameters<typeof become>[1]]>([
    ['an end at once, past its grace', { status: 'canceled', endsInS: -GRACE_S - 60 }],
    ['a payment that was never completed', { status: 'incomplete_expired' }],
    ['a price that sells no plan', { price_id: 'price_unknown' }],
  ])('%s', (_what, change) => {
    test.each<Exclude<PlanName, 'free'>>(['bobcat', 'lion'])('closes what %s had opened', async (plan) => {
      const user = await world().user(plan);
      expect(await codeOf(STREAM, user)).toBe('open');

      await become(user, { endsInS: 86_400 });
      await become(user, change);

      expect(await codeOf(STREAM, user)).toBe('forecast/model-locked');
      expect(await world().left(user)).toEqual({ daily: 0, monthly: 0 });
      const made = Array.from({ length: 200 }, (_, i) => ({ time: i * 60, open: 1, high: 1, low: 1, close: 1 }));
      expect(await world().save(user, made)).toMatchObject({ ok: false, reason: 'forecast/model-locked' });
    });
  });

  test('what was paid for and streamed can still be saved, once', async () => {
    const user = await world().user('bobcat');
    const candles = await watched(user);

    await become(user, { status: 'incomplete_expired' });

    expect(await world().save(user, candles)).toMatchObject({ ok: true });
    expect(await world().savedRows(user)).toHaveLength(1);
  });
});
