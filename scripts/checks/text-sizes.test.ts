/** Nothing on screen is smaller than 12 px, and text grows with the reader's setting. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const LEAST_PX = 12;
/** CSS pixels of a unit at the usual text size; of em in text of 14 px, the body's. Points are for paper. */
const UNIT_PX: Readonly<Record<string, number>> = { px: 1, rem: 16, em: 14, pt: Number.POSITIVE_INFINITY };
/** In style sheets, in styles within code, and in the settings of a canvas or an SVG. */
const SIZES = [
  /font-size\s*[:=]\s*['"{]?(?<size>\d*\.?\d+)(?<unit>px|rem|em|pt)?/g,
  /fontSize\s*[:=]\s*['"{]?(?<size>\d*\.?\d+)(?<unit>px|rem|em|pt)?/g,
  /\bfont:[^;{}]*?(?<size>\d*\.?\d+)(?<unit>px|rem|em|pt)/g,
  /['"`]\d{0,3} ?(?<size>\d*\.?\d+)(?<unit>px) \\?"/g,
];

function tooSmall(text: string): string[] {
  return SIZES.flatMap((size) => [...text.matchAll(size)])
    .filter(({ groups }) => {
      const px = Number(groups?.size) * (UNIT_PX[groups?.unit ?? 'px'] ?? 1);
      // Without a size the text is a shape.
      return px > 0 && px < LEAST_PX;
    })
    .map(([found]) => found);
}

test.each([
  ['font-size: 11px', 1],
  ['font-size: 0.7rem', 1],
  ['font-size:0.8em', 1],
  ['font: 500 10px/1.2 sans-serif', 1],
  ['<text fontSize="9">', 1],
  ['context.font = \'500 11px "Inter"\'', 1],
  ['font-size: 12px; font-size: 0.75rem; font-size: 0.875em; font-size: var(--size-12)', 0],
])('finds text below 12 px in %s', (text, count) => {
  expect(tooSmall(text)).toHaveLength(count);
});

test('sets no text below 12 px', () => {
  const files = globSync('{web,server,scripts/docs,sandbox}/**/*.{css,ts,tsx,html}', { cwd: ROOT }).filter(
    (file) => !/\.test\.|node_modules/.test(file),
  );

  expect(files.length).toBeGreaterThan(1000);
  expect(
    files.flatMap((file) => tooSmall(readFileSync(join(ROOT, file), 'utf8')).map((found) => `${file}: ${found}`)),
  ).toEqual([]);
});

test('scales every text of the site with the reader’s setting', () => {
  const sheets = globSync('web/**/*.css', { cwd: ROOT });

  expect(sheets.filter((sheet) => /font-size:\s*[\d.]+px/.test(readFileSync(join(ROOT, sheet), 'utf8')))).toEqual([]);
});
