/** A paper trade and its arithmetic. Specification 2, sections 3 and 4.4. */
import type { MarketSymbol } from '#domain/market/symbols.ts';

export const TRADE_SIZE = 1;
export const AUTO_CLOSE_MS = 60_000;

export type TradeSide = 'long' | 'short';

export interface OpenTrade {
  id: number;
  symbol: MarketSymbol;
  side: TradeSide;
  size: typeof TRADE_SIZE;
  entryPrice: number;
  /** Milliseconds since the epoch, for people. */
  openedAt: number;
  /** Monotonic, for the sixty seconds. */
  openedAtMs: number;
}

export interface ClosedTrade extends Omit<OpenTrade, 'openedAtMs'> {
  /** Null: there was no live price when its time was over. Then it has no result either. */
  exitPrice: number | null;
  closedAt: number;
  durationSec: number;
  pnl: number | null;
}

/** Per size, in the price's currency; a short earns when the price falls. */
export function pnlOf(trade: Pick<OpenTrade, 'side' | 'size' | 'entryPrice'>, exitPrice: number): number {
  const gain = (exitPrice - trade.entryPrice) * trade.size;
  // Not -0: it would be written with a sign.
  return trade.side === 'long' || gain === 0 ? gain : -gain;
}
