import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { FailoverHistory } from '../candles/failover-history.ts';
import type { FeedState } from '../market-state.ts';
import { aBus, aProcess } from '../testing/shared-market-fixture.ts';
import type { CandleUpdate } from '../venues/venue.ts';
import { openSharedCandles } from './shared-candles.ts';

const log = createLogger('silent');
const { signal } = new AbortController();
const START_MS = Date.parse('2026-11-18T12:00:20Z');
const undo: (() => Promise<unknown>)[] = [];

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(async () => {
  vi.useRealTimers();
  for (const step of undo.splice(0)) await step();
});

/** One process's own venues, with whole minutes up to now. */
function aHistory(marketNow: () => number) {
  const listeners = new Set<(update: CandleUpdate) => void>();
  const own = { calls: 0, failure: null as AppError | null, venueId: 'binance', feeds: [] as FeedState[] };
  const history: FailoverHistory = {
    async latest(_, count) {
      own.calls += 1;
      if (own.failure !== null) throw own.failure;
      const lastS = Math.floor(marketNow() / 60_000) * 60 - 60;
      return {
        candles: Array.from({ length: count }, (_, i) => candleAt(lastS - (count - 1 - i) * 60)),
        ...{ marketKind: 'simulated', venueId: own.venueId, attribution: 'Binance', delayS: 0, asOfS: lastS },
        ...{ isStale: false, isOpen: true, nowMs: marketNow() },
      };
    },
    hasVenue: () => true,
    state: () => own.feeds,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => undefined,
  };
  return { own, history, emit: (update: CandleUpdate) => listeners.forEach((listener) => void listener(update)) };
}

function candleAt(time: number) {
  return { time, open: 1, high: 3, low: 1, close: 2, volume: 4 };
}

function aPair() {
  const began = performance.now();
  const marketNow = () => START_MS + performance.now() - began;
  const bus = aBus();
  const [first, second] = [aProcess(bus, 1), aProcess(bus)];
  const [ours, theirs] = [aHistory(marketNow), aHistory(marketNow)];
  const leading = openSharedCandles({ sharing: first, own: ours.history, log });
  const following = openSharedCandles({ sharing: second, own: theirs.history, log });
  undo.push(
    () => leading.close(),
    () => following.close(),
  );
  return { bus, first, second, leading, following, ours, theirs };
}

test('serves the leader’s candles as a follower, requests them once a minute, and calls no venue', async () => {
  const { leading, following, ours, theirs } = aPair();
  const [mine, answered] = [
    await leading.latest(DEFAULT_SYMBOL, 450, signal),
    await following.latest(DEFAULT_SYMBOL, 450, signal),
  ];
  expect(answered).toEqual({ ...mine, nowMs: answered.nowMs });

  vi.advanceTimersByTime(20_000);
  expect((await following.latest(DEFAULT_SYMBOL, 3, signal)).candles).toEqual(mine.candles.slice(-3));
  expect(ours.own.calls).toBe(2);

  vi.advanceTimersByTime(25_000);
  const next = await following.latest(DEFAULT_SYMBOL, 450, signal);
  expect(next.asOfS).toBe((mine.asOfS ?? 0) + 60);
  expect([ours.own.calls, theirs.own.calls]).toEqual([3, 0]);
});

test('makes one request to the leader for simultaneous readers', async () => {
  const { following, ours } = aPair();
  await Promise.all(Array.from({ length: 20 }, () => following.latest(DEFAULT_SYMBOL, 450, signal)));
  expect(ours.own.calls).toBe(1);
});

test('passes candle updates to every process, except those of an earlier leader', async () => {
  const { first, second, following, ours, theirs } = aPair();
  const received: CandleUpdate[] = [];
  following.watch((update) => received.push(update));
  const update = { symbol: DEFAULT_SYMBOL, candle: candleAt(60), isClosed: false };
  ours.emit(update);
  await vi.waitFor(() => expect(received).toEqual([update]));

  second.leadership.set(2);
  theirs.emit(update);
  await vi.waitFor(() => expect(received).toHaveLength(2));
  second.leadership.set(null);
  ours.emit(update);
  first.leadership.set(3);
  ours.emit({ ...update, isClosed: true });
  await vi.waitFor(() => expect(received.at(-1)?.isClosed).toBe(true));
  expect(received).toHaveLength(3);
});

test('serves recent candles without a leader, and then calls its own venues', async () => {
  const { bus, following, theirs } = aPair();
  const answered = await following.latest(DEFAULT_SYMBOL, 450, signal);
  bus.isCut = true;
  vi.advanceTimersByTime(45_000);
  const cached = await following.latest(DEFAULT_SYMBOL, 450, signal);
  expect([cached.asOfS, cached.isStale, theirs.own.calls]).toEqual([answered.asOfS, false, 0]);

  vi.advanceTimersByTime(7000);
  const own = await following.latest(DEFAULT_SYMBOL, 450, signal);
  expect([own.asOfS, theirs.own.calls]).toEqual([(answered.asOfS ?? 0) + 60, 1]);
});

test('calls its own venues after taking over the lead', async () => {
  const { first, second, following, ours, theirs } = aPair();
  first.leadership.set(null);
  second.leadership.set(2);
  await following.latest(DEFAULT_SYMBOL, 450, signal);
  expect([ours.own.calls, theirs.own.calls]).toEqual([0, 1]);
});

test('passes the leader’s market error on to followers', async () => {
  const { following, ours, theirs } = aPair();
  ours.own.failure = new AppError('venue/unavailable', { details: { reason: 'status 451' } });
  await expect(following.latest(DEFAULT_SYMBOL, 450, signal)).rejects.toMatchObject({
    code: 'venue/unavailable',
    details: { reason: 'status 451' },
  });
  expect(theirs.own.calls).toBe(0);
});

test('gives up the lead when all its venues fail, but not as a follower', async () => {
  const { first, second, ours, theirs } = aPair();
  const [gave, followerGave] = [first, second].map(({ leadership }) => vi.spyOn(leadership, 'giveWay'));
  const blind: FeedState = {
    ...{ feed: 'candles', source: 'binance', subject: DEFAULT_SYMBOL.label, isServing: true, lastAtMs: null },
    ...{ ageS: null, failures: 4, heldUntilMs: null, malformed: 0, missing: 0, problem: 'no answer' },
  };
  theirs.own.feeds = [blind];
  vi.advanceTimersByTime(60_000);
  expect(gave).not.toHaveBeenCalled();

  ours.own.feeds = [blind];
  vi.advanceTimersByTime(22_000);

  expect(gave).toHaveBeenCalledTimes(1);
  expect(followerGave).not.toHaveBeenCalled();
});
