import { afterEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { updateQueue } from '../venues/transport/candle-stream.ts';
import type { CandleUpdate, Venue } from '../venues/venue.ts';
import type { CandleHistory } from './candle-history.ts';
import { openCandleHistory } from './live-candle-history.ts';

const BTC = symbolNamed('BTC');
const MSFT = symbolNamed('MSFT');
/** Wednesday 12 November 2025, 15:00 UTC. */
const NOON_S = 1_762_959_600;
const never = new AbortController().signal;

const aCandle = (timeS: number): Candle => ({ time: timeS, open: 100, high: 102, low: 99, close: 101, volume: 1 });

/** A venue whose history is everything closed by `nowS`, except the minutes it lacks. */
function setUp(symbol = BTC) {
  const state = {
    nowS: NOON_S + 5,
    monotonicMs: 0,
    calls: [] as number[],
    failure: null as AppError | null,
    lacks: new Set<number>(),
    delay: Promise.resolve(),
  };
  const queue = updateQueue<CandleUpdate>();
  const venue: Venue = {
    id: 'fake',
    attribution: 'Fake venue',
    delayS: 0,
    malformed: 0,
    supports: () => true,
    nowMs: () => state.nowS * 1000,
    async candles(_symbol, count) {
      state.calls.push(count);
      await state.delay;
      if (state.failure !== null) throw state.failure;
      const lastS = Math.floor(state.nowS / 60) * 60 - 60;
      const times = Array.from({ length: count }, (_, i) => lastS - (count - 1 - i) * 60);
      return times.filter((timeS) => !state.lacks.has(timeS)).map(aCandle);
    },
    updates: (_symbols, signal) => queue.drain(signal),
  };
  const history = openCandleHistory({
    venue,
    marketKind: () => 'simulated',
    symbols: SYMBOLS,
    log: createLogger('silent'),
    monotonicMs: () => state.monotonicMs,
  });
  opened.push(history);
  const lastTime = async (): Promise<number | undefined> =>
    (await history.latest(symbol, 450, never)).candles.at(-1)?.time;
  const send = async (timeS: number, isClosed: boolean): Promise<void> => {
    queue.push({ symbol, candle: aCandle(timeS), isClosed });
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { state, history, lastTime, send };
}

const opened: CandleHistory[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((history) => history.close()));
});

test('serves ten thousand readers of one minute with one call', async () => {
  const { state, history } = setUp();

  const slices = await Promise.all(Array.from({ length: 10_000 }, () => history.latest(BTC, 450, never)));

  expect(state.calls).toEqual([1499]);
  expect(slices.every((slice) => slice.candles.length === 450)).toBe(true);
  expect(slices[0]).toMatchObject({ marketKind: 'simulated', venueId: 'fake', isOpen: true });
  expect(slices[0]?.candles.at(-1)?.time).toBe(NOON_S - 60);
});

test('requests a minute that the stream did not report with one small call', async () => {
  const { state, lastTime } = setUp();
  await lastTime();

  state.nowS = NOON_S + 61;

  expect(await Promise.all([lastTime(), lastTime()])).toEqual([NOON_S, NOON_S]);
  expect(state.calls.slice(1)).toHaveLength(1);
  expect(state.calls[1]).toBeLessThan(10);
});

test('makes no call for a candle that the stream closed', async () => {
  const { state, lastTime, send } = setUp();
  await lastTime();

  state.nowS = NOON_S + 61;
  await send(NOON_S, true);

  expect(await lastTime()).toBe(NOON_S);
  expect(state.calls).toHaveLength(1);
});

test('never stores open candles', async () => {
  const { lastTime, send } = setUp();
  await lastTime();

  await send(NOON_S, false);

  expect(await lastTime()).toBe(NOON_S - 60);
});

test('fills a gap in the stream from history automatically', async () => {
  const { state, history, lastTime, send } = setUp();
  await lastTime();

  state.nowS = NOON_S + 241;
  await send(NOON_S + 180, true);

  const { candles } = await history.latest(BTC, 5, never);
  expect(candles.map((c) => c.time)).toEqual([-60, 0, 60, 120, 180].map((s) => NOON_S + s));
  expect(state.calls).toHaveLength(2);
});

test('fills a gap of an unread symbol only when it is read again', async () => {
  const { state, lastTime, send } = setUp();
  await lastTime();

  state.monotonicMs += 300_000;
  state.nowS = NOON_S + 241;
  await send(NOON_S + 180, true);
  expect(state.calls).toHaveLength(1);

  expect(await lastTime()).toBe(NOON_S + 180);
  expect(state.calls).toHaveLength(2);
});

