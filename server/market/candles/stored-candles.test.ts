/** Tests how a venue's history uses stored candles and handles missing minutes. */
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { scriptedVenue } from '../testing/scripted-venue.ts';
import type { CandleStore } from './candle-store.ts';
import { openCandleHistory, type VenueHistory } from './live-candle-history.ts';

const BTC = symbolNamed('BTC');
const MSFT = symbolNamed('MSFT');
/** Wednesday 12 November 2025, 15:00 UTC. */
const NOON_S = 1_762_959_600;
const never = new AbortController().signal;
const DOWN = new AppError('venue/unavailable', { details: { reason: 'ECONNREFUSED' } });

const opened: VenueHistory[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((history) => history.close()));
});

/** @param stored  minutes before noon, closing at `closes` */
function setUp(
  options: {
    stored?: readonly number[];
    closes?: number;
    symbol?: MarketSymbol;
    symbols?: readonly MarketSymbol[];
    read?: CandleStore['read'];
  } = {},
) {
  const { stored = [], closes = 101, symbol = BTC, symbols = SYMBOLS } = options;
  const clock = { nowS: NOON_S + 5, monotonicMs: 0 };
  const script = scriptedVenue('scripted', clock);
  const rows = stored.map((minute) => ({ ...aCandle(NOON_S - minute * 60), close: closes, high: closes + 1 }));
  const added: Candle[] = [];
  const readFor = vi.fn<CandleStore['read']>(async (_venue, _sym, { fromS, toS, count }) =>
    rows.filter((c) => c.time >= fromS && c.time < toS).slice(-count),
  );
  const forget = vi.fn<CandleStore['forget']>(() => void rows.splice(0));
  const store = {
    forget,
    add: (_venue: string, _sym: string, candles: readonly Candle[]) => void added.push(...candles),
    read: options.read ?? readFor,
  };
  const log = createLogger('silent');
  const history = openCandleHistory({
    venue: script.venue,
    marketKind: () => 'live',
    symbols,
    log,
    store,
    repairMs: 15,
    monotonicMs: () => clock.monotonicMs,
  });
  opened.push(history);
  const latest = (count = 450) => history.latest(symbol, count, never);
  const missing = () => history.state()[0]?.missing;
  return { clock, script, history, latest, added, missing, forget, readFor };
}

const aCandle = (time: number): Candle => ({ time, open: 101, high: 102, low: 100, close: 101, volume: 1 });
const range = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, i) => from - i);
const times = (candles: readonly Candle[]) => candles.map((c) => c.time);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('stores of a product beside the symbols what the next reader needs, and restores it', async () => {
  const first = setUp({ symbols: [MSFT] });
  await first.latest();
  expect(times(first.added)).toEqual(times((await first.latest()).candles));

  const { latest, added, script, history } = setUp({ stored: range(470, 6), symbols: [MSFT] });

  expect((await latest()).candles).toHaveLength(450);
  expect(added).toHaveLength(5);
  expect(script.calls).toHaveLength(1);
  expect(history.state()).toEqual([]);
});

test('reads no candles of a product that are too old to be compared with the venue’s', async () => {
  const { latest, readFor } = setUp({ symbols: [MSFT] });

  await latest();

  const [, , { fromS = 0 } = {}] = readFor.mock.calls[0] ?? [];
  expect(NOON_S - fromS).toBeLessThan(1499 * 60);
});

test('requests as many candles as a forecast reads when fewer are stored', async () => {
  const { latest, script, forget } = setUp({ stored: range(200, 6) });

  expect((await latest()).candles).toHaveLength(450);

  expect(script.calls).toEqual([1499]);
  expect(forget).not.toHaveBeenCalled();
});

test('requests only the missing candles after a restart', async () => {
  const { script, latest, added } = setUp({ stored: range(1000, 6) });

  const { candles } = await latest();

  expect(candles).toHaveLength(450);
  expect(candles.at(-1)?.time).toBe(NOON_S - 60);
  expect(script.calls).toHaveLength(1);
  expect(script.calls[0]).toBeLessThan(30);
  expect(times(added)).toEqual([-300, -240, -180, -120, -60].map((s) => NOON_S + s));
});

