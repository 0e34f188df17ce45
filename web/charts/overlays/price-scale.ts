/** Reads a chart's price scale for elements that lie over it. The chart draws nothing for it, but reports each redraw. */
import type { IPrimitivePaneView, ISeriesPrimitive, Time } from 'lightweight-charts';
import type { Attached } from './forecast-coordinates.ts';

/** What a canvas attaches to its candles. */
export type ChartGuest = ISeriesPrimitive<Time>;

export interface PaneBox {
  element: HTMLElement;
  /** Of the pane without its axes, CSS pixels from the chart's upper left. */
  width: number;
  height: number;
}

export interface PriceScale {
  guest: ChartGuest;
  /** CSS pixels from the pane's top, beyond its edges too; null while no chart is drawn. */
  yOf(price: number): number | null;
  priceAt(y: number): number | null;
  pane(): PaneBox | null;
  /** Called after each redraw, and when the chart comes or goes. @returns a function that stops listening */
  listen(onDraw: () => void): () => void;
}

export function createPriceScale(): PriceScale {
  const listeners = new Set<() => void>();
  let at: Attached | null = null;
  const report = () => {
    for (const listener of listeners) listener();
  };
  const reporter: IPrimitivePaneView = { zOrder: () => 'bottom', renderer: () => ({ draw: report }) };
  return {
    guest: {
      attached(param) {
        at = param;
        report();
      },
      detached() {
        at = null;
        report();
      },
      paneViews: () => [reporter],
    },
    yOf: (price) => at?.series.priceToCoordinate(price) ?? null,
    priceAt: (y) => at?.series.coordinateToPrice(y) ?? null,
    pane() {
      if (at === null) return null;
      const { width, height } = at.chart.paneSize();
      return { element: at.chart.chartElement(), width, height };
    },
    listen(onDraw) {
      listeners.add(onDraw);
      return () => listeners.delete(onDraw);
    },
  };
}
