import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { LONG_FILES, longestFirst } from './test-order.ts';

test('starts the longest files first, and keeps the order of the others', () => {
  const files = ['/k/tests/e2e/b.test.ts', `/k/${LONG_FILES[1]}`, '/k/tests/e2e/a.test.ts', `/k/${LONG_FILES[0]}`];

  const [first, second, ...others] = longestFirst(files, (path) => path);

  expect([first, second]).toEqual([`/k/${LONG_FILES[0]}`, `/k/${LONG_FILES[1]}`]);
  expect(others).toEqual(['/k/tests/e2e/b.test.ts', '/k/tests/e2e/a.test.ts']);
});

test.each(LONG_FILES)('has %s', (name) => {
  expect(existsSync(resolve(import.meta.dirname, '../..', name))).toBe(true);
});
