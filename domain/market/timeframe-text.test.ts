import { expect, test } from 'vitest';
import { barsDuration, barUnit, candlesName, timeframeName } from './timeframe-text.ts';
import { timeframeOfText } from './timeframes.ts';

test.each([
  ['5min', '5min'],
  ['15MIN', '15min'],
  ['1min', '1min'],
  ['7min', null],
  ['', null],
  ['5', null],
  ['constructor', null],
  [' 5min', null],
])('reads "%s" as %s', (text, timeframe) => {
  expect(timeframeOfText(text)).toBe(timeframe);
});

test.each([
  ['1min', '1 minute', 'one-minute candles', 'min'],
  ['5min', '5 minutes', '5-minute candles', 'bars'],
  ['15min', '15 minutes', '15-minute candles', 'bars'],
] as const)('names %s', (timeframe, name, candles, unit) => {
  expect(timeframeName(timeframe)).toBe(name);
  expect(candlesName(timeframe)).toBe(candles);
  expect(barUnit(timeframe, true)).toBe(unit);
});

test.each([
  [50, 1, '50 min'],
  // As it was before there were longer candles.
  [150, 1, '150 min'],
  [50, 5, '4 h 10'],
  [50, 15, '12 h 30'],
  [1, 5, '5 min'],
  [12, 5, '1 h'],
  [13, 5, '1 h 05'],
])('says how long %d candles of %d minutes last', (bars, barMinutes, duration) => {
  expect(barsDuration(bars, barMinutes)).toBe(duration);
});