test('serves stored candles as stale when the venue is down at the start', async () => {
  const { script, history, latest } = setUp({ stored: range(600, 90) });
  script.failure = DOWN;

  await expect(latest()).rejects.toMatchObject({ code: 'venue/unavailable' });

  expect(await history.cached(BTC, 450)).toMatchObject({ asOfS: NOON_S - 5400, isStale: true, venueId: 'scripted' });
  expect((await history.cached(BTC, 450))?.candles).toHaveLength(450);
});

test('drops stored candles of another market with the same name at the first answer', async () => {
  const { script, latest, forget } = setUp({ stored: range(600, 2), closes: 999 });

  const { candles } = await latest();

  expect(forget).toHaveBeenCalledExactlyOnceWith('scripted', 'BTCUSDT.P');

  expect(new Set(candles.map((c) => c.close))).toEqual(new Set([101]));
  expect(candles).toHaveLength(450);
  expect(script.calls.at(-1)).toBe(1499);
});

test('treats stored candles as stale, and stores nothing after them, until an answer agrees with them', async () => {
  const { script, clock, latest, added } = setUp({ stored: range(600, 1), closes: 999 });
  script.failure = DOWN;
  expect(await latest()).toMatchObject({ asOfS: NOON_S - 60, isStale: true });
  clock.nowS += 60;
  await script.emit(aCandle(NOON_S));

  expect(added).toEqual([]);
  script.failure = null;
  clock.monotonicMs += 1000;

  const proven = await latest();
  expect(new Set(proven.candles.map((c) => c.close))).toEqual(new Set([101]));
  expect(proven.isStale).toBe(false);
});

test('keeps stored candles as stale when an answer has no candles to compare', async () => {
  const { script, clock, latest, forget } = setUp({ stored: range(600, 1) });
  for (const minute of range(700, 0)) script.missing.add(NOON_S - minute * 60);

  expect(await latest()).toMatchObject({ asOfS: NOON_S - 60, isStale: true });
  script.missing.clear();
  clock.monotonicMs += 1000;

  expect(await latest()).toMatchObject({ asOfS: NOON_S - 60, isStale: false });
  expect(forget).not.toHaveBeenCalled();
});

test('drops stored candles that have no minute in common with the answer', async () => {
  const { script, latest, missing, forget } = setUp({ stored: range(30, 2), closes: 999 });
  for (const minute of range(30, 2)) script.missing.add(NOON_S - minute * 60);

  const { candles } = await latest();

  expect(new Set(candles.map((c) => c.close))).toEqual(new Set([101]));
  expect(missing()).toBe(29);
  expect(forget).toHaveBeenCalledOnce();
});

test('requests everything once after more than a day, and drops what is stored', async () => {
  const { script, latest, forget } = setUp({ stored: range(3000, 1600) });

  const { candles } = await latest(1499);

  expect(script.calls).toEqual([1499]);
  expect(candles).toHaveLength(1499);
  expect(forget).toHaveBeenCalledOnce();
});

