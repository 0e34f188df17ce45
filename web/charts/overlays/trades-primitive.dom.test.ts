import { beforeEach, expect, test, vi } from 'vitest';
import { type DrawnTrade, type DrawnTrades, TradesPrimitive } from './trades-primitive.ts';

const MINUTE_MS = 60_000;
const BAR_PX = 60;
const COLOURS = { up: 'var(--up)', down: 'var(--down)', muted: 'var(--muted)' };

// jsdom resolves no custom property.
beforeEach(() => {
  vi.spyOn(window, 'getComputedStyle').mockImplementation((element) => (element as HTMLElement).style);
});

/** `BAR_PX` a minute from x = 0 at minute 0, of which the first ten are on the chart; price p at y = 200 - p. */
function paint(trades: DrawnTrades) {
  const host = document.body.appendChild(document.createElement('div'));
  const moves: { kind: 'line' | 'dot' | 'fill'; color?: string; at: [number, number][] }[] = [];
  const texts: { text: string; y: number; color: string }[] = [];
  let path: [number, number][] = [];
  const context = {
    fillStyle: '',
    strokeStyle: '',
    save: () => {},
    restore: () => {},
    setLineDash: () => {},
    closePath: () => {},
    fillRect: () => {},
    measureText: () => ({ width: 40 }),
    beginPath: () => {
      path = [];
    },
    moveTo: (x: number, y: number) => path.push([x, y]),
    lineTo: (x: number, y: number) => path.push([x, y]),
    arc: (x: number, y: number) => path.push([x, y]),
    stroke: () => moves.push({ kind: 'line', color: context.strokeStyle, at: path }),
    fill: () => moves.push({ kind: path.length === 1 ? 'dot' : 'fill', color: context.fillStyle, at: path }),
    fillText: (text: string, _x: number, y: number) => texts.push({ text, y, color: context.fillStyle }),
  };
  const primitive = new TradesPrimitive();
  const timeToCoordinate = (timeS: number) => (timeS >= 0 && timeS < 600 ? (timeS / 60) * BAR_PX : null);
  primitive.attached({
    chart: {
      chartElement: () => host,
      paneSize: () => ({ width: 500 }),
      timeScale: () => ({ timeToCoordinate, options: () => ({ barSpacing: BAR_PX }) }),
    },
    series: { priceToCoordinate: (price: number) => 200 - price },
    requestUpdate: () => {},
  } as never);
  primitive.mark(trades);
  const target = {
    useMediaCoordinateSpace: (f: (scope: unknown) => void) => f({ context, mediaSize: { width: 200, height: 200 } }),
  };
  for (const view of primitive.paneViews()) view.renderer()?.draw(target as never);
  primitive.detached();
  host.remove();
  return {
    arrows: moves.filter(({ kind }) => kind === 'fill'),
    dots: moves.filter(({ kind }) => kind === 'dot'),
    lines: moves.filter(({ kind, at }) => kind === 'line' && at.length === 2),
    texts,
  };
}

const trade = (change: Partial<DrawnTrade> = {}): DrawnTrade => ({
  side: 'long',
  entry: { atMs: 2 * MINUTE_MS, price: 100 },
  exit: { atMs: 2.5 * MINUTE_MS, price: 110 },
  pnl: 10,
  ...change,
});
const drawn = (...closed: DrawnTrade[]): DrawnTrades => ({ barS: 60, closed, open: null });

test('draws an arrow at time and price of the entry, a dot at those of the exit, and a line between them', () => {
  const { arrows, dots, lines } = paint(drawn(trade()));

  // The bar of minute 2 is drawn around x = 120, from 90 to 150.
  expect(arrows.map(({ at }) => at[0])).toEqual([[90, 100]]);
  expect(dots.map(({ at }) => at)).toEqual([[[120, 90]]]);
  expect(lines.at(-1)?.at).toEqual([
    [90, 100],
    [120, 90],
  ]);
});

test.each([
  ['a profit', 10, COLOURS.up],
  ['a loss', -10, COLOURS.down],
  ['neither', 0, COLOURS.muted],
])('draws %s in its colour', (_what, pnl, color) => {
  const { arrows, dots, lines } = paint(drawn(trade({ pnl })));

  expect([arrows[0]?.color, dots[0]?.color, lines.at(-1)?.color]).toEqual([color, color, color]);
});

test('points up for a long and down for a short', () => {
  const { arrows } = paint(drawn(trade(), trade({ side: 'short' })));

  const [long, short] = arrows.map(({ at }) => (at[1]?.[1] ?? 0) - (at[0]?.[1] ?? 0));
  expect(long).toBeGreaterThan(0);
  expect(short).toBeLessThan(0);
});

test('draws no trade from before the chart, and no exit of one that ended without a price', () => {
  const before = trade({ entry: { atMs: -MINUTE_MS, price: 100 } });
  const { arrows, dots } = paint(drawn(before, trade({ exit: null, pnl: null })));

  expect(arrows).toHaveLength(1);
  expect(arrows[0]?.color).toBe(COLOURS.muted);
  expect(dots).toEqual([]);
});

test('draws the open trade’s entry as a line over the whole width, with its running result', () => {
  const { arrows, lines, texts } = paint({
    barS: 60,
    closed: [],
    open: { ...trade({ exit: null, pnl: -3 }), label: 'long −3.00' },
  });

  expect(lines.map(({ at }) => at)).toEqual([
    [
      [0, 100.5],
      [500, 100.5],
    ],
  ]);
  expect(texts).toEqual([{ text: 'long −3.00', y: 100, color: COLOURS.down }]);
  expect(arrows).toHaveLength(1);
});
