import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregateCandles } from '#domain/market/bars.ts';
import { isOpen } from '#domain/market/calendar/trading-hours.ts';
import type { Candle } from '#domain/market/candle.ts';
import { barMinutesOf } from '#domain/market/timeframes.ts';
import { CandleSeries, missingBars } from './candle-series.ts';

/** Wednesday 12 November 2025, 15:00 UTC: within every exchange's hours. */
const T = 1_762_959_600;
const aCandle = (minute: number, over: Partial<Candle> = {}): Candle => ({
  time: T + minute * 60,
  open: 100,
  high: 102,
  low: 99,
  close: 101,
  volume: 1,
  ...over,
});
const candles = (from: number, to: number): Candle[] => Array.from({ length: to - from }, (_, i) => aCandle(from + i));
const minutesOf = (series: CandleSeries): number[] => series.last(9999).map((c) => (c.time - T) / 60);

function filled(until: number): CandleSeries {
  const series = new CandleSeries('always', 1499);
  series.merge(candles(0, until), true, T + until * 60);
  return series;
}

test('appends the next closed candle', () => {
  const series = filled(3);

  expect(series.add(aCandle(3))).toBe(true);
  expect(minutesOf(series)).toEqual([0, 1, 2, 3]);
});

test('shows nothing after a gap until history has filled it', () => {
  const series = filled(3);

  expect(series.add(aCandle(5))).toBe(false);
  expect(minutesOf(series)).toEqual([0, 1, 2]);
  series.merge(candles(2, 6), false, T + 6 * 60);

  expect(minutesOf(series)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('leaves a minute missing that the venue lacks too, and requests it only once', () => {
  const series = filled(3);
  series.add(aCandle(5));

  series.merge([aCandle(1), aCandle(2), aCandle(5)], false, T + 6 * 60);

  expect(minutesOf(series)).toEqual([0, 1, 2, 5]);
  expect(series.add(aCandle(6))).toBe(true);
});

test('replaces its candles with history that does not reach back to them', () => {
  const series = filled(3);

  series.merge(candles(10, 14), false, T + 14 * 60);

  expect(minutesOf(series)).toEqual([10, 11, 12, 13]);
});

test('keeps the last of two closed candles of one minute, and sorts late ones in', () => {
  const series = filled(4);

  series.add(aCandle(1, { close: 100.5 }));
  series.add(aCandle(3));

  expect(minutesOf(series)).toEqual([0, 1, 2, 3]);
  expect(series.last(3)[0]?.close).toBe(100.5);
});

test.each([
  ['NaN', { close: Number.NaN }],
  ['a high below the close', { high: 100 }],
  ['a time off the minute', { time: T + 3 * 60 + 1 }],
  ['a negative price', { low: -1 }],
  ['an infinite volume', { volume: Number.POSITIVE_INFINITY }],
])('refuses a candle with %s', (_what, over) => {
  const series = filled(3);

  series.add(aCandle(3, over));
  series.merge([aCandle(3, over)], true, T + 3 * 60);

  expect(minutesOf(series)).toEqual([0, 1, 2]);
});

test('does not treat the night between two sessions as a gap', () => {
  const closeS = Date.parse('2025-11-12T21:00:00Z') / 1000;
  const openS = Date.parse('2025-11-13T14:30:00Z') / 1000;
  const series = new CandleSeries('nasdaq', 100);
  series.merge([aCandle(0, { time: closeS - 60 })], true, closeS);

  expect(series.isCompleteUntil(openS)).toBe(true);
  expect(series.add(aCandle(0, { time: openS }))).toBe(true);
  expect(series.add(aCandle(0, { time: openS + 120 }))).toBe(false);
});

test('keeps at most its capacity of candles, ascending, whatever order they arrive in', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 100 }), (minutes) => {
      const series = new CandleSeries('always', 20);
      series.merge([aCandle(0)], true, T + 60);

      for (const minute of minutes) series.add(aCandle(minute));
      series.merge([], true, T + 61 * 60);

      const shown = minutesOf(series);
      const known = [...new Set([0, ...minutes])].sort((a, b) => a - b);
      expect(shown.length).toBeLessThanOrEqual(20);
      expect(shown.every((minute, i) => known.includes(minute) && (i === 0 || minute > (shown[i - 1] ?? 0)))).toBe(
        true,
      );
      expect(shown.at(-1)).toBe(known.at(-1));
    }),
  );
});

