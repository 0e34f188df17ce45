import { formatAmount } from './amount.ts';
import { formatPrice } from './price.ts';

const UNITS = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 } as const;
export type CompactUnit = keyof typeof UNITS;

/** Volumes are always in millions or billions. */
export const VOLUME_UNITS: readonly CompactUnit[] = ['M', 'B'];
export const MARKET_CAP_UNITS: readonly CompactUnit[] = ['M', 'B', 'T'];
const PLAIN = { suffix: '', size: 1 };
const ALL_UNITS: readonly CompactUnit[] = ['K', 'M', 'B', 'T'];

/**
 * '3.43T', '53.80B', '−1.20K'. A value that would round up to 1,000 of a unit uses the next one: '1.00B', not
 * '1,000.00M'. A value too small for the decimals gets as many as it needs: '0.003M'. Not a number becomes '–'.
 *
 * @param units  smallest first. Without K, a value below a million is a fraction of a million; with K, a value below a
 *               thousand is shown unshortened
 */
export function compactNumber(value: number, units: readonly CompactUnit[] = ALL_UNITS, decimals = 2): string {
  if (!Number.isFinite(value)) return '–';
  const steps = [...(units.includes('K') ? [PLAIN] : []), ...units.map((suffix) => ({ suffix, size: UNITS[suffix] }))];
  const fits = (size: number) => Number((Math.abs(value) / size).toFixed(decimals)) < 1000;
  const { suffix, size } = steps.find((step) => fits(step.size)) ?? steps.at(-1) ?? PLAIN;
  return formatAmount(value / size, decimals) + suffix;
}

/** Price of a market list: from 1,000 without decimals, from 1 with two, from 0.1 with four, else four digits. */
export function marketPanelPrice(value: number): string {
  if (value >= 1000) return formatPrice(value, 0);
  if (value >= 0.1 || value <= 0) return formatPrice(value, value >= 1 ? 2 : 4);
  return formatPrice(value, 3 - Math.floor(Math.log10(Number(value.toPrecision(4)))));
}

/** Price of the Bitcoin panel: under 1 with four decimals, under 100 with two, otherwise none (R-MARKET-13). */
export function bitcoinPanelPrice(value: number): string {
  if (value < 1) return formatPrice(value, 4);
  return formatPrice(value, value < 100 ? 2 : 0);
}
