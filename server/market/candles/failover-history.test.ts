import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { scriptedVenue } from '../testing/scripted-venue.ts';
import { type FailoverHistory, type FailoverTiming, openFailoverHistory } from './failover-history.ts';

const BTC = symbolNamed('BTC');
const MSFT = symbolNamed('MSFT');
/** Wednesday 12 November 2025, 15:00 UTC. */
const NOON_S = 1_762_959_600;
const never = new AbortController().signal;
const DOWN = new AppError('venue/unavailable', { details: { reason: 'ECONNREFUSED' } });

const opened: FailoverHistory[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((history) => history.close()));
});

function setUp(timing: Partial<FailoverTiming> = {}, symbol = BTC) {
  const clock = { nowS: NOON_S + 5 };
  const crypto = SYMBOLS.filter((s) => s.assetClass === 'crypto');
  const first = scriptedVenue('first', clock, { close: 100 });
  const second = scriptedVenue('second', clock, { close: 101 });
  const third = scriptedVenue('third', clock, { close: 102, symbols: crypto });
  const history = openFailoverHistory({
    venues: [first.venue, second.venue, third.venue],
    marketKind: () => 'live',
    symbols: SYMBOLS,
    log: createLogger('silent'),
    store: null,
    timing: { retryMs: 30, maxRetryMs: 60, ...timing },
  });
  opened.push(history);
  const latest = (count = 450) => history.latest(symbol, count, never);
  const serves = async () => (await latest()).venueId;
  return { clock, first, second, third, history, latest, serves };
}

