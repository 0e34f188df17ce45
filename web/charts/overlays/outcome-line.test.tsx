import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { createCandleCanvas } from '../candles/candle-canvas.ts';
import type { ChartSeries } from '../candles/candle-feed.ts';
import { SmallCandles } from '../candles/small-candles.tsx';
import { fakeChart } from '../testing/fake-chart.ts';
import { describeOutcome, outcomeLine } from './outcome-line.ts';

const drawn = { lines: [] as { value: number; time: number }[][] };
const createChart = fakeChart({
  addSeries: (_kind, options) => ({
    setData: (data: { value: number; time: number }[]) => void (options.lineWidth === 2 && drawn.lines.push(data)),
  }),
});

const candlesOf = (closes: readonly number[], firstMinute: number): Candle[] =>
  closes.map((close, i) => ({ time: 60 * (firstMinute + i), open: close, high: close + 1, low: close - 1, close }));
/** Two real candles, two forecast, and the two that came. */
const series: ChartSeries = {
  candles: candlesOf([100, 102, 110, 104], 1),
  joinS: 120,
  band: null,
  outcome: candlesOf([101, 99.96], 3),
};

beforeEach(() => drawn.lines.splice(0));

test('draws the line from the last real close through the outcome', () => {
  expect(outcomeLine(series).map(({ time, close }) => [time, close])).toEqual([
    [120, 102],
    [180, 101],
    [240, 99.96],
  ]);
  expect(outcomeLine({ ...series, outcome: [] })).toEqual([]);
});

test('describes how many there are, where they closed, and how far from the last close and from the path', () => {
  expect(describeOutcome(series, 1)).toBe(
    ' A line shows the outcome: 2 real candles, the last closing at 100.0, −2.00%, −3.88% from the path’s end.',
  );
  expect(describeOutcome({ ...series, outcome: [] }, 1)).toBe('');
});

test('gives the large chart its line with the first outcome, and removes it with the next series', () => {
  const options = { decimals: 1, horizonBars: 0, isMotionReduced: true, onPoint: () => undefined };
  const canvas = createCandleCanvas(document.createElement('div'), options, createChart);
  canvas.reset({ candles: series.candles, joinS: series.joinS, band: null });
  expect(drawn.lines).toEqual([]);

  canvas.reset(series);
  expect(drawn.lines.at(-1)?.map(({ value }) => value)).toEqual([102, 101, 99.96]);

  canvas.reset({ candles: series.candles, joinS: series.joinS, band: null });
  expect(drawn.lines.at(-1)).toEqual([]);
});

/** Draws a small chart 24 pixels wide and 100 high, two pixels apart, and returns each point of its lines. */
function pointsOf(change: Partial<ChartSeries> = {}): [number, number][] {
  const points: [number, number][] = [];
  const nothing = () => undefined;
  const context = {
    fillRect: nothing,
    save: nothing,
    restore: nothing,
    setLineDash: nothing,
    beginPath: nothing,
    arc: nothing,
    fill: nothing,
    stroke: nothing,
    lineTo: (x: number, y: number) => void points.push([x, y]),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(16 + 4 * 2);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100);
  const { candles, joinS, outcome } = { ...series, ...change };
  render(<SmallCandles candles={candles} joinS={joinS} name="BTC" decimals={1} outcome={outcome} />);
  return points;
}

test('draws the line on a small chart at its own minutes, over its halo, within the picture', () => {
  const points = pointsOf();

  // The passed path, then the outcome's halo and line.
  expect(points.map(([x]) => x)).toEqual([11, 13, 15, 11, 13, 15, 11, 13, 15]);
  for (const [, y] of points) {
    expect(y).toBeGreaterThanOrEqual(8);
    expect(y).toBeLessThanOrEqual(92);
  }
  expect(screen.getByRole('img').getAttribute('data-outcome-count')).toBe('2');
});

test('draws no line where no outcome or no forecast is known', () => {
  expect(pointsOf({ outcome: [] })).toEqual([]);
  expect(pointsOf({ joinS: null })).toEqual([]);
});
