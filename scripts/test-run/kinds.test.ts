import { expect, test } from 'vitest';
import { kindOfFile } from './kinds.ts';

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
