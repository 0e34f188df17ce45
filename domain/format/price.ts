/** Prices and changes as figures: grouped thousands, fixed decimals, a real minus, signs where a change is meant. */

const MINUS = '\u2212';

/** '97,120.4'. Not a number becomes '–'. */
export function formatPrice(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.min(8, Math.max(0, decimals));
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return isZero(text) || value >= 0 ? text : MINUS + text;
}

/** '+12.3' or '−12.3'; zero has no sign. */
export function formatChange(value: number, decimals: number): string {
  const text = formatPrice(value, decimals);
  return value > 0 && !isZero(text) ? `+${text}` : text;
}

/** '+0.42 %' of a share such as 0.0042. */
export function formatPercent(share: number, decimals = 2): string {
  return `${formatChange(share * 100, decimals)} %`;
}

function isZero(text: string): boolean {
  return !/[1-9]/.test(text);
}
