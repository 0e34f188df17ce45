import { expect, test } from 'vitest';
import { barSecondsIn } from './candle-feed.ts';
import { legendFigures } from './describe-series.ts';

const T0 = Date.UTC(2026, 10, 27) / 1000;
const candles = (count: number, barS: number) =>
  Array.from({ length: count }, (_, i) => ({ time: T0 + (i - count + 1) * barS, open: 1, high: 1, low: 1, close: 1 }));

test.each([
  ['a minute', candles(3, 60), 60],
  ['a quarter of an hour', candles(3, 900), 900],
  ['a gap between them', candles(5, 300).toSpliced(1, 2), 300],
  ['one candle', candles(1, 300), 60],
  ['none', [], 60],
])('reads the length of candles off their distance: %s', (_which, shown, barS) => {
  expect(barSecondsIn(shown)).toBe(barS);
});

test.each([
  [60, 12, '+12 min'],
  [300, 2, '+10 min'],
  [300, 50, '+4 h 10'],
  [900, 50, '+12 h 30'],
])('says how far ahead a candle of %d seconds is', (barS, bar, ahead) => {
  const series = { candles: candles(150, barS), joinS: T0, band: null };

  expect(legendFigures(T0 + bar * barS, series, 1)).toMatchObject({ ahead, isForecast: true });
});
