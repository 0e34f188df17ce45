import { expect, test } from 'vitest';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import { type CandleFile, inTimeframe } from '../candle-files.ts';
import { strideFault } from './sampling.ts';
import { segmentsOf } from './splits.ts';
import { lookbackOf, targetOf, windowsOf } from './windows.ts';

const at = (iso: string): number => Date.parse(iso) / 1000;

function aFile(startS: number, count: number, name = 'BTCUSDT'): CandleFile {
  const candles = generatedCandles({ seed: name, count, startS, tickSize: 0.01 });
  return { name, assetClass: 'crypto', sha256: '', timeframe: '1min', candles };
}

test('ends a window 51 minutes before its span does, with its target inside', () => {
  const file = aFile(at('2024-12-31T00:00:00Z'), 2880);
  const endS = at('2025-01-01T00:00:00Z');

  const windows = [...windowsOf(file, { startS: 0, endS }, 1)];

  expect(windows.at(-1)?.t0).toBe(endS - 51 * 60);
  expect(Math.max(...windows.flatMap((w) => targetOf(w.file, w.index).map((c) => c.time)))).toBeLessThan(endS);
});

test('takes the 450 candles up to t0 as the lookback, the 50 after it as the target', () => {
  const file = aFile(at('2025-03-02T00:00:00Z'), 600);

  const [window] = [...windowsOf(file, { startS: 0, endS: Number.POSITIVE_INFINITY }, 7)];
  const lookback = window === undefined ? [] : lookbackOf(file, window.index);
  const target = window === undefined ? [] : targetOf(file, window.index);

  expect([lookback.length, target.length]).toEqual([450, 50]);
  expect(lookback.at(-1)?.time).toBe(window?.t0);
  expect(target[0]?.time).toBe((window?.t0 ?? 0) + 60);
  expect(window?.future.change[49]).toBeCloseTo(Math.log((target[49]?.close ?? 0) / (lookback[449]?.close ?? 1)), 12);
});

test('crosses no gap with a target, nor with a lookback of crypto', () => {
  const file = aFile(at('2025-03-02T00:00:00Z'), 1500);
  file.candles.splice(700, 3);

  const windows = [...windowsOf(file, { startS: 0, endS: Number.POSITIVE_INFINITY }, 1)];

  for (const w of windows) {
    const times = [...lookbackOf(file, w.index), ...targetOf(file, w.index)].map((c) => c.time);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(499 * 60);
  }
  expect(windows.length).toBe(700 - 499 + (1497 - 700) - 499);
});

test('cuts windows of longer bars, with their own scale, gaps and purge', () => {
  const minutes = aFile(at('2024-12-20T00:00:00Z'), 12 * 1440);
  minutes.candles.splice(300, 1);
  const file = inTimeframe(minutes, '15min');
  const endS = at('2025-01-01T00:00:00Z');

  const windows = [...windowsOf(file, { startS: 0, endS }, 15)];

  expect(windows.at(-1)?.t0).toBe(endS - 51 * 900);
  for (const { index, t0, features, future } of windows) {
    const times = [...lookbackOf(file, index), ...targetOf(file, index)].map((c) => c.time);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(499 * 900);
    expect([features.t0, features.barS]).toEqual([t0, 900]);
    const close = (bar: number): number => file.candles[index + bar]?.close ?? Number.NaN;
    expect(future.change[49]).toBeCloseTo(Math.log(close(50) / close(0)), 12);
  }
  // The bar with the missing minute is one gap, so no window begins before it.
  expect(windows.length).toBe(12 * 96 - 21 - 499);
});

test('names a stride that shares a factor with the bars of an hour', () => {
  const good = [
    ['1min', 7],
    ['5min', 5],
    ['15min', 3],
    ['15min', 1],
  ] as const;
  const bad = [
    ['1min', 5],
    ['5min', 9],
    ['15min', 2],
  ] as const;

  expect(good.map(([timeframe, bars]) => strideFault(bars, timeframe))).toEqual([null, null, null, null]);
  expect(bad.map(([timeframe, bars]) => strideFault(bars, timeframe)?.match(/a factor with (\d+)/)?.[1])).toEqual([
    '60',
    '12',
    '4',
  ]);
});

test('splits spot by the calendar, perpetuals also by their last week of 2023, shares in thirds', () => {
  const spot = aFile(at('2024-12-30T00:00:00Z'), 100);
  const perpetual = aFile(at('2023-08-01T00:00:00Z'), 15 * 1440, 'BTCUSDT.P');
  const share = { ...aFile(at('2025-04-01T00:00:00Z'), 300, 'MSFT'), assetClass: 'equity' as const };

  expect(segmentsOf(spot).map((s) => s.part)).toEqual(['fit', 'validate', 'test', 'late']);
  expect(segmentsOf(perpetual)[1]).toEqual({
    part: 'validate',
    startS: at('2023-08-10T11:10:00Z'),
    endS: at('2024-01-01T00:00:00Z'),
  });
  // The split ignores a file's last minute: one file's fitting minutes must not validate another.
  expect(segmentsOf({ ...perpetual, candles: perpetual.candles.slice(0, -2) })).toEqual(segmentsOf(perpetual));
  expect(segmentsOf(share).map((s) => [s.part, s.endS])).toEqual([
    ['fit', at('2025-04-01T01:40:00Z')],
    ['validate', at('2025-04-01T03:20:00Z')],
    ['test', at('2026-01-01T00:00:00Z')],
    ['late', Number.POSITIVE_INFINITY],
  ]);
});
