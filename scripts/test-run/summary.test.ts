import { expect, test } from 'vitest';
import type { KindResult } from './run-vitest.ts';
import { summaryLines } from './summary.ts';

const aFile = (path: string, durationMs: number) => ({
  path,
  durationMs,
  passed: 1,
  failed: 0,
  skipped: 0,
  failures: [],
});
const aResult = (result: Partial<KindResult>): KindResult => ({
  kind: 'unit',
  wallMs: 61_000,
  cpuMs: 90_000,
  files: [],
  passed: 3,
  failed: 0,
  skipped: 0,
  failures: [],
  ...result,
});

test('gives wall and processor time by kind', () => {
  expect(summaryLines([aResult({}), aResult({ kind: 'web', cpuMs: null, failed: 1 })])).toEqual([
    'unit: 1 min 1 s, 1 min 30 s of processor time, 3 passed, 0 failed',
    'web: 1 min 1 s, 3 passed, 1 failed',
  ]);
});

test('names the ten slowest files of all kinds, slowest first', () => {
  const unit = Array.from({ length: 8 }, (_, at) => aFile(`unit-${at}`, at * 1000));
  const web = Array.from({ length: 8 }, (_, at) => aFile(`web-${at}`, at * 1000 + 500));

  const lines = summaryLines([aResult({ files: unit }), aResult({ kind: 'web', files: web })]);

  const slowest = lines.slice(lines.indexOf('slowest files:') + 1);
  expect(slowest).toHaveLength(10);
  expect(slowest.slice(0, 2)).toEqual(['  7.5 s  web-7', '  7.0 s  unit-7']);
});

test('repeats every failure at the end', () => {
  const lines = summaryLines([aResult({ failures: ['a > b: c'] }), aResult({ kind: 'web' })]);

  expect(lines.at(-1)).toBe('failed: a > b: c');
});
