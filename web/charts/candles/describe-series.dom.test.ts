import { expect, test } from 'vitest';
import { barSecondsIn } from './candle-feed.ts';
import { dayStarts, describeSeries, legendFigures, tickLabel } from './describe-series.ts';

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

test('names the day where one begins, in the page’s zone, and also after a night without candles', () => {
  const at = (text: string) => Date.parse(`2026-11-${text}`) / 1000;
  const shares = ['25T20:45-05:00', '27T09:30-05:00', '27T09:45-05:00'].map(at);
  const coin = ['26T23:45Z', '27T00:00Z', '27T00:15Z'].map(at);

  expect([...dayStarts(shares)]).toEqual(shares.slice(1, 2));
  expect([...dayStarts(coin)].map((timeS) => tickLabel(timeS, true))).toEqual(['Fri 27']);
  expect(tickLabel(coin[2] ?? 0)).toBe('00:15');
  expect(dayStarts([]).size).toBe(0);
});

test('reads the real candle where it has closed, over the path of the forecast', () => {
  const path = candles(160, 60).slice(-10);
  const outcome = [{ ...path[0], close: 7, high: 7 } as (typeof path)[number]];
  const series = { candles: candles(160, 60), joinS: T0 - 600, band: null, outcome };
  expect(legendFigures(outcome[0]?.time ?? 0, series, 1)).toMatchObject({ close: '7.0', isForecast: false });
});

test('says where time is missing, by name while the places are few', () => {
  const withGaps = (gaps: number) => ({
    candles: candles(20, 60).filter((_, i) => i > gaps * 2 || i % 2 === 0),
    joinS: null,
    band: null,
  });

  expect(describeSeries('Gold', withGaps(0), 1)).not.toContain('missing');
  expect(describeSeries('Gold', withGaps(2), 1)).toMatch(/Time is missing: 1 min before \S+, 1 min before \S+\./);
  expect(describeSeries('Gold', withGaps(4), 1)).toContain('Time is missing at 4 places.');
});
