import { afterEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { updateQueue } from '../venues/transport/update-queue.ts';
import type { CandleUpdate, Venue } from '../venues/venue.ts';
import type { CandleHistory } from './candle-history.ts';
import { openCandleHistory } from './live-candle-history.ts';

const BTC = symbolNamed('BTC');
const MSFT = symbolNamed('MSFT');
/** Wednesday 12 November 2025, 15:00 UTC. */
const NOON_S = 1_762_959_600;
const never = new AbortController().signal;

const aCandle = (timeS: number): Candle => ({ time: timeS, open: 100, high: 102, low: 99, close: 101, volume: 1 });

/** A venue whose history is whatever has closed by `nowS`, but for the minutes it lacks. */
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

test('ten thousand readers of one minute cost one call', async () => {
  const { state, history } = setUp();

  const slices = await Promise.all(Array.from({ length: 10_000 }, () => history.latest(BTC, 450, never)));

  expect(state.calls).toEqual([1499]);
  expect(slices.every((slice) => slice.candles.length === 450)).toBe(true);
  expect(slices[0]).toMatchObject({ marketKind: 'simulated', venueId: 'fake', isOpen: true });
  expect(slices[0]?.candles.at(-1)?.time).toBe(NOON_S - 60);
});

test('a minute that turned without word from the stream is asked for, with a small call', async () => {
  const { state, lastTime } = setUp();
  await lastTime();

  state.nowS = NOON_S + 61;

  expect(await Promise.all([lastTime(), lastTime()])).toEqual([NOON_S, NOON_S]);
  expect(state.calls.slice(1)).toHaveLength(1);
  expect(state.calls[1]).toBeLessThan(10);
});

test('a candle that the stream closed costs no call', async () => {
  const { state, lastTime, send } = setUp();
  await lastTime();

  state.nowS = NOON_S + 61;
  await send(NOON_S, true);

  expect(await lastTime()).toBe(NOON_S);
  expect(state.calls).toHaveLength(1);
});

test('open candles are never kept', async () => {
  const { lastTime, send } = setUp();
  await lastTime();

  await send(NOON_S, false);

  expect(await lastTime()).toBe(NOON_S - 60);
});

test('a gap in the stream is filled from history without being asked', async () => {
  const { state, history, lastTime, send } = setUp();
  await lastTime();

  state.nowS = NOON_S + 241;
  await send(NOON_S + 180, true);

  const { candles } = await history.latest(BTC, 5, never);
  expect(candles.map((c) => c.time)).toEqual([-60, 0, 60, 120, 180].map((s) => NOON_S + s));
  expect(state.calls).toHaveLength(2);
});

test('a gap in the stream of what nobody reads any more costs no call until somebody does', async () => {
  const { state, lastTime, send } = setUp();
  await lastTime();

  state.monotonicMs += 300_000;
  state.nowS = NOON_S + 241;
  await send(NOON_S + 180, true);
  expect(state.calls).toHaveLength(1);

  expect(await lastTime()).toBe(NOON_S + 180);
  expect(state.calls).toHaveLength(2);
});

test('an open candle tells that the closed one before it was lost', async () => {
  const { state, lastTime, send } = setUp();
  await lastTime();

  state.nowS = NOON_S + 65;
  await send(NOON_S + 60, false);

  expect(state.calls).toHaveLength(2);
  expect(await lastTime()).toBe(NOON_S);
});

test('a minute that the venue lacks for good is asked for once', async () => {
  const { state, lastTime } = setUp();
  await lastTime();

  state.lacks.add(NOON_S);
  state.nowS = NOON_S + 70;

  for (let i = 0; i < 5; i++) expect(await lastTime()).toBe(NOON_S - 60);
  expect(state.calls).toHaveLength(2);
});

test('a venue that is late is asked again, but not by every reader', async () => {
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

test('a failing venue is forgiven one minute, then told of, and found again', async () => {
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

test('without any candle a failing venue is told of at once, and not asked by every reader', async () => {
  const { state, history } = setUp();
  state.failure = new AppError('venue/unavailable', { details: { retryAfterS: 9 } });

  const answers = await Promise.allSettled(Array.from({ length: 100 }, () => history.latest(BTC, 450, never)));
  await expect(history.latest(BTC, 450, never)).rejects.toMatchObject({ details: { retryAfterS: 9 } });

  expect(answers.every((answer) => answer.status === 'rejected')).toBe(true);
  expect(state.calls).toHaveLength(1);
});

test('outside its hours a share answers its last candles without further calls', async () => {
  const { state, history } = setUp(MSFT);
  state.nowS = Date.parse('2025-11-12T21:00:03Z') / 1000;
  const atClose = await history.latest(MSFT, 10, never);

  state.nowS = Date.parse('2025-11-13T03:00:00Z') / 1000;
  const atNight = await history.latest(MSFT, 10, never);

  expect(atNight.isOpen).toBe(false);
  expect(atNight.candles).toEqual(atClose.candles);
  expect(state.calls).toHaveLength(1);
});

test('a reader who leaves does not take the call away from the others', async () => {
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

test('a clock set back takes its future candles along: they are dropped and the history is asked for again', async () => {
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

test('a clock set back by seconds costs no call, and the minute that is open again is not given', async () => {
  const { state, history, lastTime } = setUp();
  state.nowS = NOON_S + 65;
  await lastTime();

  state.nowS = NOON_S + 40;
  const { candles } = await history.latest(BTC, 450, never);

  expect(candles.at(-1)?.time).toBe(NOON_S - 60);
  expect(candles).toHaveLength(450);
  expect(state.calls).toHaveLength(1);
});

test('a clock set back while a call is under way is noticed by those who wait for it', async () => {
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
