/**
 * `npm test -- mutations`: plants each fault of `test-run/mutations.ts` alone in a copy of the repository, runs the
 * tests that reach the changed file, nearest first, and reports which test caught it. `-- --in DIR` plants them in a
 * copy of another checkout, to compare the tests of two versions; `-- --only TEXT` plants those whose file or fault
 * contains TEXT.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readOrExit } from '../command-line.ts';
import { bin, closingLine, NODE, newTally, ROOT, run } from '../steps.ts';
import { readReach, testsReached } from '../test-run/changed.ts';
import { estimateMs, readDurations } from '../test-run/durations.ts';
import { kindOfFile, listTestFiles, TEST_KINDS } from '../test-run/kinds.ts';
import { MUTATIONS, type Mutation } from '../test-run/mutations.ts';
import { openTestPostgres } from '../test-run/prepare.ts';
import { openRunFolder } from '../test-run/run-folder.ts';

/** Run time of the first stage of test files: the nearest ones, which catch most faults. Each later stage is larger. */
const FIRST_STAGE_MS = 3000;
const STAGE_GROWTH = 4;
const LAST_STAGE_MS = 60_000;

const { values } = readOrExit(
  () => parseArgs({ options: { in: { type: 'string' }, only: { type: 'string', default: '' } } }),
  'npm test -- mutations [--in FOLDER] [--only TEXT]',
);
const source = resolve(values.in ?? ROOT);
const chosen = MUTATIONS.filter(({ file, fault }) => `${file} ${fault}`.includes(values.only));
const tally = newTally();
const folder = openRunFolder();
const copy = join(folder.path, 'copy');
const postgres = await openTestPostgres();
try {
  await copyRepository();
  const testFiles = listTestFiles(copy);
  const importers = await readReach(copy);
  const durations = readDurations();
  for (const mutation of chosen) {
    const stages = stagesOf(testsReached([mutation.file], importers, testFiles), durations);
    const caughtBy = await plant(mutation, stages);
    if (caughtBy === null) tally.failed += 1;
    else tally.passed += 1;
    console.log(
      `${caughtBy === null ? 'MISSED' : 'caught'} ${mutation.file}: ${mutation.fault} (${caughtBy ?? 'no test failed'})`,
    );
  }
} finally {
  await postgres.stop();
  folder.remove();
}
console.log(closingLine(tally));
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

/** Tracked and new files are copied; packages are linked. */
async function copyRepository(): Promise<void> {
  const listed = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: source, isQuiet: true });
  for (const file of listed.output.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(source, file), join(copy, file));
  }
  symlinkSync(join(source, 'node_modules'), join(copy, 'node_modules'));
}

/** By kind first, because a browser test costs a hundred unit tests; within a kind the nearest first. */
function stagesOf(reached: readonly string[], durations: Readonly<Record<string, number>>): string[][] {
  const stages: string[][] = [];
  let limitMs = FIRST_STAGE_MS / STAGE_GROWTH;
  for (const kind of TEST_KINDS) {
    let spentMs = Number.POSITIVE_INFINITY;
    for (const file of reached.filter((name) => kindOfFile(name) === kind)) {
      const costMs = estimateMs(file, durations);
      if (spentMs + costMs > limitMs) {
        stages.push([]);
        spentMs = 0;
        limitMs = Math.min(limitMs * STAGE_GROWTH, LAST_STAGE_MS);
      }
      spentMs += costMs;
      stages.at(-1)?.push(file);
    }
  }
  return stages;
}

/** @returns the first test that failed, or null */
async function plant({ file, find, replace }: Mutation, stages: readonly string[][]): Promise<string | null> {
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  if (before.split(find).length !== 2) throw new Error(`${file} does not contain exactly once: ${find}`);
  writeFileSync(
    path,
    before.replace(find, () => replace),
  );
  try {
    for (const files of stages) {
      const caughtBy = await firstFailure(files);
      if (caughtBy !== null) return caughtBy;
    }
    return null;
  } finally {
    writeFileSync(path, before);
  }
}

async function firstFailure(files: readonly string[]): Promise<string | null> {
  const args = ['run', '--bail=1', '--reporter=tap-flat', ...files];
  const { code, output } = await run(NODE, [bin('vitest'), ...args], { cwd: copy, isQuiet: true, env: postgres.env });
  if (code === 0) return null;
  const failed = [...output.matchAll(/^not ok \d+ - (.*?)(?: # time.*)?$/gm)].map((line) => line[1] ?? '');
  // Files aborted after the first failure are listed too, without a test's name.
  return failed.find((name) => name.includes(' > ')) ?? failed[0] ?? `exit code ${code} of ${files.join(', ')}`;
}