test('compares stored candles even when they load after the venue’s answer', async () => {
  let answer = (_candles: Candle[]): void => {};
  const { latest, forget } = setUp({
    read: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  await latest();

  answer([{ ...aCandle(NOON_S - 120), close: 101.5 }]);

  await vi.waitFor(() => expect(forget).toHaveBeenCalledOnce());
  expect((await latest()).candles.every((c) => c.close === 101)).toBe(true);
});

test('does not wait long for a store that hangs, and not at all for one that fails', async () => {
  const hanging = setUp({ read: () => new Promise(() => {}) });
  const failing = setUp({ read: () => Promise.reject(new Error('away')) });

  expect((await hanging.latest()).candles).toHaveLength(450);
  expect((await failing.latest()).candles).toHaveLength(450);
});

test('stores closed candles of the stream, and never open ones', async () => {
  const { script, clock, latest, added } = setUp();
  await latest();
  added.length = 0;

  clock.nowS += 60;
  await script.emit(aCandle(NOON_S));
  await script.emit(aCandle(NOON_S + 60), false);

  expect(times(added)).toEqual([NOON_S]);
});

test('fills and stores a missing minute once the venue has it', async () => {
  const { script, latest, added, missing } = setUp();
  script.missing.add(NOON_S - 600);
  await latest();
  expect(missing()).toBe(1);

  script.missing.clear();

  await vi.waitFor(() => expect(missing()).toBe(0));
  expect(times((await latest()).candles)).toContain(NOON_S - 600);
  expect(times(added)).toContain(NOON_S - 600);
});

test('requests a missing minute from the venue three times, then reads it from the store', async () => {
  const gap = NOON_S - 600;
  const around = [gap - 60, gap, gap + 60].map(aCandle);
  const read = vi.fn<CandleStore['read']>(async (_venue, _sym, { fromS }) => (fromS === 0 ? [] : around));
  const { script, latest, missing } = setUp({ read });
  script.missing.add(gap);
  await latest();
  expect(missing()).toBe(1);

  await vi.waitFor(() => expect(missing()).toBe(0));

  expect(script.calls.slice(1)).toHaveLength(3);
  expect(read).toHaveBeenLastCalledWith('scripted', 'BTCUSDT.P', {
    fromS: gap - 300,
    toS: gap + 360,
    count: 11,
    timeframe: '1min',
  });
});

test.each([
  ['whose neighbours are another market’s', [-60, 0, 60], 999],
  ['that is alone', [0], 101],
])('ignores a stored minute %s', async (_what, offsets, close) => {
  const gap = NOON_S - 600;
  const stored = offsets.map((offset) => ({ ...aCandle(gap + offset), close, high: close + 1 }));
  const read = vi.fn<CandleStore['read']>(async (_venue, _sym, { fromS }) => (fromS === 0 ? [] : stored));
  const { script, latest, missing } = setUp({ read });
  script.missing.add(gap);
  await latest();

  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));

  expect(times((await latest()).candles)).not.toContain(gap);
  expect(missing()).toBe(1);
});

test('counts minutes that no source has, and requests them no further', async () => {
  const { script, latest, missing } = setUp();
  script.missing.add(NOON_S - 600).add(NOON_S - 660);
  await latest();

  await vi.waitFor(() => expect(script.calls.slice(1)).toHaveLength(3));
  await pause(100);

  expect(script.calls.slice(1)).toHaveLength(3);
  expect(missing()).toBe(2);
  const { candles } = await latest();
  expect(times(candles)).not.toContain(NOON_S - 600);
  expect(candles).toHaveLength(450);
});

test('requests a share’s quiet minute only once', async () => {
  const { script, latest, missing } = setUp({ symbol: MSFT });
  script.missing.add(NOON_S - 300);
  await latest();

  await vi.waitFor(() => expect(script.calls.slice(1)).toHaveLength(1));
  await pause(100);

  expect(script.calls.slice(1)).toHaveLength(1);
  expect(missing()).toBe(1);
});

test('does not fill gaps of symbols that are no longer read', async () => {
  const { script, clock, history, latest, readFor } = setUp({ symbol: MSFT });
  script.missing.add(NOON_S - 300);
  await latest();
  expect(script.calls).toHaveLength(1);

  clock.monotonicMs += 300_000;
  await history.latest(BTC, 450, never);
  const queriesTheGap = expect.objectContaining({ count: 11, timeframe: '1min' });
  await vi.waitFor(() => expect(readFor).toHaveBeenLastCalledWith('scripted', 'BTCUSDT.P', queriesTheGap));

  // The two symbols' first calls, and Bitcoin's three retries.
  expect(script.calls).toHaveLength(5);
});

test('repairs a gap between stored candles and those after a restart', async () => {
  const { latest, missing } = setUp({ stored: [...range(600, 300), ...range(200, 2)] });

  await latest();

  await vi.waitFor(() => expect(missing()).toBe(0));
  const { candles } = await latest(599);
  expect(candles.every((c, i) => i === 0 || c.time === (candles[i - 1]?.time ?? 0) + 60)).toBe(true);
});
