/** Formats sizes and volumes: a fixed number of decimals, plus as many as a small amount needs to show a digit. */
import { formatFixed, MINUS } from './price.ts';

/** Most decimals of a column of figures: a satoshi. */
const MAX_DECIMALS = 8;

/**
 * '0.5321' with 4 decimals; '0.00000001' where 4 decimals would show only zeros. Amounts too small for eight decimals
 * get an exponent, which is never wider: '3e-12'. Only zero is shown as zero.
 */
export function formatAmount(value: number, decimals: number): string {
  const text = formatFixed(value, decimals);
  if (value === 0 || !Number.isFinite(value) || /[1-9]/.test(text)) return text;
  const firstDigit = Math.abs(value).toExponential(0);
  const needed = -Number(firstDigit.slice(firstDigit.indexOf('e') + 1));
  if (needed <= MAX_DECIMALS) return formatFixed(value, needed);
  return value < 0 ? MINUS + firstDigit : firstDigit;
}
