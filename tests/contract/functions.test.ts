/** get-quota and create-prediction, called through the client library and directly. */
import { createClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { createPredictionAnswerSchema } from '#domain/forecast/prediction.ts';
import type { Candle } from '#domain/market/candle.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { SERVICE } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { candlesOf, openPredictionWorld, STREAM, type TestUser } from '../support/worlds/prediction-world.ts';

describeOneDatabase('functions', (kind) => {
  const world = openedForTests(() => openPredictionWorld(kind));

  /** A user who watched a forecast to its end, with the 200 candles to save. */
  async function watched(plan: 'bobcat' | 'lion' = 'bobcat') {
    const user = await world().user(plan);
    const events = await (await world().stream(user)).rest();
    const { history, start } = await world().fetchAgain(user, events[0]?.id?.split(':')[0] ?? '');
    return { user, candles: [...history, ...candlesOf(events)], band: start.band };
  }

  describe('the client library', () => {
    const client = (user: TestUser) => createClient(world().origin, 'anon', { accessToken: async () => user.token });

    test('returns the quota and the saved row that the client library expects', async () => {
      const { user, candles, band } = await watched();
      const body = { model: 'kat1', cryptocurrency: 'BTC', timeframe: '1min', data: candles };

      const quota = await client(user).functions.invoke('get-quota');
      const saved = await client(user).functions.invoke('create-prediction', { body });

      expect(quota).toMatchObject({ error: null, data: { ok: true, remaining_daily: 9, remaining_monthly: 59 } });
      const answer = createPredictionAnswerSchema.parse(saved.data);
      expect(answer).toMatchObject({
        ok: true,
        row: { user_id: user.id, model: 'kat1', cryptocurrency: 'BTC', timeframe: '1min' },
      });
      expect(answer.row?.data).toEqual(candles);
      expect(answer.row?.band).toEqual(band);
      expect(band.lower80).toHaveLength(50);
      expect(answer.row?.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*\+00:00$/);
    });

    test('delivers a refusal with its reason', async () => {
      const { user, candles } = await watched();
      const body = { model: 'kat1', cryptocurrency: 'BTC', timeframe: '1min', data: candles.slice(1) };

      const { data, error } = await client(user).functions.invoke('create-prediction', { body });

      expect(error).toBeNull();
      expect(data).toEqual({
        ok: false,
        reason: 'prediction/wrong-length',
        message: 'A prediction must have exactly 200 candles.',
      });
    });
  });

  describe('get-quota', () => {
    test.each([
      ['free', { ok: true, remaining_daily: 0, remaining_monthly: 0 }],
      ['admin', { ok: true, unlimited: true, remaining_daily: null, remaining_monthly: null }],
    ] as const)('returns the quota of a new %s user', async (plan, answer) => {
      const user = await world().user(plan);

      expect(await world().invoke(user, 'get-quota')).toEqual({ status: 200, ...answer });
    });

    test('answers GET as well, and refuses unauthenticated requests with 401', async () => {
      const user = await world().user('lion');

      expect((await world().get('/functions/v1/get-quota', user.token)).status).toBe(200);
      expect((await world().get('/functions/v1/get-quota', null)).status).toBe(401);
      expect((await world().get('/functions/v1/get-quota', `${user.id}.ended`)).status).toBe(401);
    });
  });

  describe('create-prediction', () => {
    test('returns the same row for a repeated save, without charging again', async () => {
      const { user, candles } = await watched();

      const first = await world().save(user, candles);
      const second = await world().save(user, candles);

      expect(second).toEqual(first);
      expect(await world().savedRows(user)).toHaveLength(1);
      expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
    });

    test('accepts the streamed candles without their volume', async () => {
      const { user, candles } = await watched();

      const saved = await world().save(
        user,
        candles.map(({ volume: _volume, ...rest }) => rest),
      );

      expect(saved).toMatchObject({ ok: true, row: { data: candles } });
    });

    test('refuses altered candles, saves nothing, and still accepts the streamed ones', async () => {
      const { user, candles } = await watched('lion');
      const changed: [string, Candle[], Record<string, unknown>?][] = [
        ['one price higher by a hair', candles.with(170, raised(at(candles, 170)))],
        ['one volume changed', candles.with(3, { ...at(candles, 3), volume: 1e9 })],
        ['two candles swapped', candles.with(10, at(candles, 11)).with(11, at(candles, 10))],
        ['everything a minute later', candles.map((one) => ({ ...one, time: one.time + 60 }))],
        ['another symbol', candles, { cryptocurrency: 'ETH' }],
        ['another timeframe', candles, { timeframe: '5min' }],
        ['another model of the plan', candles, { model: 'kat2_2' }],
        ['an unknown symbol', candles, { cryptocurrency: '__proto__' }],
      ];

      for (const [what, data, over] of changed) {
        const answer = await world().save(user, data, over);
        expect(answer, what).toMatchObject({ status: 200, ok: false, reason: 'prediction/not-streamed' });
        expect(await world().savedRows(user), what).toEqual([]);
      }

      expect((await world().save(user, candles)).ok).toBe(true);
    });

    test("refuses another user's streamed forecast, even in the same minute", async () => {
      const { candles } = await watched();
      const eve = await world().user('bobcat');

      const answer = await world().save(eve, candles);

      expect(answer).toMatchObject({ ok: false, reason: 'prediction/not-streamed' });
      expect(await world().left(eve)).toEqual({ daily: 10, monthly: 60 });
    });

    test('refuses a forecast that was not streamed to its end', async () => {
      const user = await world().user('bobcat');
      const response = await world().get(STREAM.replace('fbars=50', 'fbars=49'), user.token);
      await response.text();
      const shown = await world().forecasts.current('BINANCE', DEFAULT_SYMBOL, 'bobcat', new AbortController().signal);

      const answer = await world().save(user, [...shown.history, ...shown.path]);

      expect(answer).toMatchObject({ ok: false, reason: 'prediction/not-streamed' });
    });

    test('refuses 0, 199 and 201 candles as prediction/wrong-length', async () => {
      const { user, candles } = await watched();
      const more = [...candles, ...candles.map((c) => ({ ...c, time: c.time + 12_000 }))];

      for (const count of [0, 199, 201])
        expect(await world().save(user, more.slice(0, count)), `${count} candles`).toMatchObject({
          status: 200,
          ok: false,
          reason: 'prediction/wrong-length',
        });
    });

    test('refuses a locked model as forecast/model-locked and an admin as prediction/admin-saves-nothing', async () => {
      const { candles } = await watched();
      const bobcat = await world().user('bobcat');
      const admin = await world().user('admin');

      expect(await world().save(bobcat, candles, { model: 'kat2_4' })).toMatchObject({
        reason: 'forecast/model-locked',
      });
      expect(await world().save(admin, candles)).toMatchObject({ reason: 'prediction/admin-saves-nothing' });
    });

    test('returns 400 for invalid candles', async () => {
      const { user, candles } = await watched();
      const first = at(candles, 0);
      const changed: [string, Candle][] = [
        ['text for a price', { ...first, open: '1' as unknown as number }],
        ['a huge number', { ...first, high: 1e300 }],
        ['a low above the high', { ...first, low: first.high * 2 }],
        ['a time between minutes', { ...first, time: 61 }],
      ];

      for (const [what, candle] of changed)
        expect(await world().save(user, candles.with(0, candle)), what).toMatchObject({
          status: 400,
          code: 'request/invalid',
        });
    });

    test('returns 413 for more than 1 MiB', async () => {
      const { user, candles } = await watched();

      const answer = await world().save(user, candles, { more: 'x'.repeat(1024 * 1024) });

      expect(answer).toMatchObject({ status: 413, code: 'request/too-large' });
    });

    test('returns 401 without a token, with an expired one and after sign-out', async () => {
      const { user, candles } = await watched();

      for (const token of [`${user.id}.expired`, `${user.id}.ended`]) {
        expect(await world().save({ ...user, token }, candles)).toMatchObject({ status: 401 });
      }
      const bare = await fetch(`${world().origin}/functions/v1/create-prediction`, { method: 'POST', body: '{}' });
      expect(bare.status).toBe(401);
      expect(await bare.json()).toMatchObject({ code: 'auth/not-signed-in' });
    });

    test('saves a paid forecast after the plan has ended', async () => {
      const { user, candles } = await watched();
      await endPlan(user);

      expect(await world().save(user, candles)).toMatchObject({ ok: true });
      expect(await world().savedRows(user)).toHaveLength(1);
      expect((await world().get(STREAM, user.token)).status).toBe(403);
    });

    test('gives no quota back for a deleted row and does not save it again', async () => {
      const { user, candles } = await watched();
      await world().save(user, candles);
      await deleteRows(user);

      const answer = await world().save(user, candles);

      expect(answer).toMatchObject({ ok: false, reason: 'prediction/not-streamed' });
      expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
    });
  });

  async function endPlan(user: TestUser): Promise<void> {
    const text = `update public.stripe_subscriptions set status = 'canceled', current_period_end = 1 where customer_id = $1`;
    await world().database.query(SERVICE, text, [`cus_${user.id}`]);
  }

  async function deleteRows(user: TestUser): Promise<void> {
    await world().database.query(SERVICE, 'delete from public.user_predictions where user_id = $1', [user.id]);
  }
});

function at(candles: readonly Candle[], index: number): Candle {
  const candle = candles[index];
  if (!candle) throw new Error(`no candle ${index}`);
  return candle;
}

function raised(candle: Candle): Candle {
  return { ...candle, high: candle.high + 1e-9 };
}
