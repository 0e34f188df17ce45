import { expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import type { Palette } from '../palette.ts';
import { GhostPrimitive, ghostOf } from './ghost-primitive.ts';

const PALETTE: Palette = {
  text: 'rgb(1, 1, 1)',
  muted: 'rgb(2, 2, 2)',
  line: 'rgb(3, 3, 3)',
  surface: 'rgb(4, 4, 4)',
  accent: 'rgb(5, 5, 5)',
  accentLine: 'rgb(5, 6, 6)',
  accentFill: 'rgb(5, 7, 7)',
  onAccent: 'rgb(5, 8, 8)',
  band: 'rgb(6, 6, 6)',
  up: 'rgb(7, 7, 7)',
  down: 'rgb(8, 8, 8)',
};
const BAND = { lower80: [99, 98], upper80: [101, 102], lower95: [97, 96], upper95: [103, 105] };
const GHOST = { joinS: 60, barS: 60, lastClose: 100, scale: 0.001, band: BAND };

/** `barPx` pixels a minute from x = 0 at second 60; price p at y = 200 - p. */
function draw(primitive: GhostPrimitive, barPx = 1) {
  const lines: { dash: readonly number[]; points: [number, number][] }[] = [];
  const labels: string[] = [];
  const fill = vi.fn();
  let dash: readonly number[] = [];
  let points: [number, number][] = [];
  const context = {
    save: () => {},
    restore: () => {},
    setLineDash: (lengths: readonly number[]) => {
      dash = lengths;
    },
    beginPath: () => {
      points = [];
    },
    lineTo: (x: number, y: number) => points.push([x, y]),
    stroke: () => lines.push({ dash, points }),
    fill,
    fillText: (text: string) => labels.push(text),
  };
  primitive.attached({
    chart: { timeScale: () => ({ timeToCoordinate: (time: number) => (time / 60 - 1) * barPx }) },
    series: { priceToCoordinate: (price: number) => 200 - price },
    requestUpdate: () => {},
  } as never);
  const target = {
    useMediaCoordinateSpace: (f: (scope: unknown) => void) => f({ context, mediaSize: { width: 200, height: 200 } }),
  };
  for (const view of primitive.paneViews()) view.renderer()?.draw(target as never);
  return { lines, labels, fill };
}

test('draws three kinds of broken line from the last close without a filled area, unlike the model’s coloured band', () => {
  const primitive = new GhostPrimitive(PALETTE);
  primitive.show(GHOST, PALETTE);

  const { lines, fill } = draw(primitive);

  expect(new Set(lines.map(({ dash }) => dash.join())).size).toBe(3);
  expect(lines.every(({ dash }) => dash.length > 0)).toBe(true);
  expect(lines.every(({ points }) => points[0]?.join() === '0,100')).toBe(true);
  expect(lines.at(-1)?.points).toEqual([
    [0, 100],
    [1, 100],
    [2, 100],
  ]);
  expect(fill).not.toHaveBeenCalled();
});

test('draws its label only where there is room for it', () => {
  const primitive = new GhostPrimitive(PALETTE);
  primitive.show(GHOST, PALETTE);

  expect(draw(primitive, 1).labels).toEqual([]);
  expect(draw(primitive, 100).labels).toEqual(['ghost']);
});

test('keeps a ghost wider than the forecast in view, and draws nothing without one', () => {
  const primitive = new GhostPrimitive(PALETTE);
  primitive.show(GHOST, PALETTE);
  expect(primitive.autoscaleInfo(0 as never, 1 as never)?.priceRange).toEqual({ minValue: 96, maxValue: 105 });

  primitive.show(null, PALETTE);

  expect(draw(primitive).lines).toEqual([]);
  expect(primitive.autoscaleInfo(0 as never, 1 as never)).toBeNull();
});

const history: Candle[] = Array.from({ length: 150 }, (_, i) => ({
  time: i * 60,
  open: 100,
  high: 101,
  low: 99,
  close: 100,
}));
const joinS = 149 * 60;

test('computes the ghost from real candles alone, not from those of the forecast', () => {
  const wild: Candle = { time: joinS + 60, open: 100, high: 150, low: 50, close: 120 };

  const before = ghostOf({ candles: history, joinS, band: null });
  const after = ghostOf({ candles: [...history, wild], joinS, band: null });

  expect(before?.lastClose).toBe(100);
  expect(after).toEqual(before);
});

test('stretches the ghost as the forecast is stretched, so that the comparison stays fair', () => {
  const plain = ghostOf({ candles: history, joinS, band: null });
  const stretched = ghostOf({ candles: history, joinS, band: null, ampPercent: 250 });

  const move = (price = Number.NaN) => Math.log(price / 100);
  expect(move(stretched?.band.upper80[49])).toBeCloseTo(2.5 * move(plain?.band.upper80[49]), 10);
  expect(move(stretched?.band.lower95[0])).toBeCloseTo(2.5 * move(plain?.band.lower95[0]), 10);
});

test('draws no ghost without a forecast', () => {
  expect(ghostOf({ candles: history, joinS: null, band: null })).toBeNull();
});
