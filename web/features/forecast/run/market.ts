import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';

/** A symbol's candles of one length: what the chart shows, and what a forecast is of. */
export interface Market {
  symbol: MarketSymbol;
  timeframe: Timeframe;
}

export function isSameMarket(one: Market, other: Market | null): boolean {
  return one.symbol.label === other?.symbol.label && one.timeframe === other.timeframe;
}
