import type { MarketSymbol } from '#domain/market/symbols.ts';

/** R-PAPER-5. */
export const TRADE_SIZE = 1;
/** R-PAPER-4. */
export const AUTO_CLOSE_MS = 60_000;

export type TradeSide = 'long' | 'short';

export interface OpenTrade {
  id: number;
  symbol: MarketSymbol;
  side: TradeSide;
  size: typeof TRADE_SIZE;
  entryPrice: number;
  /** Epoch milliseconds, for display. */
  openedAt: number;
  /** Monotonic, for the sixty seconds. */
  openedAtMs: number;
}

export interface ClosedTrade extends Omit<OpenTrade, 'openedAtMs'> {
  /** Null if there was no live price when its time ended; the result is then null too. */
  exitPrice: number | null;
  closedAt: number;
  durationSec: number;
  pnl: number | null;
}

/** In the price's currency, times the size; a short profits when the price falls. */
export function pnlOf(trade: Pick<OpenTrade, 'side' | 'size' | 'entryPrice'>, exitPrice: number): number {
  const gain = (exitPrice - trade.entryPrice) * trade.size;
  // Avoids -0, which would be shown with a sign.
  return trade.side === 'long' || gain === 0 ? gain : -gain;
}
