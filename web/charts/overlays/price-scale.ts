/** Reads a chart's price scale for elements that lie over it, and tags their prices on its axis. */
import type { IPrimitivePaneView, ISeriesPrimitive, ISeriesPrimitiveAxisView, Time } from 'lightweight-charts';
import type { Attached } from './forecast-coordinates.ts';

/** What a canvas attaches to its candles. */
export interface ChartGuest extends ISeriesPrimitive<Time> {
  /** Of its tags on the price axis, beside which the axis has no labels. */
  taggedPrices?(): readonly number[];
}

export interface AxisTag {
  price: number;
  text: string;
  /** CSS colours. */
  textColour: string;
  colour: string;
}

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
  /** The axis moves them apart, from each other and from its own. One out of view stays at the edge. */
  showTags(tags: readonly AxisTag[]): void;
  /** Called after each redraw, and when the chart comes or goes. @returns a function that stops listening */
  listen(onDraw: () => void): () => void;
}

/** Half the height of a tag, CSS pixels at 12 px type. */
const HALF_TAG_PX = 10;

export function createPriceScale(): PriceScale {
  const listeners = new Set<() => void>();
  let at: Attached | null = null;
  let tags: readonly AxisTag[] = [];
  const report = () => {
    for (const listener of listeners) listener();
  };
  const tagY = (price: number): number => {
    const y = at?.series.priceToCoordinate(price);
    if (at === null || y == null) return -100;
    return Math.min(at.chart.paneSize().height - HALF_TAG_PX, Math.max(HALF_TAG_PX, y));
  };
  const viewOf = ({ price, text, textColour, colour }: AxisTag): ISeriesPrimitiveAxisView => ({
    coordinate: () => tagY(price),
    text: () => text,
    textColor: () => textColour,
    backColor: () => colour,
  });
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
      priceAxisViews: () => tags.map(viewOf),
      taggedPrices: () => tags.map(({ price }) => price),
    },
    yOf: (price) => at?.series.priceToCoordinate(price) ?? null,
    priceAt: (y) => at?.series.coordinateToPrice(y) ?? null,
    pane() {
      if (at === null) return null;
      const { width, height } = at.chart.paneSize();
      return { element: at.chart.chartElement(), width, height };
    },
    showTags(newest) {
      // Called after each redraw too, which must not cause another.
      const isSame = JSON.stringify(newest) === JSON.stringify(tags);
      tags = newest;
      if (!isSame) at?.requestUpdate();
    },
    listen(onDraw) {
      listeners.add(onDraw);
      return () => listeners.delete(onDraw);
    },
  };
}
