import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DRIVEN_PARTS } from '../../tests/support/servers/driven-parts.ts';
import { testsReached, withinBudget } from './changed.ts';
import { addImport, type Importers } from './import-graph.ts';
import { listTestFiles } from './kinds.ts';

const ROOT = resolve(import.meta.dirname, '../..');

function importersOf(imports: Record<string, readonly string[]>): Importers {
  const importers: Importers = new Map();
  for (const [file, imported] of Object.entries(imports)) for (const name of imported) addImport(importers, file, name);
  return importers;
}

const importers = importersOf({
  'domain/a.test.ts': ['domain/a.ts'],
  'domain/b.ts': ['domain/a.ts'],
  'domain/b.test.ts': ['domain/b.ts'],
  'domain/c.test.ts': ['domain/c.ts'],
  'server/platform/database/migrate.ts': [],
  'tests/contract/rows.test.ts': ['server/platform/database/migrate.ts'],
});
const tests = ['tests/contract/rows.test.ts', 'domain/b.test.ts', 'domain/a.test.ts', 'domain/c.test.ts'];

describe('tests that a change reaches', () => {
  test('finds them through files between them, nearest first', () => {
    expect(testsReached(['domain/a.ts'], importers, tests)).toEqual(['domain/a.test.ts', 'domain/b.test.ts']);
  });

  test('includes a test that changed itself', () => {
    expect(testsReached(['domain/c.test.ts'], importers, tests)).toEqual(['domain/c.test.ts']);
  });

  test('includes those on a database when a migration changed', () => {
    expect(testsReached(['supabase/migrations/1_x.sql'], importers, tests)).toEqual(['tests/contract/rows.test.ts']);
  });

  test('puts browser tests behind others that are a few imports away', () => {
    const withBrowser = importersOf({
      'tests/e2e/a.test.ts': ['domain/a.ts'],
      'domain/b.ts': ['domain/a.ts'],
      'domain/b.test.ts': ['domain/b.ts'],
    });

    expect(testsReached(['domain/a.ts'], withBrowser, ['tests/e2e/a.test.ts', 'domain/b.test.ts'])).toEqual([
      'domain/b.test.ts',
      'tests/e2e/a.test.ts',
    ]);
  });

  test('finds none for a document', () => {
    expect(testsReached(['docs/status.md'], importers, tests)).toEqual([]);
  });

  test('finds them where files import each other in a circle', () => {
    const circle = importersOf({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts'], 'domain/a.test.ts': ['b.ts'] });

    expect(testsReached(['a.ts'], circle, ['domain/a.test.ts'])).toEqual(['domain/a.test.ts']);
  });
});

describe('a run within a budget', () => {
  const durations = { 'domain/a.test.ts': 5000, 'domain/b.test.ts': 100_000, 'domain/c.test.ts': 2000 };
  const reached = ['domain/a.test.ts', 'domain/b.test.ts', 'domain/c.test.ts'];

  test('runs what fits and names what does not', () => {
    expect(withinBudget(reached, durations, 20_000)).toEqual({
      chosen: ['domain/a.test.ts', 'domain/c.test.ts'],
      leftOut: ['domain/b.test.ts'],
    });
  });

  test('always runs the nearest', () => {
    expect(withinBudget(['domain/b.test.ts'], durations, 1000).chosen).toEqual(['domain/b.test.ts']);
  });
});

describe('the parts that browser tests drive', () => {
  const browserTests = listTestFiles(ROOT).filter(
    (file) => file.startsWith('tests/e2e/') && !file.endsWith('.night.test.ts'),
  );

  test('names them for each browser test of the day, and for nothing else', () => {
    const names = browserTests.map((file) => file.slice('tests/e2e/'.length, -'.test.ts'.length));

    expect(Object.keys(DRIVEN_PARTS).toSorted()).toEqual(names.toSorted());
  });

  test.each([...new Set(Object.values(DRIVEN_PARTS).flat())])('finds %s', (part) => {
    expect(existsSync(resolve(ROOT, part))).toBe(true);
  });
});
