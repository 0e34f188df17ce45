/** Prices of lines: as typed, in steps, and where they begin. */
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { SUBSCRIPT_ZERO } from '#domain/format/price.ts';
import { typedNumber } from '#domain/format/typed-number.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';

export type LineId = 'line' | 'target' | 'stop';
export type LinePrices = Readonly<Record<LineId, number>>;
type Steps = Pick<MarketSymbol, 'tickSize' | 'decimals'>;

/** The larger step, a share of the price: five basis points. */
const LARGE_SHARE = 5e-4;
/** Of the way to the edge of the 80% band after fifty bars: neither near nor out of reach. */
const WAY_TO_BAND = 0.5;
/** Where no band is known. */
const WITHOUT_BAND = 0.002;

/** The nearest price of the venue, above 0. */
export function toTick(price: number, { tickSize, decimals }: Steps): number {
  const ticks = Math.max(1, Math.round(price / tickSize));
  return Number((ticks * tickSize).toFixed(decimals));
}

/** Null for a text that is no price above 0; a currency sign is ignored. */
export function parsePrice(text: string): number | null {
  const price = typedNumber(text.replace(/[_$]/g, '').replace(/[₀-₉]{1,2}/, allZeros));
  return price !== null && Number.isFinite(price) && price > 0 ? price : null;
}

/** A price as the page shows it, when it is pasted: '0.0₅812'. */
function allZeros(count: string): string {
  const zeros = Number([...count].map((digit) => digit.charCodeAt(0) - SUBSCRIPT_ZERO).join(''));
  return '0'.repeat(Math.max(0, zeros - 1));
}

/** One tick, or some five basis points in whole ticks. */
export function stepOf(price: number, isLarge: boolean, steps: Steps): number {
  return isLarge ? Math.max(10 * steps.tickSize, toTick(price * LARGE_SHARE, steps)) : steps.tickSize;
}

/** The price after a key on a line or its field; null for a key that moves nothing. */
export function priceAfterKey(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  price: number,
  steps: Steps,
): number | null {
  const isUp = key === 'ArrowUp' || key === 'PageUp';
  if (!isUp && key !== 'ArrowDown' && key !== 'PageDown') return null;
  const step = stepOf(price, shiftKey || key.startsWith('Page'), steps);
  return toTick(price + (isUp ? step : -step), steps);
}

/** A line above the price, and a target and a stop equally far from it: neither side is proposed. */
export function firstPrices(price: number, band: ForecastBand | null, steps: Steps): LinePrices {
  const edge = band?.upper80.at(-1);
  const isUsable = edge !== undefined && edge > price && edge < price * 2;
  const away = Math.max((isUsable ? edge - price : price * WITHOUT_BAND) * WAY_TO_BAND, 2 * steps.tickSize);
  const above = toTick(price + away, steps);
  return { line: above, target: above, stop: toTick(price - away, steps) };
}
