import * as z from 'zod/mini';

/** A plain decimal without sign or exponent; rejects '', '0x10' and '1e400'. */
export const decimalSchema = z
  .string()
  .check(z.regex(/^\d{1,20}(\.\d{1,20})?$/))
  .check(z.maxLength(32));

/** The shortest decimal text that reads back as the same number, never with an exponent. */
export function decimalText(value: number): string {
  const text = String(value);
  // Every level of every order book passes here, almost none with an exponent.
  if (!text.includes('e')) return text;
  const [digits = '', exponentText] = text.split('e');
  const exponent = Number(exponentText);
  const [whole = '', fraction = ''] = digits.split('.');
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
  return `${whole}${fraction}${'0'.repeat(Math.max(0, exponent - fraction.length))}`;
}