test('requests a lost closed candle as soon as the next open one arrives', async () => {
  const { state, lastTime, send } = setUp();
  await lastTime();

  state.nowS = NOON_S + 65;
  await send(NOON_S + 60, false);

  expect(state.calls).toHaveLength(2);
  expect(await lastTime()).toBe(NOON_S);
});

test('requests a minute that the venue never has only once', async () => {
  const { state, lastTime } = setUp();
  await lastTime();

  state.lacks.add(NOON_S);
  state.nowS = NOON_S + 70;

  for (let i = 0; i < 5; i++) expect(await lastTime()).toBe(NOON_S - 60);
  expect(state.calls).toHaveLength(2);
});

test('retries a late venue, but not for every reader', async () => {
  const { state, lastTime } = setUp();
  await lastTime();
  state.lacks.add(NOON_S);
  state.nowS = NOON_S + 60.5;

  for (let i = 0; i < 20; i++) await lastTime();
  expect(state.calls).toHaveLength(2);
  state.lacks.clear();
  state.monotonicMs += 1000;

  expect(await lastTime()).toBe(NOON_S);
  expect(state.calls).toHaveLength(3);
});

test('tolerates a failing venue for one minute, then reports it, and recovers', async () => {
  const { state, lastTime } = setUp();
  await lastTime();
  state.failure = new AppError('venue/unavailable');

  state.nowS = NOON_S + 70;
  expect(await lastTime()).toBe(NOON_S - 60);
  state.nowS = NOON_S + 130;
  await expect(lastTime()).rejects.toMatchObject({ code: 'venue/unavailable' });
  state.failure = null;
  state.monotonicMs += 1000;

  expect(await lastTime()).toBe(NOON_S + 60);
});

test('reports a failing venue immediately without candles, with one call for all readers', async () => {
  const { state, history } = setUp();
  state.failure = new AppError('venue/unavailable', { details: { retryAfterS: 9 } });

  const answers = await Promise.allSettled(Array.from({ length: 100 }, () => history.latest(BTC, 450, never)));
  await expect(history.latest(BTC, 450, never)).rejects.toMatchObject({ details: { retryAfterS: 9 } });

  expect(answers.every((answer) => answer.status === 'rejected')).toBe(true);
  expect(state.calls).toHaveLength(1);
});

test('serves a share’s last candles outside its hours without further calls', async () => {
  const { state, history } = setUp(MSFT);
  state.nowS = Date.parse('2025-11-12T21:00:03Z') / 1000;
  const atClose = await history.latest(MSFT, 10, never);

  state.nowS = Date.parse('2025-11-13T03:00:00Z') / 1000;
  const atNight = await history.latest(MSFT, 10, never);

  expect(atNight.isOpen).toBe(false);
  expect(atNight.candles).toEqual(atClose.candles);
  expect(state.calls).toHaveLength(1);
});

test('keeps the shared call when one reader disconnects', async () => {
  const { state, history } = setUp();
  let release = (): void => {};
  state.delay = new Promise((resolve) => {
    release = resolve;
  });
  const leaving = new AbortController();
  const left = history.latest(BTC, 450, leaving.signal);
  const stays = history.latest(BTC, 450, never);

  leaving.abort();
  await expect(left).rejects.toThrow();
  release();

  expect((await stays).candles).toHaveLength(450);
  expect(state.calls).toHaveLength(1);
});

test('drops future candles and reloads history when the clock is set back by hours', async () => {
  const { state, history, lastTime, send } = setUp();
  await lastTime();
  state.nowS = NOON_S + 7200;
  await lastTime();

  state.nowS = NOON_S + 65;
  const { candles } = await history.latest(BTC, 450, never);
  state.nowS = NOON_S + 121;
  await send(NOON_S + 60, true);

  expect(candles.at(-1)?.time).toBe(NOON_S);
  expect(candles).toHaveLength(450);
  expect(await lastTime()).toBe(NOON_S + 60);
  expect(state.calls).toHaveLength(3);
});

test('hides a reopened minute without a call when the clock is set back by seconds', async () => {
  const { state, history, lastTime } = setUp();
  state.nowS = NOON_S + 65;
  await lastTime();

  state.nowS = NOON_S + 40;
  const { candles } = await history.latest(BTC, 450, never);

  expect(candles.at(-1)?.time).toBe(NOON_S - 60);
  expect(candles).toHaveLength(450);
  expect(state.calls).toHaveLength(1);
});

test('reloads history for waiting readers when the clock is set back during a call', async () => {
  const { state, lastTime } = setUp();
  await lastTime();
  state.nowS = NOON_S + 7200;
  await lastTime();
  let release = (): void => {};
  state.delay = new Promise((resolve) => {
    release = resolve;
  });
  state.nowS = NOON_S + 7265;
  const waiting = lastTime();

  state.nowS = NOON_S + 65;
  release();

  expect(await waiting).toBe(NOON_S);
});