test('lists exactly the removed minutes as missing, and fills exactly those', () => {
  const gaps = fc.uniqueArray(fc.integer({ min: 1, max: 58 }), { maxLength: 40 });
  fc.assert(
    fc.property(gaps, (lost) => {
      const series = new CandleSeries('always', 1499);
      const rest = candles(0, 60).filter((_, minute) => !lost.includes(minute));
      series.merge(rest, true, T + 60 * 60);

      expect(series.missing().map((s) => (s - T) / 60)).toEqual([...lost].sort((a, b) => a - b));

      const filledIn = series.fill(candles(-5, 70));
      expect(filledIn.map((c) => (c.time - T) / 60)).toEqual([...lost].sort((a, b) => a - b));
      expect(minutesOf(series)).toEqual(Array.from({ length: 60 }, (_, i) => i));
      expect(series.missing()).toEqual([]);
    }),
  );
});

test('fills only missing minutes with valid candles, and replaces none', () => {
  const series = new CandleSeries('always', 1499);
  series.merge([aCandle(0), aCandle(2)], true, T + 180);

  series.fill([aCandle(-1), aCandle(0, { close: 100 }), aCandle(1, { low: Number.NaN }), aCandle(3)]);

  expect(series.last(9).map((c) => [(c.time - T) / 60, c.close])).toEqual([
    [0, 101],
    [2, 101],
  ]);
});

test('does not list nights, weekends and breaks as missing minutes', () => {
  const fridayClose = Date.parse('2025-11-07T20:58:00Z') / 1000;
  const mondayOpen = Date.parse('2025-11-10T14:30:00Z') / 1000;

  expect(missingBars('nasdaq', [fridayClose, fridayClose + 60, mondayOpen])).toEqual([]);
  expect(missingBars('nasdaq', [fridayClose, mondayOpen + 60])).toEqual([fridayClose + 60, mondayOpen]);
  expect(missingBars('always', [])).toEqual([]);
});

test('distinguishes another market’s candles by the minutes that both have', () => {
  const series = filled(10);

  expect(series.compare(candles(5, 15))).toBe('same');
  expect(series.compare(candles(20, 30))).toBe('nothing-common');
  expect(series.compare([])).toBe('nothing-common');
  expect(series.compare(candles(5, 15).map((c) => ({ ...c, close: 100 })))).toBe('other');
  expect(series.compare([aCandle(7, { close: 100 }), aCandle(8), aCandle(9)])).toBe('same');
});

test.each([
  // The clocks go forward on 8 March and back on 1 November 2026.
  ...['2026-03-06', '2026-10-30'].flatMap((friday) =>
    (['5min', '15min'] as const).flatMap((timeframe) =>
      (['nasdaq', 'comex', 'ice-us', 'always'] as const).map((hours) => [hours, timeframe, friday] as const),
    ),
  ),
])('misses no bar of %s at %s over the weekend of a clock change, %s', (hours, timeframe, friday) => {
  const fromS = Date.parse(`${friday}T12:00:00Z`) / 1000;
  const days = Array.from({ length: 5 * 1440 }, (_, i) => aCandle((fromS - T) / 60 + i));
  const bars = aggregateCandles(
    days.filter(({ time }) => isOpen(hours, time)),
    timeframe,
  );
  const series = new CandleSeries(hours, 2000, timeframe);

  series.merge(bars, true, fromS + 5 * 86_400);

  expect(series.missing()).toEqual([]);
  expect(series.last(9999)).toHaveLength(bars.length);
  expect(bars.length * barMinutesOf(timeframe)).toBe(days.filter(({ time }) => isOpen(hours, time)).length);
});
