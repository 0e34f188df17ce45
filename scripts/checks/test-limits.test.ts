import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { USUAL_HANG_MS } from '../../tests/support/run/wait-limit.ts';

/** The last argument of a test or a hook. */
const LIMIT = /^ *\}, (\d[\d_]*)\);$/gm;
const SETTING = /\b(?:test|hook)Timeout: /;

test('finds no test with a shorter limit than the default, which a busy machine would exceed', () => {
  const files = globSync('{bench,domain,sandbox,scripts,server,tests,web}/**/*.test.{ts,tsx}', {
    exclude: (path) => path.endsWith('node_modules'),
  });
  const short = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const limits = [...text.matchAll(LIMIT)].map(([, digits = '']) => Number(digits.replaceAll('_', '')));
    return limits.some((ms) => ms >= 1000 && ms <= USUAL_HANG_MS) || SETTING.test(text) ? [file] : [];
  });

  expect(files.length).toBeGreaterThan(500);
  expect(short.filter((file) => !file.endsWith('test-limits.test.ts'))).toEqual([]);
});
