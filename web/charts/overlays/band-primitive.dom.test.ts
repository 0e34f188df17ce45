import { afterEach, expect, test, vi } from 'vitest';
import { type Palette, withAlpha } from '../palette.ts';
import { ALPHA_80, ALPHA_95 } from './band-paint.ts';
import { BandPrimitive } from './band-primitive.ts';

const PALETTE: Palette = {
  text: 'rgb(1, 1, 1)',
  muted: 'rgb(2, 2, 2)',
  line: 'rgb(3, 3, 3)',
  surface: 'rgb(4, 4, 4)',
  accent: 'rgb(5, 5, 5)',
  accentLine: 'rgb(5, 6, 6)',
  accentFill: 'rgb(5, 7, 7)',
  onAccent: 'rgb(5, 8, 8)',
  band: 'rgb(242, 180, 65)',
  up: 'rgb(47, 191, 155)',
  down: 'rgb(240, 112, 95)',
};
const BAND = { lower80: [99, 98], upper80: [101, 102], lower95: [97, 96], upper95: [103, 105] };

/** One pixel a minute from x = 0 at second 60; price p at y = 200 - p. */
function draw(primitive: BandPrimitive, only?: 'bottom' | 'normal' | 'top') {
  const fills: { style: unknown; points: [number, number][] }[] = [];
  const strokes: { style: unknown; width: number }[] = [];
  const labels: string[] = [];
  let points: [number, number][] = [];
  const context = {
    fillStyle: '',
    strokeStyle: '',
    lineWidth: 0,
    font: '',
    textBaseline: '',
    beginPath: () => {
      points = [];
    },
    lineTo: (x: number, y: number) => points.push([x, y]),
    closePath: () => {},
    fill() {
      fills.push({ style: this.fillStyle, points });
    },
    stroke() {
      strokes.push({ style: this.strokeStyle, width: this.lineWidth });
    },
    fillRect: vi.fn(),
    fillText: (text: string) => labels.push(text),
  };
  const timeScale = { timeToCoordinate: (time: number) => time / 60 - 1, options: () => ({ barSpacing: 1 }) };
  primitive.attached({
    chart: { timeScale: () => timeScale },
    series: { priceToCoordinate: (price: number) => 200 - price },
    requestUpdate: () => {},
  } as never);
  const target = {
    useMediaCoordinateSpace: (f: (scope: unknown) => void) => f({ context, mediaSize: { width: 600, height: 200 } }),
  };
  for (const view of primitive.paneViews())
    if (only === undefined || view.zOrder?.() === only) view.renderer()?.draw(target as never);
  return { fills, strokes, labels, rectangles: context.fillRect.mock.calls };
}

afterEach(() => document.documentElement.removeAttribute('data-theme'));

test.each([
  ['light', 4],
  ['dark', 0],
])('outlines the bands in the %s theme with %i lines', (theme, lines) => {
  document.documentElement.dataset.theme = theme;
  const primitive = new BandPrimitive(PALETTE, String);
  primitive.show({ joinS: 60, barS: 60, lastClose: 100, band: BAND, bars: 2 }, PALETTE);

  expect(draw(primitive).strokes).toEqual(
    Array.from({ length: lines }, () => ({ style: withAlpha(PALETTE.band, 0.6), width: 1 })),
  );
});

test('draws the 95% band under the 80% band, both opening from the last real close', () => {
  const primitive = new BandPrimitive(PALETTE, String);
  primitive.show({ joinS: 60, barS: 60, lastClose: 100, band: BAND, bars: 2 }, PALETTE);

  const { fills, labels, rectangles } = draw(primitive);

  expect(fills.map(({ style }) => style)).toEqual([
    withAlpha(PALETTE.band, ALPHA_95),
    withAlpha(PALETTE.band, ALPHA_80),
  ]);
  expect(fills[1]?.points).toEqual([
    [0, 100],
    [1, 99],
    [2, 98],
    [2, 102],
    [1, 101],
    [0, 100],
  ]);
  expect(labels).toEqual(['forecast']);
  expect(rectangles[0]?.[0]).toBe(0.5);
  expect(primitive.priceAxisViews().map((view) => view.text())).toEqual(['102', '98']);
  expect(primitive.autoscaleInfo(0 as never, 1 as never)?.priceRange).toEqual({ minValue: 96, maxValue: 105 });
});

test('draws the label over the lines of the grid, and everything else below them', () => {
  const primitive = new BandPrimitive(PALETTE, String);
  primitive.show({ joinS: 60, barS: 60, lastClose: 100, band: BAND, bars: 2 }, PALETTE);

  expect(draw(primitive, 'bottom').labels).toEqual([]);
  const { fills, labels, rectangles } = draw(primitive, 'normal');

  expect([fills, labels, rectangles]).toEqual([[], ['forecast'], []]);
});

test('ends the ground with the last bar, however much room is right of it', () => {
  const primitive = new BandPrimitive(PALETTE, String);
  primitive.show({ joinS: 60, barS: 60, lastClose: 100, band: BAND, bars: 2 }, PALETTE);

  expect(draw(primitive, 'bottom').rectangles).toEqual([
    [0.5, 0, 2, 200],
    [1, 0, 1, 200],
  ]);
});

test('marks the four edges of the bar at the crosshair, and none of a real candle', () => {
  const primitive = new BandPrimitive(PALETTE, String);
  primitive.show({ joinS: 60, barS: 60, lastClose: 100, band: BAND, bars: 2 }, PALETTE);
  expect(draw(primitive, 'top').rectangles).toEqual([]);

  primitive.pointAt(180);
  expect(draw(primitive, 'top').rectangles).toEqual([95, 98, 102, 104].map((y) => [2 - 4.5, y - 1, 9, 2]));

  for (const timeS of [60, 240, null]) {
    primitive.pointAt(timeS);
    expect(draw(primitive, 'top').rectangles).toEqual([]);
  }
});

test('draws nothing without a forecast', () => {
  const primitive = new BandPrimitive(PALETTE, String);

  const { fills, labels, rectangles } = draw(primitive);

  expect([fills, labels, rectangles]).toEqual([[], [], []]);
  expect(primitive.autoscaleInfo(0 as never, 1 as never)).toBeNull();
});
