import { expect, test } from 'vitest';
import type { ChartSeries } from './candle-feed.ts';
import {
  barsFromLeft,
  isCutAtLeft,
  isCutAtRight,
  isTooThinForBodies,
  reservedBars,
  ticksBesideTags,
  wholeWindow,
} from './chart-window.ts';

const candles = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ time: 60 * (i + 1), open: 1, high: 1, low: 1, close: 1 }));
const series = (count: number, joinBar: number | null = null): ChartSeries => ({
  candles: candles(count),
  joinS: joinBar === null ? null : 60 * joinBar,
  band: null,
});
const barsOf = (shown: ChartSeries, horizon: number) => {
  const whole = wholeWindow(shown, horizon);
  return whole === null ? 0 : whole.to - whole.from;
};

test.each([
  ['150 candles leave room for what may come', series(150), 50, 50, 204],
  ['150 candles take the whole width where nothing comes', series(150), 0, 0, 154],
  [
    'candles past the end of a forecast have their places',
    { ...series(200, 150), outcome: series(60).candles },
    50,
    61,
    215,
  ],
  ['a forecast that begins reserves its 50 places', series(150, 150), 50, 50, 204],
  ['half way nothing moves', series(175, 150), 50, 50, 204],
  ['nor at its end', series(200, 150), 50, 50, 204],
  ['a saved forecast is shown whole where none is to come', series(200, 150), 0, 0, 204],
  ['without candles there is nothing to show', series(0), 0, 0, 0],
])('sizes the window: %s', (_what, shown, horizon, reserved, bars) => {
  expect(reservedBars(shown, horizon)).toBe(reserved);
  expect(barsOf(shown, horizon)).toBe(bars);
});

test('shows the last 60 candles and the forecast’s places on request, and all of fewer', () => {
  expect(wholeWindow(series(150, 150), 50, 60)).toEqual({ from: 91.5, to: 203.5 });
  expect(wholeWindow(series(200, 150), 50, 60)).toEqual({ from: 91.5, to: 203.5 });
  expect(wholeWindow(series(40), 50, 60)).toEqual(wholeWindow(series(40), 50));
});

test('fits 150 candles and 50 more on a phone of 360 pixels, at more than 1.2 pixels each', () => {
  const panePx = 360 - 2 * 16 - 10 - 72;

  expect(panePx / barsOf(series(150, 150), 50)).toBeGreaterThan(1.2);
});

test('hollows a rising body where the library has three pixels for it', () => {
  expect(isTooThinForBodies(2.4)).toBe(true);
  expect(isTooThinForBodies(2.5)).toBe(false);
});

test.each([
  ['at the last candle of a phone', 0, 1.7, true],
  ['ten minutes before', 10, 1.7, false],
  ['three minutes before, where bars are wide', 3, 5, false],
])('leaves out a time label that the edge would cut: %s', (_what, minutesBefore, barPx, isCut) => {
  expect(isCutAtRight(minutesBefore, barPx)).toBe(isCut);
});

test.each([
  ['the first of the sixty shown', 91, 60, true],
  ['one among them', 110, 60, false],
  ['one that only a moved view shows', 20, 60, false],
  ['the first of all', 1, null, true],
])('leaves out a time label that the left edge would cut: %s', (_what, bar, realBars, isCut) => {
  expect(isCutAtLeft(barsFromLeft(series(150), 60 * bar, realBars), 3)).toBe(isCut);
});

const LABELS = ['300', '200', '100', '0'];
const YS = [20, 60, 100, 140];

test.each([
  ['without tags every figure shows', [], ['300', '200', '100', '0']],
  ['a tag on a figure takes its place', [60], ['300', '', '100', '0']],
  ['a tag beside a figure would half cover it', [112], ['300', '200', '', '0']],
  ['a tag between two figures leaves both', [80], ['300', '200', '100', '0']],
  ['two tags that touch are moved apart, over figures further away', [77, 83], ['300', '', '', '0']],
])('places figures beside tags: %s', (_what, tags, expected) => {
  expect(ticksBesideTags(LABELS, YS, tags)).toEqual(expected);
});

test('keeps a figure whose place is not known', () => {
  expect(ticksBesideTags(['1'], [null], [0])).toEqual(['1']);
});
