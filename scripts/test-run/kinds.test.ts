import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { kindOfFile, WHOLE_RUN_FILES } from './kinds.ts';

test.each([
  ['domain/market/candle.test.ts', 'unit'],
  ['web/features/news/news-api.test.ts', 'unit'],
  ['web/app/prerender.node.test.tsx', 'unit'],
  ['web/ui/field.test.tsx', 'web'],
  ['web/ui/theme.dom.test.ts', 'web'],
  ['tests/parity/quota.test.ts', 'database'],
  ['tests/contract/stream.test.ts', 'contract'],
  ['tests/e2e/home.test.ts', 'e2e'],
  ['tests/support/browser/chromium.ts', null],
  ['domain/market/candle.ts', null],
])('finds for %s the kind %s', (path, kind) => {
  expect(kindOfFile(path)).toBe(kind);
});

const ROOT = resolve(import.meta.dirname, '../..');
/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
const single = WHOLE_RUN_FILES.flatMap((glob) => {
  const [, start = '', names, end = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(glob) ?? [];
  return names === undefined ? [glob] : names.split(',').map((name) => start + name + end);
});

test.each(single)('leaves tests that exist to the whole run: %s', (glob) => {
  expect(globSync(glob, { cwd: ROOT }).some((path) => path.endsWith('.test.ts'))).toBe(true);
});
