import { expect, test } from 'vitest';
import { formatSpan, progressLine } from './progress.ts';

const durations = { a: 1000, b: 3000, c: 2000 };

test('says the kind, done of total, time left and failures', () => {
  const progress = { kind: 'contract', done: ['a', 'b'], left: ['c'], failed: 2, elapsedMs: 8000 };

  expect(progressLine(progress, durations)).toBe('contract: 2 of 3 files, about 4 s left, 2 failed');
});

test('claims no time before the first file is done', () => {
  const progress = { kind: 'unit', done: [], left: ['a'], failed: 0, elapsedMs: 10 };

  expect(progressLine(progress, durations)).toBe('unit: 0 of 1 files, 0 failed');
});

test.each([
  [400, '0 s'],
  [59_400, '59 s'],
  [60_000, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('writes %i ms as %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});
