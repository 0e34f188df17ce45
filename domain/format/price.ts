export const MINUS = '\u2212';

/**
 * '97,120.4'. From five zeros after the point on they are counted, as exchanges do: '0.0₆17512' is 0.00000017512. Not a
 * number becomes '–'.
 */
export function formatPrice(value: number, decimals: number): string {
  const text = formatFixed(value, decimals);
  // Almost every price ends here.
  return text.includes('0.00000') ? text.replace(MANY_ZEROS, countZeros) : text;
}

/** The same with every zero, for fields where it is edited, and for sizes. */
export function formatFixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.min(MAX_DECIMALS, Math.max(0, decimals));
  const text = formatOf(digits).format(Math.abs(value));
  return isZero(text) || value >= 0 ? text : MINUS + text;
}

/** The most that every browser formats. */
const MAX_DECIMALS = 20;
const MANY_ZEROS = /\b0\.(0{5,})(\d*)$/;

function countZeros(text: string, zeros: string, digits: string): string {
  if (digits === '') return zeros.length > 5 ? '0' : text;
  const count = [...String(zeros.length)].map((digit) => SUBSCRIPT_DIGITS[Number(digit)]);
  return `0.0${count.join('')}${digits}`;
}

export const SUBSCRIPT_DIGITS = '₀₁₂₃₄₅₆₇₈₉';

const formats = new Map<number, Intl.NumberFormat>();

/** Cached: creating one takes some hundred times as long as using it, and a chart writes thousands of prices. */
function formatOf(digits: number): Intl.NumberFormat {
  const cached = formats.get(digits);
  if (cached !== undefined) return cached;
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(digits, format);
  return format;
}

/** '+12.3' or '−12.3'; zero has no sign. */
export function formatChange(value: number, decimals: number): string {
  const text = formatPrice(value, decimals);
  return value > 0 && !isZero(text) ? `+${text}` : text;
}

/** '62.5%' from 62.5: a percentage is written without a space, here and in every text. */
export function plainPercent(percent: number, decimals: number): string {
  return `${formatPrice(percent, decimals)}%`;
}

/** '+0.42%' from 0.42; a value that rounds to zero has no sign. */
export function percentChange(percent: number, decimals = 2): string {
  return `${formatChange(percent, decimals)}%`;
}

/** '+0.42%' from a share such as 0.0042. */
export function formatPercent(share: number, decimals = 2): string {
  return percentChange(share * 100, decimals);
}

/** Decimals of a number as it is written: 2 of 0.25, 8 of 8.5e-7. Rounding noise past the fifteenth digit is ignored. */
export function decimalsOf(value: number): number {
  const text = String(Number(value.toPrecision(15)));
  const [, fraction = '', exponent = '0'] = /^[^.e]*\.?(\d*)(?:e([+-]\d+))?/.exec(text) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

function isZero(text: string): boolean {
  return !/[1-9]/.test(text);
}
