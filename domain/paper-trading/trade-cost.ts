/** What a paper trade would have cost, by the table that forecasts are compared with. */
import { roundTripBp } from '../forecast/ranges/round-trip.ts';
import type { MarketSymbol } from '../market/symbols.ts';
import { TRADE_SIZE } from './trade-rules.ts';

/** In the price's unit: half of the cost at the entry, half at the exit. */
export function tradeCost(symbol: Pick<MarketSymbol, 'assetClass'>, entryPrice: number, exitPrice: number): number {
  return ((roundTripBp(symbol) / 10_000) * TRADE_SIZE * (entryPrice + exitPrice)) / 2;
}
