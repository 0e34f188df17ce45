/** Whether a predicted move is smaller than trading costs, and what these assume. */
import { formatPrice } from '../format/price.ts';
import type { Candle } from '../market/candle.ts';
import { type MarketSymbol, SYMBOLS } from '../market/symbols.ts';
import { roundTripBp, TRADING_COSTS } from './ranges/round-trip.ts';
import { HISTORY_BARS, PREDICTION_BARS } from './window.ts';

type Traded = Pick<MarketSymbol, 'assetClass'>;

/** ln(close / last close) without its sign; null unless both prices are valid. */
export function drawnMoveBp(lastClose: number | undefined, close: number | undefined): number | null {
  const moveBp = Math.abs(10_000 * Math.log((close ?? Number.NaN) / (lastClose ?? Number.NaN)));
  return Number.isFinite(moveBp) ? moveBp : null;
}

/** Drawn move of a saved prediction. @param candles  150 real candles, then 50 drawn ones */
export function savedMoveBp(candles: readonly Candle[]): number | null {
  return drawnMoveBp(candles[HISTORY_BARS - 1]?.close, candles[PREDICTION_BARS - 1]?.close);
}

/**
 * 'The predicted move (4 bp) is smaller than trading costs (about 10 bp).' Null when it is not.
 *
 * @param moveBp  move of the drawn path at bar 50, of either sign; null when the path is shorter
 * @param spreadBp  as in roundTripBp
 */
export function describeInsideCost(
  symbol: Traded,
  moveBp: number | null,
  spreadBp: number | null = null,
): string | null {
  const costBp = roundTripBp(symbol, spreadBp);
  if (moveBp === null || !(Math.abs(moveBp) < costBp)) return null;
  const [move, cost] = apart(Math.abs(moveBp), costBp);
  return `The predicted move (${move} bp) is smaller than trading costs (about ${cost} bp).`;
}

/** The same for a record of the list. @param pathBp  by scored bar; the last is bar 50 */
export function describeRecordCost(record: { sym: string; pathBp: readonly number[] }): string | null {
  const symbol = SYMBOLS.find(({ sym }) => sym === record.sym);
  return symbol === undefined ? null : describeInsideCost(symbol, record.pathBp.at(-1) ?? null);
}

/** 'Assumes a fee of 5 bp per side and a spread of 0.2 bp.' */
export function describeAssumedCost({ assetClass }: Traded, spreadBp: number | null = null): string {
  const { feeBp, halfSpreadBp } = TRADING_COSTS[assetClass];
  const spread =
    spreadBp === null
      ? `a spread of ${bp(2 * halfSpreadBp, 1)} bp`
      : `the order book’s spread of ${bp(spreadBp, 2)} bp`;
  return `Assumes a fee of ${bp(feeBp, feeBp < 1 ? 1 : 0)} bp per side and ${spread}.`;
}

const bp = formatPrice;
/** Adds decimals until the two differ, three at most. */
function apart(smaller: number, larger: number): [string, string] {
  let decimals = larger < 10 ? 1 : 0;
  while (decimals < 3 && bp(smaller, decimals) === bp(larger, decimals)) decimals++;
  return [bp(smaller, decimals), bp(larger, decimals)];
}
