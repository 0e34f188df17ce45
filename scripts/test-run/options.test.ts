import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readTestOptions } from './options.ts';

const root = mkdtempSync(join(tmpdir(), 'kat-options-'));
for (const file of [
  'domain/market/candle.test.ts',
  'web/ui/field.test.tsx',
  'web/ui/labels.test.ts',
  'tests/contract/stream.test.ts',
  'tests/e2e/home.test.ts',
  'domain/market/candle.ts',
]) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), '');
}
afterAll(() => rmSync(root, { recursive: true, force: true }));

const read = (...args: string[]) => readTestOptions(args, root, false);

test.each([
  ['every kind, and of browser tests the main ways', false, 'main'],
  ['every test for a whole run', true, 'all'],
])('runs the checks and %s when nothing is named', (_what, isWhole, e2e) => {
  expect(readTestOptions([], root, isWhole)).toEqual({
    hasChecks: true,
    selection: { unit: 'all', web: 'all', database: 'all', contract: 'all', e2e },
    isQuick: !isWhole,
    changed: null,
  });
});

test('runs one kind', () => {
  expect(read('--only', 'web')).toMatchObject({ hasChecks: false, selection: { web: 'all' }, isQuick: false });
  expect(read('--only', 'e2e')).toMatchObject({ selection: { e2e: 'all' }, isQuick: false });
  expect(read('--only', 'checks')).toMatchObject({ hasChecks: true, selection: {}, changed: null });
});

describe('a run of files', () => {
  test('groups files of several kinds', () => {
    const { selection, hasChecks } = read(
      'web/ui/field.test.tsx',
      'tests/e2e/home.test.ts',
      './tests/contract/stream.test.ts',
    );

    expect(hasChecks).toBe(false);
    expect(selection).toEqual({
      web: ['web/ui/field.test.tsx'],
      e2e: ['tests/e2e/home.test.ts'],
      contract: ['tests/contract/stream.test.ts'],
    });
  });

  test('takes a part of a path for every file that contains it', () => {
    expect(read('web/ui').selection).toEqual({ unit: ['web/ui/labels.test.ts'], web: ['web/ui/field.test.tsx'] });
  });

  test.each(['domain/market/candle.ts', 'nothing-of-that-name'])('refuses %s, which is no test', (name) => {
    expect(() => read(name)).toThrow(`no test file matches ${name}`);
  });
});

describe('a run with --changed', () => {
  test('compares with main unless another ref is named', () => {
    expect(read('--changed').changed).toEqual({ since: 'main', isWhole: false });
    expect(read('--changed', '--since', 'v1', '--whole').changed).toEqual({ since: 'v1', isWhole: true });
  });

  test('keeps the checks', () => {
    expect(read('--changed').hasChecks).toBe(true);
  });
});

test.each([
  [['--only', 'everything'], '--only must be one of'],
  [['--only', 'unit', 'web/ui'], 'cannot be combined with files'],
  [['--changed', 'web/ui'], 'cannot be combined with files'],
  [['--since', 'main'], 'only work with --changed'],
  [['--often'], '--often'],
])('refuses %j with the usage', (args, problem) => {
  expect(() => read(...args)).toThrow(problem);
  expect(() => read(...args)).toThrow('npm test -- FILE...');
});