const STOPPED: ('setTimeout' | 'clearTimeout' | 'performance')[] = ['setTimeout', 'clearTimeout', 'performance'];
/** The answer that comes within so long, by stopped timers; null without one. */
async function afterMs<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  let settled: T | null = null;
  void answer.then((value) => {
    settled = value;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return settled;
}

const closesOf = (slice: { candles: readonly { close: number }[] }) => new Set(slice.candles.map((c) => c.close));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('serves the preferred venue, without requests or connections to the others', async () => {
  const { first, second, third, latest } = setUp();

  expect(await latest()).toMatchObject({
    venueId: 'first',
    attribution: 'first prices',
    delayS: 0,
    asOfS: NOON_S - 60,
    isStale: false,
  });
  expect([first.isFollowed, second.isFollowed, third.isFollowed]).toEqual([true, false, false]);
  expect([second.calls, third.calls]).toEqual([[], []]);
});

test('serves the whole series from the next venue on failure, without candles of the first', async () => {
  const { clock, first, latest } = setUp();
  await latest();
  first.failure = DOWN;
  clock.nowS += 180;

  const slice = await latest();

  expect(slice).toMatchObject({ venueId: 'second', asOfS: NOON_S + 120, isStale: false });
  expect(slice.candles).toHaveLength(450);
  expect(closesOf(slice)).toEqual(new Set([101]));
});

test('leaves a venue that answers without its newest candles', async () => {
  const { clock, first, latest } = setUp();
  await latest();
  first.lagS = 600;
  clock.nowS += 600;

  expect(await latest()).toMatchObject({ venueId: 'second', isStale: false });
});

test('waits for a hanging venue once, and not for later readers', async () => {
  vi.useFakeTimers({ toFake: STOPPED });
  const { first, serves } = setUp({ patienceMs: 40, retryMs: 10_000 });
  first.delay = new Promise(() => {});

  expect(await afterMs(40, serves())).toBe('second');
  for (let i = 0; i < 20; i++) expect(await afterMs(5, serves())).toBe('second');

  expect(first.calls).toHaveLength(1);
});

test('waits once when all venues hang, and then serves stored candles', async () => {
  vi.useFakeTimers({ toFake: STOPPED });
  const { clock, first, second, third, latest } = setUp({ patienceMs: 150 });
  await latest();
  first.delay = second.delay = third.delay = new Promise(() => {});
  clock.nowS += 600;

  expect(await afterMs(300, latest())).toMatchObject({ venueId: 'first', asOfS: NOON_S - 60, isStale: true });

  // No venue is waited for again.
  expect(await afterMs(5, latest())).toMatchObject({ isStale: true });
});

test('waits for a slow venue when there are no candles to serve', async () => {
  const { first, second, third, latest } = setUp({ patienceMs: 10 });
  second.failure = third.failure = DOWN;
  first.delay = pause(120).then(() => undefined);

  expect(await latest()).toMatchObject({ venueId: 'first', isStale: false });
});

test('stays with the second venue during the pause, even if the first has recovered', async () => {
  const { clock, first, serves } = setUp({ retryMs: 10_000 });
  first.lagS = 600;
  await serves();
  first.lagS = 0;
  const calls = first.calls.length;

  for (let i = 0; i < 20; i++) {
    clock.nowS += 60;
    expect(await serves()).toBe('second');
  }
  expect(first.calls).toHaveLength(calls);
});

test('returns to the first venue after the pause, with its whole history', async () => {
  const { clock, first, serves, latest } = setUp({ retryMs: 1100 });
  first.failure = DOWN;
  await serves();
  first.failure = null;
  clock.nowS += 60;

  await vi.waitFor(async () => expect(await serves()).toBe('first'));
  const slice = await latest();

  expect(slice.candles).toHaveLength(450);
  expect(closesOf(slice)).toEqual(new Set([100]));
});

test.each([
  ['lags', (first: ReturnType<typeof setUp>['first']) => Object.assign(first, { lagS: 600 })],
  ['lacks minutes', (first: ReturnType<typeof setUp>['first']) => first.missing.add(NOON_S - 600)],
])('does not return to a recovered venue that %s', async (_what, make) => {
  const { first, serves } = setUp({ retryMs: 20, maxRetryMs: 20 });
  first.failure = DOWN;
  await serves();
  await pause(1050);
  first.failure = null;
  make(first);

  for (let i = 0; i < 10; i++) {
    await pause(20);
    expect(await serves()).toBe('second');
  }
  expect(first.calls.length).toBeGreaterThan(1);
});

test('retries an unavailable venue less and less often', async () => {
  vi.useFakeTimers({ toFake: STOPPED });
  const { clock, first, serves } = setUp({ retryMs: 40, maxRetryMs: 100_000 });
  first.lagS = 600;
  await serves();
  const calls = first.calls.length;

  for (let i = 0; i < 60; i++) {
    await vi.advanceTimersByTimeAsync(10);
    clock.nowS += 60;
    await serves();
  }

  // Retries follow 40 ms after the switch and then after 40, 80, 160 and 320 ms, not once in each of the sixty
  // minutes.
  expect(first.calls.length - calls).toBeGreaterThanOrEqual(2);
  expect(first.calls.length - calls).toBeLessThanOrEqual(6);
});

test('serves the least old candles as stale when all venues are unavailable', async () => {
  const { clock, first, second, third, latest } = setUp();
  await latest();
  first.failure = DOWN;
  clock.nowS += 180;
  await latest();
  second.failure = third.failure = DOWN;
  clock.nowS += 600;

  const slice = await latest();

  expect(slice).toMatchObject({ venueId: 'second', asOfS: NOON_S + 120, isStale: true, isOpen: true });
  expect(closesOf(slice)).toEqual(new Set([101]));
});

test('reports the first venue’s reason when there are no candles', async () => {
  const { first, second, third, latest } = setUp();
  second.failure = third.failure = new AppError('venue/unavailable');
  first.failure = DOWN;

  await expect(latest()).rejects.toMatchObject({ code: 'venue/unavailable', details: { reason: 'ECONNREFUSED' } });
});

test('refuses a symbol that no venue trades, with the reason', async () => {
  const clock = { nowS: NOON_S };
  const only = scriptedVenue('only', clock, { symbols: [BTC] });
  const whyNone = () => 'Shares need a key.';
  const log = createLogger('silent');
  const history = openFailoverHistory({
    venues: [only.venue],
    marketKind: () => 'live',
    symbols: SYMBOLS,
    log,
    store: null,
    whyNone,
  });
  opened.push(history);

  await expect(history.latest(MSFT, 450, never)).rejects.toMatchObject({
    code: 'venue/not-connected',
    details: { sym: 'MSFT', message: 'Shares need a key.' },
  });
});

test('switches the venue of each symbol separately', async () => {
  const { clock, first, history } = setUp();
  await history.latest(MSFT, 450, never);
  first.failure = DOWN;
  clock.nowS += 30;

  expect((await history.latest(BTC, 450, never)).venueId).toBe('second');
  expect((await history.latest(MSFT, 450, never)).venueId).toBe('first');
});

test('keeps a share’s venue at night and at weekends, however old its last candle', async () => {
  const { clock, second, serves } = setUp({}, MSFT);
  await serves();

  clock.nowS = Date.parse('2025-11-15T15:00:00Z') / 1000;

  expect(await serves()).toBe('first');
  expect(second.calls).toEqual([]);
});

test('judges a delayed venue by its own clock', async () => {
  const clock = { nowS: NOON_S + 5 };
  const late = scriptedVenue('late', clock, { delayS: 900 });
  const log = createLogger('silent');
  const history = openFailoverHistory({
    venues: [late.venue],
    marketKind: () => 'live',
    symbols: SYMBOLS,
    log,
    store: null,
  });
  opened.push(history);

  const slice = await history.latest(MSFT, 450, never);

  expect(slice).toMatchObject({ asOfS: NOON_S - 960, delayS: 900, isStale: false, isOpen: true });
  expect(slice.nowMs).toBe((NOON_S + 5 - 900) * 1000);
});

test('rejects a disconnected reader with its own reason, without changing the venue', async () => {
  const { first, latest, history } = setUp();
  let release = (): void => {};
  first.delay = new Promise((resolve) => {
    release = resolve;
  });
  const leaving = new AbortController();
  const left = history.latest(BTC, 450, leaving.signal);
  leaving.abort(new Error('gone'));

  await expect(left).rejects.toThrow('gone');
  release();

  expect((await latest()).venueId).toBe('first');
});

test('reports who serves, who fails and until when requests are held back', async () => {
  const { first, history, latest } = setUp();
  first.failure = new AppError('venue/unavailable', { details: { reason: 'status 429', retryAfterS: 30 } });
  const startedMs = Date.now();
  await latest();

  const [failing, serving] = history.state();

  expect(failing).toMatchObject({
    source: 'first',
    subject: 'BTC',
    isServing: false,
    failures: 1,
    problem: 'status 429',
  });
  expect(failing?.lastAtMs).toBeNull();
  expect(failing?.heldUntilMs).toBeGreaterThan(startedMs + 29_000);
  expect(serving).toMatchObject({ source: 'second', subject: 'BTC', isServing: true, failures: 0, problem: null });
  expect(serving).toMatchObject({ lastAtMs: NOON_S * 1000, ageS: 5, heldUntilMs: null, missing: 0 });
});

test('causes no unhandled rejection when a reader disconnects while the first venue hangs', async () => {
  const { first, third, history } = setUp({ patienceMs: 10 });
  first.delay = third.delay = new Promise(() => {});
  const reader = new AbortController();

  expect((await history.latest(BTC, 450, reader.signal)).venueId).toBe('second');
  reader.abort(new Error('gone'));

  // An unhandled rejection fails this file.
  await pause(20);
});

const OTHER_COIN = 'another coin by this name';

test('refuses the next venue’s series of another coin, serves its own as stale, and says why', async () => {
  const { clock, first, second, history, latest } = setUp({}, MSFT);
  second.close = 0.1003;
  await latest();
  first.failure = DOWN;
  clock.nowS += 600;

  const slice = await latest(2);

  expect(slice).toMatchObject({ venueId: 'first', asOfS: NOON_S - 60, isStale: true });
  const problem = history.state().find(({ source, subject }) => source === 'second' && subject === 'MSFT')?.problem;
  expect(problem).toBe(OTHER_COIN);
});

test('passes over a venue with another coin to one with the same', async () => {
  const { clock, first, second, serves } = setUp();
  second.close = 150;
  await serves();
  first.failure = DOWN;
  clock.nowS += 180;

  expect(await serves()).toBe('third');
});

test('compares longer candles of a first reader with the minutes that others had', async () => {
  const { clock, first, second, third, history, latest } = setUp();
  second.close = third.close = 0.1003;
  await latest();
  first.failure = DOWN;
  clock.nowS += 600;

  await expect(history.latest(BTC, 450, never, '15min')).rejects.toMatchObject({ code: 'venue/unavailable' });
});

test.each([
  ['has', async (serves: () => Promise<string>) => void (await serves())],
  ['has no', async () => undefined],
])('does not return to a venue that came back with another coin and %s candles of before', async (_what, before) => {
  const { clock, first, serves } = setUp({ retryMs: 20, maxRetryMs: 20 });
  await before(serves);
  first.failure = DOWN;
  clock.nowS += 180;
  await serves();
  await pause(1050);
  Object.assign(first, { failure: null, close: 0.1003 });
  const calls = first.calls.length;

  for (let i = 0; i < 10; i++) {
    clock.nowS += 60;
    await pause(20);
    expect(await serves()).toBe('second');
  }
  expect(first.calls.length).toBeGreaterThan(calls);
});

test('serves no series of two coins after its venue gave the name to another one', async () => {
  const { clock, first, second, third, latest } = setUp();
  second.failure = third.failure = DOWN;
  await latest();
  first.close = 0.1003;
  clock.nowS += 600;

  expect(closesOf(await latest())).toEqual(new Set([0.1003]));
});

test('keeps refusing another coin after an outage longer than its candles in memory', async () => {
  const { clock, first, second, third, serves } = setUp();
  second.close = 0.1003;
  third.close = 130;
  await serves();
  first.failure = DOWN;
  clock.nowS += 3 * 86_400;

  expect(await serves()).toBe('third');
});
