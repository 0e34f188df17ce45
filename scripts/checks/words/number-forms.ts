/** Forms of numbers and dates that no text and no document uses, and the one form that they do. */
import type { WrongForm } from './text-lines.ts';

interface Form {
  pattern: RegExp;
  replacement: string;
}

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const LONG_MONTH = '(?:January|February|March|April|June|July|August|September|October|November|December)';
const DATE = '23 Nov 2026, or 23 Nov';

const FORMS: readonly Form[] = [
  { pattern: new RegExp(`\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?\\b(?!:)`), replacement: DATE },
  { pattern: new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${LONG_MONTH}\\b`), replacement: DATE },
  {
    pattern: /(?<!\bISO\b.*)(?<![\w/.-])20\d\d-\d\d-\d\d(?![\w/-]|\.\w)/,
    replacement: `${DATE}; 2026-11-23 only in data`,
  },
  { pattern: /(?<![\w/.])\d{1,2}\/\d{1,2}\/(?:\d{2}|\d{4})(?![\w/]|\.\w)/, replacement: DATE },
  { pattern: /\d+ ?bps\b/, replacement: '2 bp' },
  { pattern: /\d+ ?[–—] ?\d+/, replacement: '60 to 90' },
];

/** A space before the sign. The last digit of a name is no figure: 't0 % 60' is code. */
const SPACED_PERCENT =
  /(?<![\w.,])\d[\d.,]*(?: |\u00a0|\u202f|&nbsp;|\\u00a0)%|\}(?: |\u00a0|\u202f|&nbsp;|\\u00a0)%|(?:\u00a0|&nbsp;|\\u00a0)%/;

/** @returns the first form of a date, a range or a unit that is not ours, with ours, or null */
export function findNumberForm(text: string): WrongForm | null {
  const percent = SPACED_PERCENT.exec(text);
  if (percent !== null) return { found: percent[0], replacement: '80%, without a space' };
  for (const { pattern, replacement } of FORMS) {
    const match = pattern.exec(text);
    if (match !== null) return { found: match[0], replacement };
  }
  return null;
}

/**
 * Percentages in the lines of a source file, comments included. Lines are read as they are: a text that is split by an
 * expression, as in `{share} %`, has its sign in another part than its figure.
 */
export function percentFaults(file: string, source: string): string[] {
  return source.split('\n').flatMap((text, index) => {
    const found = SPACED_PERCENT.exec(text);
    return found === null ? [] : [`${file}:${index + 1}: '${found[0]}': write 80%, without a space`];
  });
}
