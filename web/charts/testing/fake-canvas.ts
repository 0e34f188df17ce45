/** A canvas that draws nothing, since jsdom has no canvas. It records what the page draws. */
import { vi } from 'vitest';
import type { CandleCanvas, CandleCanvasOptions, ChartPlace } from '../candles/candle-canvas.ts';
import { canvasCode } from '../candles/canvas-code.ts';
import type { Attached } from '../overlays/forecast-coordinates.ts';

export const showGhost = vi.fn<(isShown: boolean) => void>();
/** How many real candles the chart has in view, each time that it fits them; null: all. */
export const refit = vi.fn<(shownBars: number | null) => void>();
/** Where each candle is drawn; null until a test sets a place. */
export const placeOf = vi.fn<() => ChartPlace | null>(() => null);

/** A pixel of the fake pane is so much of a price; its middle is at 101. */
export const PRICE_PER_PX = 0.01;
export const PANE_PX = 400;

function aPane(host: HTMLElement): Attached {
  const middle = PANE_PX / 2;
  return {
    series: {
      priceToCoordinate: (price: number) => middle - (price - 101) / PRICE_PER_PX,
      coordinateToPrice: (y: number) => 101 + (middle - y) * PRICE_PER_PX,
    },
    chart: { paneSize: () => ({ width: 600, height: PANE_PX }), chartElement: () => host },
    requestUpdate: () => undefined,
  } as unknown as Attached;
}

/** Makes every chart of the page draw on the fake canvas, as each test begins with. */
export function drawOnFakeCanvas(): void {
  showGhost.mockReset();
  refit.mockReset();
  placeOf.mockReset().mockReturnValue(null);
  canvasCode().load = async () => ({ createCandleCanvas });
}

function createCandleCanvas(host: HTMLElement, { shownBars }: CandleCanvasOptions): CandleCanvas {
  const nothing = () => undefined;
  return {
    reset: () => refit(shownBars?.() ?? null),
    append: nothing,
    close: nothing,
    move: nothing,
    showUsual: nothing,
    point: nothing,
    placeOf,
    repaint: nothing,
    refit: () => refit(shownBars?.() ?? null),
    resize: nothing,
    destroy: nothing,
    showGhost,
    attach: (guest) => guest?.attached?.(aPane(host)),
  };
}
