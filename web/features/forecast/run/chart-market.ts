import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';

/** The symbol and the candle length that the chart shows and a forecast is made for. */
export interface ChartMarket {
  symbol: MarketSymbol;
  timeframe: Timeframe;
}

export function isSameMarket(one: ChartMarket, other: ChartMarket | null): boolean {
  return one.symbol.label === other?.symbol.label && one.timeframe === other.timeframe;
}
