/** Large figures cut to a suffix, and prices of the panels. Specification 1, section 9. */
import { formatAmount } from './amount.ts';
import { formatPrice } from './price.ts';

const UNITS = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 } as const;
export type CompactUnit = keyof typeof UNITS;

/** Volumes are told in millions or billions, whatever they are. */
export const VOLUME_UNITS: readonly CompactUnit[] = ['M', 'B'];
export const MARKET_CAP_UNITS: readonly CompactUnit[] = ['M', 'B', 'T'];
const PLAIN = { suffix: '', size: 1 };
const ALL_UNITS: readonly CompactUnit[] = ['K', 'M', 'B', 'T'];

/**
 * '3.43T', '53.80B', '−1.20K'. What would round up to 1,000 of a unit is told in the next one: '1.00B', not '1,000.00M'.
 * What the decimals would not show gets as many as it needs: '0.003M'. Not a number becomes '–'.
 *
 * @param units  smallest first. Without K, what is below a million is told as a part of one; with it, what is below a
 *               thousand stands as it is
 */
export function compactNumber(value: number, units: readonly CompactUnit[] = ALL_UNITS, decimals = 2): string {
  if (!Number.isFinite(value)) return '–';
  const steps = [...(units.includes('K') ? [PLAIN] : []), ...units.map((suffix) => ({ suffix, size: UNITS[suffix] }))];
  const fits = (size: number) => Number((Math.abs(value) / size).toFixed(decimals)) < 1000;
  const { suffix, size } = steps.find((step) => fits(step.size)) ?? steps.at(-1) ?? PLAIN;
  return formatAmount(value / size, decimals) + suffix;
}

/** Of the market panel: from 1,000 without decimals, from 1 with two, else four. */
export function marketPanelPrice(value: number): string {
  if (value >= 1000) return formatPrice(value, 0);
  return formatPrice(value, value >= 1 ? 2 : 4);
}

/** Of the Bitcoin panel: under 1 with four decimals, under 100 with two, otherwise none. */
export function bitcoinPanelPrice(value: number): string {
  if (value < 1) return formatPrice(value, 4);
  return formatPrice(value, value < 100 ? 2 : 0);
}
