/**
 * Broken connections, turned minutes, killed servers: nothing paid is lost, and nothing is charged twice. Paced as in
 * the browser, but faster.
 */
import { expect, test, vi } from 'vitest';
import { unsavedForecastsSchema } from '#domain/forecast/stream-message.ts';
import { joinPrediction } from '#domain/forecast/window.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { readEvents } from '../support/wire/event-reader.ts';
import { candlesOf, openPredictionWorld, STREAM, type TestUser } from '../support/worlds/prediction-world.ts';

const MINUTE_MS = 60_000;

describeOneDatabase('broken streams', (kind) => {
  const world = openedForTests(() => openPredictionWorld(kind, 10));

  /** Reads `count` events, then drops the connection as a killed browser does. */
  async function watchAndDrop(user: TestUser, count: number) {
    const killed = new AbortController();
    const response = await world().get(STREAM, user.token, {}, killed.signal);
    const reader = readEvents(response);
    const events = [];
    for (let i = 0; i < count; i++) events.push(await reader.next());
    killed.abort();
    const lastEventId = events.at(-1)?.id ?? '';
    return {
      lastEventId,
      reservationId: lastEventId.split(':')[0] ?? '',
      candles: candlesOf(events.flatMap((e) => e ?? [])),
    };
  }

  /** The server notices a dropped connection only after a while. Settling skips a row that the stream is still counting. */
  async function settledAfterTenMinutes(user: TestUser) {
    world().moveClock(11 * MINUTE_MS);
    return vi.waitFor(async () => {
      await world().predictions.settle();
      const rows = await world().savedRows(user);
      expect(rows).not.toEqual([]);
      return rows;
    });
  }

  test('resumes a dropped stream after its last candle, even in the next minute, and saves it', async () => {
    const user = await world().user('bobcat');
    const { lastEventId, reservationId, candles } = await watchAndDrop(user, 21);
    world().forecasts.turnMinute();

    const more = await (await world().stream(user, { 'last-event-id': lastEventId })).rest();
    const { history, forecast } = await world().fetchAgain(user, reservationId);
    const saved = await world().save(user, joinPrediction(history, [...candles, ...candlesOf(more)]));

    expect(more[0]).toMatchObject({ event: 'message', id: `${reservationId}:21` });
    expect([...candles, ...candlesOf(more)]).toEqual(forecast);
    expect(saved).toMatchObject({ ok: true });
    expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
  });

  test("saves a dropped stream's forecast after ten minutes", async () => {
    const user = await world().user('bobcat');
    const { reservationId } = await watchAndDrop(user, 6);
    const { history, forecast } = await world().fetchAgain(user, reservationId);

    const rows = await settledAfterTenMinutes(user);

    expect(rows).toHaveLength(1);
    expect(rows[0]?.data).toEqual([...history, ...forecast]);
    expect((await world().get(`/forecast/reservations/${reservationId}`, user.token)).status).toBe(404);
    expect((await world().save(user, [...history, ...forecast])).ok).toBe(true);
    expect(await world().savedRows(user)).toHaveLength(1);
    expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
  });

  test('charges for one candle seen, and saves all 200', async () => {
    const user = await world().user('bobcat');
    await watchAndDrop(user, 2);

    const rows = await settledAfterTenMinutes(user);

    expect(rows[0]?.data).toHaveLength(200);
    expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
  });

  test('resumes a stream on the next server after the first was killed', async () => {
    const user = await world().user('bobcat');
    const reader = await world().stream(user);
    const seen = [];
    for (let i = 0; i < 11; i++) seen.push(await reader.next());
    await world().restart();
    const lastEventId = seen.at(-1)?.id ?? '';

    const more = await (await world().stream(user, { 'last-event-id': lastEventId })).rest();

    expect(candlesOf(more)).toHaveLength(40);
    expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
  });

  test('saves once after the server was killed between the last candle and saving', async () => {
    const user = await world().user('bobcat');
    const events = await (await world().stream(user)).rest();
    const reservationId = events[0]?.id?.split(':')[0] ?? '';
    await world().restart();

    const stored = await world().fetchAgain(user, reservationId);
    const candles = [...stored.history, ...stored.forecast];
    const answers = await Promise.all([world().save(user, candles), world().save(user, candles)]);

    expect(stored).toMatchObject({ state: 'reserved', start: { reservationId } });
    expect(stored.forecast).toEqual(candlesOf(events));
    expect(answers[0]).toMatchObject({ ok: true });
    expect(answers[1]).toEqual(answers[0]);
    expect(await world().savedRows(user)).toHaveLength(1);
    expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
    expect((await world().fetchAgain(user, reservationId)).state).toBe('spent');
  });

  test('reports t0 and reserves the right history when the minute turns before the stream', async () => {
    const user = await world().user('bobcat');
    const shown = await world().forecasts.current('BINANCE', DEFAULT_SYMBOL, 'bobcat', new AbortController().signal);
    world().forecasts.turnMinute();
    const events = await (await world().stream(user)).rest();
    const start = events[0]?.data as { t0: number; reservationId: string };

    const wrong = await world().save(user, [...shown.history, ...candlesOf(events)]);
    const { history } = await world().fetchAgain(user, start.reservationId);
    const right = await world().save(user, [...history, ...candlesOf(events)]);

    expect(start.t0).toBe((shown.history.at(-1)?.time ?? 0) + 60);
    expect(wrong).toMatchObject({ status: 200, ok: false, reason: 'prediction/not-streamed' });
    expect(right).toMatchObject({ ok: true });
    expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
  });

  test('gives two simultaneous tabs the same forecast for one unit, and saves one row', async () => {
    const user = await world().user('bobcat');

    const tabs = await Promise.all([world().stream(user), world().stream(user)].map(async (tab) => (await tab).rest()));
    const [first, second] = tabs.map(candlesOf);
    const reservationId = tabs[0]?.[0]?.id?.split(':')[0] ?? '';
    const { history } = await world().fetchAgain(user, reservationId);
    await Promise.all([
      world().save(user, [...history, ...(first ?? [])]),
      world().save(user, [...history, ...(second ?? [])]),
    ]);

    expect(first).toEqual(second);
    expect(tabs[0]?.[0]?.id).toBe(tabs[1]?.[0]?.id);
    expect(await world().savedRows(user)).toHaveLength(1);
    expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
  });

  test('refuses a fourth open stream with 429 until one ends', async () => {
    const user = await world().user('bobcat');
    const killed = new AbortController();
    const open = await Promise.all([1, 2, 3].map(() => world().get(STREAM, user.token, {}, killed.signal)));

    const fourth = await world().get(STREAM, user.token);
    killed.abort();

    expect(open.map((response) => response.status)).toEqual([200, 200, 200]);
    expect(fourth.status).toBe(429);
    expect(fourth.headers.get('retry-after')).toBe('5');
    await expect.poll(async () => (await world().get(STREAM, user.token)).status).toBe(200);
    expect(await world().left(user)).toEqual({ daily: 9, monthly: 59 });
  });

  test('lists what a reopened page can still save', async () => {
    const user = await world().user('bobcat');
    const { reservationId } = await watchAndDrop(user, 3);
    world().moveClock(60_000);

    const listed = await (await world().get('/forecast/reservations?latest=1', user.token)).json();
    const others = await (
      await world().get('/forecast/reservations?latest=1', (await world().user('bobcat')).token)
    ).json();
    world().moveClock(-60_000);

    expect(listed).toMatchObject({
      reservations: [{ id: reservationId, label: 'BTC', model: 'kat1', sym: 'BTCUSDT.P' }],
    });
    const ageMs = unsavedForecastsSchema.parse(listed).reservations[0]?.ageMs;
    expect(ageMs).toBeGreaterThanOrEqual(60_000);
    expect(ageMs).toBeLessThan(90_000);
    expect(others).toEqual({ reservations: [] });
  });

  test("refuses to return another user's reservation, without charging", async () => {
    const ada = await world().user('bobcat');
    const ben = await world().user('lion');
    const { reservationId } = await watchAndDrop(ada, 2);

    const answers = await Promise.all([
      world().get(`/forecast/reservations/${reservationId}`, ben.token),
      world().get(`/forecast/reservations/${reservationId}`, null),
      world().get('/forecast/reservations/not-an-id', ben.token),
    ]);

    expect(answers.map((answer) => answer.status)).toEqual([404, 401, 404]);
    expect(await world().left(ben)).toEqual({ daily: 15, monthly: 300 });
  });
});
