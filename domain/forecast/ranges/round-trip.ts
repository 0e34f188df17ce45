/** What a trade costs, in basis points of the price. The fees are assumptions, the same for every user. */
import type { AssetClass, MarketSymbol } from '../../market/symbols.ts';

export interface TradingCost {
  feeBp: number;
  /** From the mid price to the best price: what one side pays besides its fee. */
  halfSpreadBp: number;
  source: string;
}

const A_FUTURE = 'A retail commission.';

/** Spreads are a tick or two, for shares a cent or two. */
export const TRADING_COSTS: Readonly<Record<AssetClass, TradingCost>> = {
  crypto: { feeBp: 5, halfSpreadBp: 0.1, source: 'The taker fee of a perpetual future.' },
  equity: { feeBp: 0.2, halfSpreadBp: 0.8, source: 'Regulatory fees only.' },
  metal: { feeBp: 0.1, halfSpreadBp: 0.2, source: A_FUTURE },
  index: { feeBp: 0.3, halfSpreadBp: 0.5, source: A_FUTURE },
  energy: { feeBp: 0.4, halfSpreadBp: 0.8, source: A_FUTURE },
};

/** Both fees and the whole spread. @param spreadBp  the order book's spread when known; null: the table's */
export function roundTripBp({ assetClass }: Pick<MarketSymbol, 'assetClass'>, spreadBp: number | null = null): number {
  const { feeBp, halfSpreadBp } = TRADING_COSTS[assetClass];
  return 2 * feeBp + (spreadBp ?? 2 * halfSpreadBp);
}
