export const MINUS = '\u2212';

/**
 * '97,120.4'. From five zeros after the point on they are counted, as exchanges do: '0.0₆17512' is 0.00000017512. Not a
 * number becomes '–'.
 */
export function formatPrice(value: number, decimals: number): string {
  return formatFixed(value, decimals).replace(MANY_ZEROS, countZeros);
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
const MANY_ZEROS = /\b0\.(0{5,})(?=[1-9])/;

function countZeros(_text: string, { length }: string): string {
  return `0.0${String(length).replace(/./g, (digit) => String.fromCharCode(SUBSCRIPT_ZERO + Number(digit)))}`;
}

/** Code of the first of ten digits. */
export const SUBSCRIPT_ZERO = 0x2080;

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
  const [digits = '', exponent] = Math.abs(Number(value.toPrecision(15)))
    .toExponential()
    .split('e');
  return Math.max(0, Math.max(0, digits.length - 2) - Number(exponent));
}

function isZero(text: string): boolean {
  return !/[1-9]/.test(text);
}
