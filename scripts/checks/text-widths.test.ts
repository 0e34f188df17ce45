import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

test('bases no width on a digit of the font: the fallback font’s is narrower, and lines would move when the font arrives', () => {
  const sheets = globSync('web/**/*.css', { cwd: ROOT });
  expect(sheets.length).toBeGreaterThan(50);

  const found = sheets.filter((sheet) => /[\d.]ch\b/.test(readFileSync(resolve(ROOT, sheet), 'utf8')));

  expect(found).toEqual([]);
});
