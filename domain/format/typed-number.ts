/** Numbers as people type them: with a decimal comma or point, grouped, and in the digits of their script. */

/** First digit of each script beside 0 to 9: Arabic-Indic, its eastern form, Devanagari. */
const ZEROS = [0x0660, 0x06f0, 0x0966] as const;
const SPACES = /[\s'’\u066c]/gu;

/** Zero or more; null for anything that is not one number. '29,097' and '29 097' are grouped, '29097,5' is not. */
export function typedNumber(text: string): number | null {
  const plain = [...text.trim()].map(latinDigit).join('').replaceAll('\u066b', '.').replace(SPACES, '');
  const number = withPoint(plain);
  return number !== null && /^(\d+(\.\d*)?|\.\d+)$/.test(number) ? Number(number) : null;
}

function latinDigit(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const zero = ZEROS.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? letter : String(code - zero);
}

/** With a point for decimals and without groups; null where groups are broken. */
function withPoint(text: string): string | null {
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  if (comma >= 0 && point >= 0) return split(text, comma > point ? ',' : '.');
  const sign = comma >= 0 ? ',' : '.';
  const parts = text.split(sign);
  if (parts.length < 2) return text;
  // One comma before three digits is a group, as in '29,097'; one point is for decimals.
  const isGrouped = parts.length > 2 || (sign === ',' && /^[1-9]\d{0,2},\d{3}$/.test(text));
  return isGrouped ? ungrouped(text, sign) : parts.join('.');
}

function split(text: string, decimalSign: string): string | null {
  const [whole = '', decimals, more] = text.split(decimalSign);
  const groups = ungrouped(whole, decimalSign === ',' ? '.' : ',');
  return groups === null || more !== undefined ? null : `${groups}.${decimals}`;
}

function ungrouped(text: string, sign: string): string | null {
  const [first = '', ...groups] = text.split(sign);
  // Of three digits, or as in India of two before the last three.
  const isSound = /^\d{1,3}$/.test(first) && /^((,\d{3})+|(,\d\d)*,\d{3})$/.test(`,${groups.join(',')}`);
  return groups.length === 0 || isSound ? [first, ...groups].join('') : null;
}
