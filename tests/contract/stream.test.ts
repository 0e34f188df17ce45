/**
 * GET /stream-kat2 over a real socket and a real database: what it sends, whom it refuses, and what it resumes after
 * a break.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { streamStartSchema } from '#domain/forecast/stream-message.ts';
import { candleSchema } from '#domain/market/candle.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { candlesOf, openPredictionWorld, STREAM, type TestUser } from '../support/worlds/prediction-world.ts';

describeBothAtNight('streams', (kind) => {
  const world = openedForTests(() => openPredictionWorld(kind));

  async function refusal(user: TestUser | null, path: string, headers?: Record<string, string>): Promise<unknown[]> {
    const response = await world().get(path, user?.token ?? null, headers);
    const body = (await response.json()) as { code: string; details?: { parameter?: string } };
    const parameter = body.details?.parameter;
    return [response.status, body.code, ...(parameter === undefined ? [] : [parameter])];
  }

  describe('events', () => {
    test('sends start, then 50 unnamed candle messages, each with an id', async () => {
      const user = await world().user('lion');

      const response = await world().get(STREAM, user.token);
      const events = (await response.text()).split('\n\n').filter((block) => block !== '');

      expect(response.headers.get('content-type')).toContain('text/event-stream');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(events).toHaveLength(51);
      expect(events[0]).toMatch(/^event: start\nid: [0-9a-f-]{36}:0\ndata: \{/);
      expect(events[50]).toMatch(/^id: [0-9a-f-]{36}:50\ndata: \{"time":/);
    });

    test('names the reservation and the last real candle in start, before candles minute by minute', async () => {
      const user = await world().user('lion');

      const events = await (await world().stream(user)).rest();
      const start = streamStartSchema.parse(events[0]?.data);
      const candles = candlesOf(events).map((candle) => candleSchema.parse(candle));

      expect(start).toMatchObject({ exc: 'BINANCE', sym: 'BTCUSDT.P', model: 'bobcat', ampPercent: 100 });
      expect(events[0]?.id).toBe(`${start.reservationId}:0`);
      expect(candles.map((candle) => candle.time)).toEqual(
        Array.from({ length: 50 }, (_, i) => start.t0 + 60 * (i + 1)),
      );
      expect(start.band.upper95).toHaveLength(50);
    });

    test('sends candles of the timeframe in the query, and one minute as without it', async () => {
      const user = await world().user('lion');
      const textOf = async (path: string) => {
        const text = await (await world().get(path, (await world().user('lion')).token)).text();
        return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id');
      };

      const events = await (await world().stream(user, {}, '&tf=15min')).rest();
      const start = streamStartSchema.parse(events[0]?.data);

      expect(start).toMatchObject({ timeframe: '15min', sym: 'BTCUSDT.P' });
      expect(candlesOf(events).map((candle) => candle.time)).toEqual(
        Array.from({ length: 50 }, (_, i) => start.t0 + 900 * (i + 1)),
      );
      expect(await textOf(`${STREAM}&tf=1min`)).toBe(await textOf(STREAM));
      expect(await textOf(STREAM)).not.toContain('timeframe');
    });

    test('sends as many candles as requested', async () => {
      const user = await world().user('lion');

      const response = await world().get(STREAM.replace('fbars=50', 'fbars=7'), user.token);

      expect((await response.text()).match(/^data:/gm)).toHaveLength(8);
    });

    test('shares one computation among all viewers of a minute', async () => {
      world().forecasts.turnMinute();
      const users = await Promise.all(Array.from({ length: 5 }, () => world().user('bobcat')));
      const before = world().forecasts.computations;

      const streams = await Promise.all(users.map(async (user) => (await world().stream(user)).rest()));

      expect(world().forecasts.computations - before).toBe(1);
      expect(new Set(streams.map((events) => JSON.stringify(candlesOf(events)))).size).toBe(1);
    });

    test('amplifies the forecast for an admin, and reserves and saves nothing', async () => {
      const admin = await world().user('admin');
      const before = world().forecasts.computations;

      const response = await world().get(STREAM.replace('amp=100', 'amp=250'), admin.token);
      const text = await response.text();
      const saved = await world().save(admin, []);

      expect(text).toContain('"reservationId":null');
      expect(text).toContain('"ampPercent":250');
      expect(text.match(/^data: \{"time"/gm)).toHaveLength(50);
      expect(text).not.toContain('\nid: ');
      expect(world().forecasts.computations - before).toBeLessThanOrEqual(1);
      expect(saved).toMatchObject({ ok: false });
      expect(await world().savedRows(admin)).toEqual([]);
    });
  });

  describe('a minute that was already forecast', () => {
    beforeAll(async () => {
      await (await world().stream(await world().user('lion'))).rest();
    });

    test('shows the forecast to an admin, and reserves nothing', async () => {
      const admin = await world().user('admin');
      const text = await (await world().get(STREAM, admin.token)).text();

      expect(text).toContain('"reservationId":null');
      expect(text.match(/^data: \{"time"/gm)).toHaveLength(50);
      expect(await world().savedRows(admin)).toEqual([]);
    });

    test('refuses a missing plan, amplification and a spent daily quota as before', async () => {
      const [free, spent] = [await world().user('free'), await world().user('bobcat')];
      for (let i = 0; i < 10; i++) {
        world().forecasts.turnMinute();
        await (await world().stream(spent)).rest();
      }
      world().forecasts.turnMinute();
      await (await world().stream(await world().user('lion'))).rest();

      expect(await refusal(free, STREAM)).toEqual([403, 'forecast/model-locked']);
      expect(await refusal(spent, STREAM)).toEqual([403, 'quota/daily-spent']);
      expect(await refusal(spent, STREAM.replace('amp=100', 'amp=99'))).toEqual([
        400,
        'forecast/amplify-refused',
        'amp',
      ]);
    });
  });

  describe('refusals', () => {
    let lion: TestUser;
    beforeAll(async () => {
      lion = await world().user('lion');
    });

    test('refuses a visitor before any other check', async () => {
      expect(await refusal(null, '/stream-kat2?nonsense=1')).toEqual([401, 'auth/not-signed-in']);
    });

    test('refuses an expired token and an ended session', async () => {
      const expired = { ...lion, token: `${lion.id}.expired` };
      const ended = { ...lion, token: `${lion.id}.ended` };

      expect(await refusal(expired, STREAM)).toEqual([401, 'auth/bad-token']);
      expect(await refusal(ended, STREAM)).toEqual([401, 'auth/session-ended']);
    });

    test('refuses a token in the query, signed in or not', async () => {
      expect(await refusal(null, `${STREAM}&token=${lion.token}`)).toEqual([401, 'auth/not-signed-in']);
      expect(await refusal(lion, `${STREAM}&apikey=x`)).toEqual([400, 'request/invalid', 'apikey']);
    });

    test('refuses amplification by anyone but an admin', async () => {
      const path = STREAM.replace('amp=100', 'amp=101');

      expect(await refusal(lion, path)).toEqual([400, 'forecast/amplify-refused', 'amp']);
    });

    test('refuses a model outside the plan, and a free user', async () => {
      const bobcat = await world().user('bobcat');
      const free = await world().user('free');

      expect(await refusal(bobcat, STREAM.replace('213', '214'))).toEqual([403, 'forecast/model-locked']);
      expect(await refusal(free, STREAM)).toEqual([403, 'forecast/model-locked']);
    });

    test.each(['212', '214'])('refuses version %s without a trained model, without a charge', async (ver) => {
      const before = await world().left(lion);

      expect(await refusal(lion, STREAM.replace('213', ver))).toEqual([503, 'forecast/not-trained']);
      expect(await world().left(lion)).toEqual(before);
    });

    test('refuses a HEAD request, which would charge for an unread stream', async () => {
      const before = await world().left(lion);
      const headers = { authorization: `Bearer ${lion.token}` };

      const response = await fetch(world().origin + STREAM, { method: 'HEAD', headers });

      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET');
      expect(await world().left(lion)).toEqual(before);
    });

    test('refuses any other method with 405, with or without a token', async () => {
      for (const path of [STREAM, '/forecast/reservations', '/forecast/reservations/1']) {
        const response = await fetch(world().origin + path, { method: 'POST' });

        expect(response.status, path).toBe(405);
        expect(response.headers.get('allow'), path).toMatch(/^GET/);
        expect(await response.json(), path).toMatchObject({ code: 'request/method-not-allowed' });
      }
    });
  });

  test('reports a failed forecast as JSON, without a charge', async () => {
    const user = await world().user('bobcat');
    world().forecasts.failNext = new AppError('venue/unavailable');

    const answer = await refusal(user, STREAM);

    expect(answer).toEqual([503, 'venue/unavailable']);
    expect(await world().left(user)).toEqual({ daily: 10, monthly: 60 });
  });

  test('hides the reason of an unexpected fault, without a charge', async () => {
    const user = await world().user('bobcat');
    world().forecasts.failNext = new Error('secret path');

    const response = await world().get(STREAM, user.token);

    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(await world().left(user)).toEqual({ daily: 10, monthly: 60 });
  });

  test('refuses a user without quota before computing anything', async () => {
    const user = await world().user('bobcat');
    for (let i = 0; i < 10; i++) {
      world().forecasts.turnMinute();
      await (await world().stream(user)).rest();
    }
    world().forecasts.turnMinute();
    // The first symbol was reserved a moment ago, so this requests another one.
    const other = STREAM.replace('BTCUSDT.P', 'ETHUSDT.P');
    const before = world().forecasts.computations;

    const answers = [await refusal(user, other), await refusal(user, STREAM)];

    expect(answers).toEqual([
      [403, 'quota/daily-spent'],
      [403, 'quota/daily-spent'],
    ]);
    expect(world().forecasts.computations - before).toBeLessThanOrEqual(1);
    expect(await world().left(user)).toEqual({ daily: 0, monthly: 50 });
  });

  test("repeats the day's last forecast in its minute, without another unit", async () => {
    const user = await world().user('bobcat');
    for (let i = 0; i < 9; i++) {
      world().forecasts.turnMinute();
      await (await world().stream(user)).next();
    }
    world().forecasts.turnMinute();

    const first = candlesOf(await (await world().stream(user)).rest());
    const again = candlesOf(await (await world().stream(user)).rest());

    expect(again).toEqual(first);
    expect(await world().left(user)).toEqual({ daily: 0, monthly: 50 });
  });

  test('counts forecasts of every timeframe in one quota, each once for its candle', async () => {
    const user = await world().user('bobcat');
    world().forecasts.turnMinute();

    for (const more of ['', '&tf=5min', '&tf=15min', '&tf=5min', '&tf=1min']) {
      const events = await (await world().stream(user, {}, more)).rest();
      const { reservationId } = streamStartSchema.parse(events[0]?.data);
      const { history } = await world().fetchAgain(user, reservationId ?? '');
      const timeframe = more.slice(4) || '1min';
      const saved = await world().save(user, [...history, ...candlesOf(events)], { timeframe });
      expect(saved).toMatchObject({ ok: true, row: { timeframe, cryptocurrency: 'BTC' } });
    }

    expect(await world().left(user)).toEqual({ daily: 7, monthly: 57 });
    expect(await world().savedRows(user)).toHaveLength(3);
  });

  test('saves a forecast only under its own timeframe', async () => {
    const user = await world().user('bobcat');
    const events = await (await world().stream(user, {}, '&tf=5min')).rest();
    const { reservationId } = streamStartSchema.parse(events[0]?.data);
    const { history } = await world().fetchAgain(user, reservationId ?? '');

    for (const timeframe of ['1min', '15min', '10min', '']) {
      const answer = await world().save(user, [...history, ...candlesOf(events)], { timeframe });
      expect([timeframe, answer.ok]).toEqual([timeframe, false]);
    }
    expect(await world().savedRows(user)).toEqual([]);
  });

  test('lists and resumes a forecast with its timeframe, and no other', async () => {
    const user = await world().user('bobcat');
    const first = await (await world().stream(user, {}, '&tf=15min')).next();
    const lastEventId = `${first?.id?.split(':')[0]}:7`;

    const unsaved = await world().get('/forecast/reservations', user.token);
    expect(await unsaved.json()).toMatchObject({ reservations: [{ sym: 'BTCUSDT.P', timeframe: '15min' }] });
    for (const path of [STREAM, `${STREAM}&tf=5min`])
      expect(await refusal(user, path, { 'last-event-id': lastEventId })).toEqual([
        404,
        'forecast/unknown-reservation',
      ]);
    const rest = await (await world().stream(user, { 'last-event-id': lastEventId }, '&tf=15min')).rest();
    expect(candlesOf(rest)).toHaveLength(43);
  });

  test('repeats a forecast of a long candle for as long as it lasts, without quota', async () => {
    const user = await world().user('bobcat');
    for (let i = 0; i < 9; i++) {
      world().forecasts.turnMinute();
      await (await world().stream(user)).next();
    }
    await (await world().stream(user, {}, '&tf=15min')).rest();
    expect(await world().left(user)).toMatchObject({ daily: 0 });

    world().moveClock(12 * 60_000);

    const again = await (await world().stream(user, {}, '&tf=15min')).rest();
    expect(candlesOf(again)).toHaveLength(50);
    expect(await refusal(user, `${STREAM}&tf=5min`)).toEqual([403, 'quota/daily-spent']);
    world().moveClock(-12 * 60_000);
  });

  test('treats foreign, unknown and malformed event ids as unknown reservations', async () => {
    const ada = await world().user('bobcat');
    const ben = await world().user('bobcat');
    const id = (await (await world().stream(ada)).next())?.id?.split(':')[0];

    for (const lastEventId of [`${id}:3`, `${crypto.randomUUID()}:3`, 'nonsense', `${id}`, `${id}:-1`, "' or 1=1:3"]) {
      const by = lastEventId === `${id}:3` ? ben : ada;
      expect(await refusal(by, STREAM, { 'last-event-id': lastEventId })).toEqual([
        404,
        'forecast/unknown-reservation',
      ]);
    }
    expect(await refusal(ada, STREAM.replace('BTC', 'ETH'), { 'last-event-id': `${id}:3` })).toEqual([
      404,
      'forecast/unknown-reservation',
    ]);
    expect(await world().left(ben)).toEqual({ daily: 10, monthly: 60 });
  });
});
