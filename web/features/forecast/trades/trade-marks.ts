/** The paper trades of a chart: their marks, and the text for screen readers. Loads with the market's first trade. */
import { formatChange, formatPrice } from '#domain/format/price.ts';
import { tradePnl } from '#domain/paper-trading/paper-trade.ts';
import { pnlOf } from '#domain/paper-trading/trade-rules.ts';
import type { ChartSeries } from '../../../charts/candles/candle-feed.ts';
import { timeLabel } from '../../../charts/candles/describe-series.ts';
import type { ChartGuest } from '../../../charts/overlays/price-scale.ts';
import { type DrawnTrade, TradesPrimitive } from '../../../charts/overlays/trades-primitive.ts';
import type { ChartTrades, OpenChartTrade } from '../../../site/chart-trades.ts';

/** As often as the figures beside the buttons. */
const REDRAW_MS = 250;

export interface TradeMarks {
  guest: ChartGuest;
  /** Draws these, and the open one's result as it moves. @returns a function that stops that */
  follow(trades: ChartTrades, barS: number, decimals: number): () => void;
}

export function createTradeMarks(): TradeMarks {
  const primitive = new TradesPrimitive();
  return {
    guest: primitive,
    follow({ closed, open }, barS, decimals) {
      const drawn = closed.map((trade): DrawnTrade => {
        const { side, exitPrice } = trade;
        const exit = exitPrice === null ? null : { atMs: trade.closedAt, price: exitPrice };
        return { side, entry: { atMs: trade.openedAt, price: trade.entryPrice }, exit, pnl: tradePnl(trade) };
      });
      const draw = () => primitive.mark({ barS, closed: drawn, open: open && drawnOpen(open, decimals) });
      draw();
      if (open === null) return () => {};
      const timer = setInterval(draw, REDRAW_MS);
      return () => clearInterval(timer);
    },
  };
}

function drawnOpen(open: OpenChartTrade, decimals: number) {
  const { side, entryPrice, openedAt } = open;
  const pnl = open.running();
  const label = `${side} ${pnl === null ? '–' : formatChange(pnl, Math.max(2, decimals))}`;
  return { side, entry: { atMs: openedAt, price: entryPrice }, exit: null, pnl, label };
}

/** One guest that is both. */
export function together(a: ChartGuest, b: ChartGuest | null): ChartGuest {
  if (b === null) return a;
  return {
    attached(param) {
      for (const guest of [a, b]) guest.attached?.(param);
    },
    detached() {
      for (const guest of [a, b]) guest.detached?.();
    },
    paneViews: () => [a, b].flatMap((guest) => guest.paneViews?.() ?? []),
    priceAxisViews: () => [a, b].flatMap((guest) => guest.priceAxisViews?.() ?? []),
    taggedPrices: () => [a, b].flatMap((guest) => guest.taggedPrices?.() ?? []),
  };
}

/** ' 2 paper trades, the last a long from 100.0 to 112.5 at 14:05, a profit.' Of those on the chart alone. */
export function describeTrades({ closed, open }: ChartTrades, series: ChartSeries, decimals: number): string {
  const firstMs = (series.candles[0]?.time ?? Number.POSITIVE_INFINITY) * 1000;
  const shown = closed.filter(({ openedAt }) => openedAt >= firstMs);
  const [last] = shown;
  const price = (value: number) => formatPrice(value, decimals);
  const parts: string[] = [];
  if (last !== undefined) {
    const count = shown.length === 1 ? 'One paper trade' : `${shown.length} paper trades, the last`;
    const { side, entryPrice, exitPrice, closedAt } = last;
    const end =
      exitPrice === null
        ? 'that ended without a price'
        : `to ${price(exitPrice)} at ${timeLabel(Math.floor(closedAt / 1000))}, ${outcomeOf(pnlOf(last, exitPrice))}`;
    parts.push(` ${count}${shown.length === 1 ? ':' : ''} a ${side} from ${price(entryPrice)} ${end}.`);
  }
  if (open !== null) parts.push(` An open paper trade: a ${open.side} from ${price(open.entryPrice)}.`);
  return parts.join('');
}

function outcomeOf(pnl: number): string {
  if (pnl === 0) return 'no profit';
  return pnl > 0 ? 'a profit' : 'a loss';
}
