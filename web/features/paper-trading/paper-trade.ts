/** A trade as the engine runs it; closed ones are stored as domain/paper-trading/paper-trade.ts has them. */
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { PaperTrade } from '#domain/paper-trading/paper-trade.ts';
import type { TRADE_SIZE, TradeSide } from '#domain/paper-trading/trade-rules.ts';

export interface OpenTrade {
  id: string;
  /** Id of the account that opened it; null for a visitor. */
  owner: string | null;
  symbol: MarketSymbol;
  side: TradeSide;
  size: typeof TRADE_SIZE;
  entryPrice: number;
  /** Epoch milliseconds, for display. */
  openedAt: number;
  /** Monotonic, for the sixty seconds. */
  openedAtMs: number;
}

/** Not yet stored: it lacks its kind of market. */
export interface ClosedTrade extends Omit<PaperTrade, 'marketKind'> {
  owner: string | null;
  symbol: MarketSymbol;
}
