import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';

/** A symbol's candles of one length: what the chart shows, and what a forecast is of. */
export interface ChartMarket {
  symbol: MarketSymbol;
  timeframe: Timeframe;
}

export function isSameMarket(one: ChartMarket, other: ChartMarket | null): boolean {
  return one.symbol.label === other?.symbol.label && one.timeframe === other.timeframe;
}
