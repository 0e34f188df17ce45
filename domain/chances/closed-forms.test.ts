import { expect, test } from 'vitest';
import { QUANTILE_LEVELS } from '../forecast/quantiles.ts';
import { walkFirst, walkTouch } from './baseline-chance.ts';
import { PLAIN, widthOf } from './calibration.ts';
import { chanceForecast } from './chance-forecast.ts';
import { clockWindow } from './clock-window.ts';
import { upperTailOf } from './close-chance.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { fixtureInput } from './testing/chance-fixtures.ts';

test.each([
  [0, 0.5],
  [1, 0.841344746068543],
  [-1.959963984540054, 0.025],
  [3.5, 0.999767370920964],
  [-6, 9.865876450376981e-10],
  [-12, 1.7764821120777e-33],
])('knows the normal distribution at %d', (x, p) => {
  expect(normalCdf(x) / p).toBeCloseTo(1, 11);
  expect(normalQuantile(normalCdf(Math.max(-6, x)))).toBeCloseTo(Math.max(-6, x), 8);
});

test('meets every level at its quantile, and falls off exponentially beyond the last', () => {
  const row = QUANTILE_LEVELS.map((level) => 0.001 * normalQuantile(level));
  for (const [i, level] of QUANTILE_LEVELS.entries()) expect(upperTailOf(row, row[i] ?? 0)).toBeCloseTo(1 - level, 12);
  const [last, before] = [row.at(-1) ?? 0, row.at(-2) ?? 0];

  expect(upperTailOf(row, last + (last - before))).toBeCloseTo(0.001, 12);
  expect(upperTailOf(row, -last - (last - before))).toBeCloseTo(0.999, 12);
});

test('puts a price that several levels share in their middle', () => {
  const row = QUANTILE_LEVELS.map((level) => (level > 0.3 && level < 0.7 ? 0 : level - 0.5));

  expect(upperTailOf(row, 0)).toBeCloseTo(0.5, 12);
  expect(
    upperTailOf(
      QUANTILE_LEVELS.map(() => 0),
      1,
    ),
  ).toBe(0);
  expect(
    upperTailOf(
      QUANTILE_LEVELS.map(() => 0),
      0,
    ),
  ).toBeCloseTo(0.5, 12);
});

test('joins images and waves of a walk between two prices without a step', () => {
  for (const [ahead, behind] of [
    [1, 1],
    [1, 3],
    [4, 1],
  ] as const) {
    const sigma = Math.sqrt(0.3) * (ahead + behind);
    expect(walkFirst(sigma * 0.99999, ahead, behind)).toBeCloseTo(walkFirst(sigma * 1.00001, ahead, behind), 4);
    expect(walkFirst(100, ahead, behind)).toBeCloseTo(behind / (ahead + behind), 6);
    // While the other price is out of reach, only the near one counts.
    expect(walkFirst(0.1, ahead, 50)).toBeCloseTo(walkTouch(0.1, ahead), 12);
  }
});

test('takes a window’s open from its first candle, and from the close before while there is none', () => {
  const candle = (time: number, open: number) => ({ time, open, high: open + 1, low: open - 1, close: open + 0.5 });
  const at = 1_800_000_000;
  const candles = [-60, 0, 60, 180].map((s, i) => candle(at + s, 100 + i));

  expect(clockWindow(candles, 5, (at + 240) * 1000)).toEqual({ openS: at, endS: at + 300, open: 101, missing: 1 });
  expect(clockWindow(candles.slice(0, 1), 15, (at + 20) * 1000)).toMatchObject({ open: 100.5, missing: 0 });
  expect(clockWindow(candles.slice(2), 5, (at + 240) * 1000)).toMatchObject({ reason: 'open-unknown' });
  expect(clockWindow(candles, 7 as 5, at * 1000)).toMatchObject({ reason: 'window-unknown' });
});

test('refuses a forecast with numbers that are not finite, positive and in order', () => {
  const good = fixtureInput();
  const wrong = [
    { variance: new Float64Array(49).fill(1e-6) },
    { variance: new Float64Array(50) },
    { variance: new Float64Array(50).fill(Number.NaN) },
    { quantiles: good.quantiles.slice(1) },
    { quantiles: good.quantiles.map((row) => [...Array.from(row)].reverse()) },
    { ewma: 0 },
    { lastClose: Number.POSITIVE_INFINITY },
    { t0: Number.NaN },
  ];

  expect(chanceForecast(good)).not.toHaveProperty('reason');
  for (const own of wrong) expect(chanceForecast({ ...good, ...own })).toMatchObject({ reason: 'forecast-invalid' });
});

test('never lets a later bar be narrower than an earlier one', () => {
  const good = fixtureInput();
  const forecast = chanceForecast({ ...good, quantiles: good.quantiles.toReversed() });

  expect('rows' in forecast && forecast.rows.every((row) => row.at(-1) === forecast.rows[0]?.at(-1))).toBe(true);
});

test('reads a factor between its points by the logarithm of the bars left', () => {
  const own = {
    ...PLAIN,
    widths: {
      ...PLAIN.widths,
      touch: [
        [4, 1],
        [16, 1.2],
      ] as const,
    },
  };

  expect(widthOf(own, 'touch', { elapsed: 0, bar: 8 })).toBeCloseTo(1.1, 12);
  expect(widthOf(own, 'touch', { elapsed: 1, bar: 3 })).toBe(1);
  expect(widthOf(own, 'touch', { elapsed: 0, bar: 50 })).toBe(1.2);
  expect(widthOf(PLAIN, 'close', { elapsed: 0.5, bar: 1 })).toBe(1);
});
