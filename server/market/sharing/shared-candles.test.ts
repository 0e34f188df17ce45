import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { DEFAULT_SYMBOL, type MarketSymbol } from '#domain/market/symbols.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { FailoverHistory } from '../candles/failover-history.ts';
import type { FeedState } from '../market-state.ts';
import { aBus, aProcess } from '../testing/shared-market-fixture.ts';
import type { ServedUpdate } from '../venues/venue.ts';
import { candleSubject, slicesSubject } from './candle-messages.ts';
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
  const listeners = new Set<(update: ServedUpdate) => void>();
  const own = { calls: 0, failure: null as AppError | null, venueId: 'binance', feeds: [] as FeedState[] };
  const history: FailoverHistory = {
    async latest(_, count) {
      own.calls += 1;
      if (own.failure !== null) throw own.failure;
      const lastS = Math.floor(marketNow() / 60_000) * 60 - 60;
      return {
        candles: Array.from({ length: count }, (_, i) => candleAt(lastS - (count - 1 - i) * 60)),
        marketKind: 'simulated',
        venueId: own.venueId,
        attribution: 'Binance',
        delayS: 0,
        asOfS: lastS,
        isStale: false,
        isOpen: true,
        nowMs: marketNow(),
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
  return { own, history, emit: (update: ServedUpdate) => listeners.forEach((listener) => void listener(update)) };
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
  const received: ServedUpdate[] = [];
  following.watch((update) => received.push(update));
  const update = { symbol: DEFAULT_SYMBOL, candle: candleAt(60), isClosed: false, venueId: 'binance' };
  ours.emit(update);
  await vi.waitFor(() => expect(received).toEqual([update]));

  second.leadership.set(2);
  theirs.emit(update);
  await vi.waitFor(() => expect(received).toHaveLength(2));
  second.leadership.set(null);
  ours.emit(update);
  first.leadership.set(3);
  ours.emit({ ...update, isClosed: true, venueId: 'binance' });
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
    feed: 'candles',
    source: 'binance',
    subject: DEFAULT_SYMBOL.label,
    isServing: true,
    lastAtMs: null,
    ageS: null,
    failures: 4,
    heldUntilMs: null,
    malformed: 0,
    missing: 0,
    problem: 'no answer',
  };
  theirs.own.feeds = [blind];
  vi.advanceTimersByTime(60_000);
  expect(gave).not.toHaveBeenCalled();

  ours.own.feeds = [blind];
  vi.advanceTimersByTime(22_000);

  expect(gave).toHaveBeenCalledTimes(1);
  expect(followerGave).not.toHaveBeenCalled();
});

/** A follower of a leader that answers every request as given. */
function aFollowerOf(answer: () => unknown) {
  const bus = aBus();
  const sharing = aProcess(bus);
  const requests: unknown[] = [];
  const stop = bus.answer(slicesSubject(sharing.prefix), async (request) => {
    requests.push(request);
    return answer();
  });
  const { own, history } = aHistory(() => START_MS);
  const following = openSharedCandles({ sharing, own: history, log });
  undo.push(async () => stop(), following.close);
  return { bus, sharing, own, history, following, requests };
}

const MINUTE_S = START_MS / 1000 - 80;
const sliceOf = (...times: number[]) => ({
  slice: {
    candles: times.map((time) => [time, 1, 3, 1, 2, 4]),
    marketKind: 'live',
    venueId: 'okx',
    attribution: 'OKX',
    delayS: 0,
    asOfS: times.at(-1) ?? null,
    isStale: false,
    isOpen: true,
    nowMs: START_MS,
  },
});

test.each([
  ['that cannot be read', {}],
  ['with an impossible candle', { slice: { ...sliceOf().slice, candles: [[MINUTE_S, 1, 0.5, 1, 2, null]] } }],
  ['that refuses for a reason of its process alone', { refused: 'database/busy', details: {} }],
])('calls its own venues after an answer %s', async (_what, answer) => {
  const { own, following } = aFollowerOf(() => answer);
  expect((await following.latest(DEFAULT_SYMBOL, 2, signal)).venueId).toBe('binance');
  expect(own.calls).toBe(1);
});

test('takes no minutes for longer candles', async () => {
  const { own, following, requests } = aFollowerOf(() => sliceOf(MINUTE_S - (MINUTE_S % 300) + 60));
  expect((await following.latest(DEFAULT_SYMBOL, 2, signal)).venueId).toBe('okx');
  expect((await following.latest(DEFAULT_SYMBOL, 2, signal, '5min')).venueId).toBe('binance');
  expect(own.calls).toBe(1);
  expect(requests).toMatchObject([{ timeframe: '1min' }, { timeframe: '5min' }]);
});

