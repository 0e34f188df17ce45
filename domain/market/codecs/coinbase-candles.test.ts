import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candle } from '../candle.ts';
import { coinbaseGranularityOf, parseCoinbaseCandles, readCoinbaseTimeS, toCoinbaseRow } from './coinbase-candles.ts';

const HOUR_S = 3600;
const candle = (hour: number, over: Partial<Candle> = {}): Candle => ({
  time: hour * HOUR_S,
  open: 100.5,
  high: 102,
  low: 99,
  close: 101,
  volume: 3.25,
  ...over,
});
const junk = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fc.string(), fc.double(), fc.constant(null))));

test('reads a row as time, low, high, open, close, volume', () => {
  expect(toCoinbaseRow(candle(2))).toEqual([7200, 99, 102, 100.5, 101, 3.25]);
  expect(toCoinbaseRow(candle(0, { volume: undefined }))[5]).toBe(0);
});

test('reads rows in any order oldest first, among counted junk', () => {
  const hours = fc.uniqueArray(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(hours, fc.array(junk, { maxLength: 5 }), (times, bad) => {
      const candles = times.map((hour) => candle(hour));

      const read = parseCoinbaseCandles([...bad, ...candles.map(toCoinbaseRow)], 3600);

      expect(read).toEqual({ candles: [...candles].sort((a, b) => a.time - b.time), malformed: bad.length });
    }),
  );
});

test.each([
  ['low and high in the usual order', [HOUR_S, 102, 99, 100.5, 101, 1]],
  ['a price as text', [HOUR_S, '99', 102, 100.5, 101, 1]],
  ['null', [HOUR_S, null, 102, 100.5, 101, 1]],
  ['a price without end', [HOUR_S, 99, Number.POSITIVE_INFINITY, 100.5, 101, 1]],
  ['a negative volume', [HOUR_S, 99, 102, 100.5, 101, -1]],
  ['a time off the hour', [HOUR_S + 60, 99, 102, 100.5, 101, 1]],
])('drops and counts a row with %s', (_what, bad) => {
  const good = candle(5);

  expect(parseCoinbaseCandles([bad, toCoinbaseRow(good)], 3600)).toEqual({ candles: [good], malformed: 1 });
  expect(() => parseCoinbaseCandles([bad], 3600)).toThrow('venue/unavailable');
});

test("reads no candles of a product without trades, and rejects an answer that isn't a list", () => {
  expect(parseCoinbaseCandles([], 60)).toEqual({ candles: [], malformed: 0 });
  for (const answer of [{ message: 'NotFound' }, null, '<html>', 7])
    expect(() => parseCoinbaseCandles(answer, 60)).toThrow('venue/unavailable');
});

test.each([
  ['60', 60],
  ['86400', 86_400],
  ['61', null],
  ['060', null],
  ['', null],
  ['3600.0', null],
])('reads granularity %j as %j', (text, expected) => {
  expect(coinbaseGranularityOf(text)).toBe(expected);
});

test.each([
  ['2025-11-12T15:00:00Z', 1_762_959_600],
  ['2025-11-12T15:00:00.000Z', 1_762_959_600],
  ['2025-11-12T15:00:00', 1_762_959_600],
  ['2025-11-12T16:00:00+01:00', 1_762_959_600],
  ['2025-11-12', 1_762_905_600],
  ['1762959600', 1_762_959_600],
  ['tomorrow', null],
  ['2025-13-40T99:00:00Z', null],
  ['-5', null],
  ['', null],
])('reads the time %j as %j', (text, expected) => {
  expect(readCoinbaseTimeS(text)).toBe(expected);
});
