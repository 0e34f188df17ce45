import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { estimateMs, readDurations, rememberDurations } from './durations.ts';

const folder = mkdtempSync(join(tmpdir(), 'kat-durations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('remembers the last duration of each file, also of those that a run left out', () => {
  const file = join(folder, 'not', 'there', 'durations.json');
  expect(readDurations(file)).toEqual({});

  rememberDurations({ 'a.test.ts': 100, 'b.test.ts': 200 }, file);
  rememberDurations({ 'b.test.ts': 250 }, file);

  expect(readDurations(file)).toEqual({ 'a.test.ts': 100, 'b.test.ts': 250 });
});

test.each(['{"a.test.ts":1', '{"a.test.ts":"long"}', ''])('starts again from a damaged file: %s', (text) => {
  const file = join(folder, 'damaged.json');
  writeFileSync(file, text);

  expect(readDurations(file)).toEqual({});
});

test.each([
  ['a file that ran here', 'domain/time/epoch.test.ts', 12],
  ['a long file that never ran here', 'scripts/measure/leak.test.ts', 20_000],
  ['a unit test that never ran here', 'domain/time/clock.test.ts', 300],
  ['a browser test that never ran here', 'tests/e2e/new.test.ts', 10_000],
  ['a file of no known kind', 'tests/new.ts', 3000],
])('estimates the duration of %s', (_what, path, ms) => {
  expect(estimateMs(path, { 'domain/time/epoch.test.ts': 12 })).toBe(ms);
});