test('requests nothing of a symbol that no venue has', async () => {
  const { own, history, following, requests } = aFollowerOf(() => sliceOf(MINUTE_S));
  history.hasVenue = () => false;
  await following.latest(DEFAULT_SYMBOL, 2, signal);
  expect([own.calls, requests]).toEqual([1, []]);
});

test('requests a longer history again, and serves a shorter one from memory', async () => {
  const { following, requests } = aFollowerOf(() => sliceOf(MINUTE_S - 60, MINUTE_S));
  expect((await following.latest(DEFAULT_SYMBOL, 1, signal)).candles).toHaveLength(1);
  expect((await following.latest(DEFAULT_SYMBOL, 2, signal)).candles).toHaveLength(2);
  expect((await following.latest(DEFAULT_SYMBOL, 1, signal)).candles).toEqual([candleAt(MINUTE_S)]);
  expect(requests).toMatchObject([{ count: 1 }, { count: 2 }]);
});

test('ends the wait of a reader that leaves, and calls no venue for it', async () => {
  const { own, following } = aFollowerOf(() => new Promise(() => undefined));
  const leaving = new AbortController();
  const reading = following.latest(DEFAULT_SYMBOL, 2, leaving.signal);
  leaving.abort(new Error('left'));
  await expect(reading).rejects.toThrow('left');
  expect(own.calls).toBe(0);
});

test('reports the source and the age of what it follows, and counts messages that cannot be read', async () => {
  const { bus, sharing, following } = aFollowerOf(() => sliceOf(MINUTE_S));
  await following.latest(DEFAULT_SYMBOL, 1, signal);
  vi.advanceTimersByTime(5000);
  expect(following.state()).toMatchObject([
    { feed: 'candles', source: 'okx', isServing: true, lastAtMs: (MINUTE_S + 60) * 1000, ageS: 25, problem: null },
  ]);

  const received = vi.fn();
  following.watch(received);
  bus.publish(candleSubject(sharing.prefix), {
    term: 1,
    sym: 'UNKNOWN',
    candle: candleAt(60),
    isClosed: true,
    venueId: 'binance',
  });
  bus.publish(candleSubject(sharing.prefix), 'no update');
  await vi.waitFor(() => expect(following.state()).toMatchObject([{ malformed: 2 }]));
  expect(received).not.toHaveBeenCalled();
});

test('reports no age while the market has no candle at all', async () => {
  const { following } = aFollowerOf(() => sliceOf());
  await following.latest(DEFAULT_SYMBOL, 1, signal);
  expect(following.state()).toMatchObject([{ lastAtMs: null, ageS: null }]);
});

test('forgets a product of the catalogue that has had no reader for ten minutes, and never one of the ten', async () => {
  const { following } = aFollowerOf(() => sliceOf(MINUTE_S));
  const product: MarketSymbol = { ...DEFAULT_SYMBOL, sym: 'PEPEUSDT.P', label: 'PEPE' };
  await following.latest(DEFAULT_SYMBOL, 1, signal);
  await following.latest(product, 1, signal);
  vi.advanceTimersByTime(599_000);
  const read = async (label: string) => {
    await following.latest({ ...product, sym: `${label}USDT.P`, label }, 1, signal);
    return following.state().map(({ subject }) => subject);
  };
  expect(await read('WIF')).toEqual([DEFAULT_SYMBOL.label, 'PEPE', 'WIF']);
  vi.advanceTimersByTime(1000);
  expect(await read('BONK')).toEqual([DEFAULT_SYMBOL.label, 'WIF', 'BONK']);
});

test.each([
  ['a name that no product has', { sym: 'NOPE', count: 1 }],
  ['more candles than any reader needs', { sym: DEFAULT_SYMBOL.sym, count: 5001 }],
  ['no candle', { sym: DEFAULT_SYMBOL.sym, count: 0 }],
])('answers no request for %s as a leader', async (_what, request) => {
  const { bus, first, ours } = aPair();
  await expect(bus.request(slicesSubject(first.prefix), request, { timeoutMs: 1000 })).rejects.toThrow();
  expect(ours.own.calls).toBe(0);
});

test('lets a follower call its own venues when the leader fails for a reason that is not the market’s', async () => {
  const { following, ours, theirs } = aPair();
  ours.own.failure = new AppError('database/busy');
  await following.latest(DEFAULT_SYMBOL, 2, signal);
  expect([ours.own.calls, theirs.own.calls]).toEqual([1, 1]);
});
