/** The tests that a change affects, nearest first. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { DRIVEN_PARTS } from '../../tests/support/servers/driven-parts.ts';
import { ROOT } from '../steps.ts';
import { type Durations, estimateMs, readDurations } from './durations.ts';
import { addImport, distancesFrom, type Importers, readImporters } from './import-graph.ts';
import { kindOfFile, listTestFiles, type TestKind } from './kinds.ts';
import { groupByKind, type Selection } from './options.ts';

/** Test time that fits, with the checks, into two minutes on two cores, as the sum of the files' durations. */
const BUDGET_MS = 110_000;
/** Setup before the first file of a kind: a database server, a built site, servers that start. */
const KIND_START_MS: Record<TestKind, number> = {
  unit: 2000,
  web: 5000,
  database: 8000,
  contract: 6000,
  e2e: 60_000,
};

/** A browser test costs as much as fifty others and covers whole folders: tests a few imports away come before it. */
const BROWSER_STEPS = 3;

/** Files that no import names, and the file that reads them. */
const READ_BY: readonly [RegExp, string][] = [
  [/^supabase\//, 'server/platform/database/migrate.ts'],
  [/^supabase\//, 'tests/database/pgtap.test.ts'],
  [/^models\//, 'server/forecast/models/model-registry.ts'],
  [/\.md$/, 'scripts/checks/document-commands.ts'],
];
/** A change of these can affect any test. */
const EVERYTHING = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|scripts\/(test|steps|launch).*)$/;

export interface Reached {
  chosen: readonly string[];
  /** Affected too, but further away than the time allows. */
  leftOut: readonly string[];
}

/** @throws Error if git does not know `since` */
export async function selectReached({ since, isWhole }: { since: string; isWhole: boolean }): Promise<Selection> {
  const changed = changedSince(since);
  const files = listTestFiles(ROOT);
  if (changed.some((file) => EVERYTHING.test(file))) {
    console.log('A file that every test depends on has changed: run npm test before you commit.');
  }
  const reached = testsReached(changed, await readReach(ROOT), files);
  const { chosen, leftOut } = isWhole ? { chosen: reached, leftOut: [] } : withinBudget(reached, readDurations());
  console.log(`${changed.length} files changed since ${since}; they reach ${reached.length} test files.`);
  if (leftOut.length > 0) {
    console.log(`Runs the ${chosen.length} nearest; ${leftOut.length} more distant ones run with npm test or --whole.`);
  }
  return groupByKind(chosen);
}

/** Committed, staged, edited and new files, relative to the repository. */
function changedSince(ref: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
  const [base = ref] = git('merge-base', ref, 'HEAD');
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(changed)];
}

/** Imports, and what browser tests use without importing it. @param root  the repository's folder, or a copy's */
export async function readReach(root: string): Promise<Importers> {
  const importers = await readImporters(root);
  for (const [name, parts] of Object.entries(DRIVEN_PARTS)) {
    for (const file of parts.flatMap((part) => sourcesIn(part, root))) {
      addImport(importers, `tests/e2e/${name}.test.ts`, file);
    }
  }
  return importers;
}

function sourcesIn(part: string, root: string): string[] {
  if (/\.\w+$/.test(part)) return [part];
  return globSync(`${part}/**/*.{ts,tsx,css}`, { cwd: root }).filter((file) => !file.includes('.test.'));
}

/** Nearest first; equally near ones in the order of their kinds. */
export function testsReached(
  changed: readonly string[],
  importers: Importers,
  testFiles: readonly string[],
): readonly string[] {
  const read = changed.flatMap((file) => READ_BY.filter(([pattern]) => pattern.test(file)).map(([, reader]) => reader));
  const distances = distancesFrom([...changed, ...read], importers);
  const rank = (file: string): number => (distances.get(file) ?? 0) + (kindOfFile(file) === 'e2e' ? BROWSER_STEPS : 0);
  return testFiles.filter((file) => distances.has(file)).toSorted((a, b) => rank(a) - rank(b));
}

/** As many as fit into the budget by their durations; the first always fits. */
export function withinBudget(reached: readonly string[], durations: Durations, budgetMs = BUDGET_MS): Reached {
  const chosen: string[] = [];
  const kinds = new Set<TestKind>();
  let spentMs = 0;
  for (const file of reached) {
    const kind = kindOfFile(file);
    if (kind === null) continue;
    const costMs = estimateMs(file, durations) + (kinds.has(kind) ? 0 : KIND_START_MS[kind]);
    if (chosen.length > 0 && spentMs + costMs > budgetMs) continue;
    spentMs += costMs;
    kinds.add(kind);
    chosen.push(file);
  }
  return { chosen, leftOut: reached.filter((file) => !chosen.includes(file)) };
}
