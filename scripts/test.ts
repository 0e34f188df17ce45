/**
 * `npm test`: every check and test in one command, the fast ones first. Needs only npm; a browser and a PostgreSQL are
 * installed from Debian if possible. Ends with the count. `--only`, `--changed` and file names run a part of it: see
 * `USAGE`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks/checks.ts';
import { buildSiteWhenStale } from './site/build-site.ts';
import { closingLine, ROOT, type Tally } from './steps.ts';
import { selectReached } from './test-run/changed.ts';
import type { TestKind } from './test-run/kinds.ts';
import { readTestOptions, type Selection, type TestOptions } from './test-run/options.ts';
import { openTestPostgres, prepareBrowserTests, type TestPostgres } from './test-run/prepare.ts';
import { type KindReport, type KindResult, runVitest, timed } from './test-run/run-vitest.ts';
import { summaryLines } from './test-run/summary.ts';

/** Contract and browser tests together take some 7 GB. */
const BYTES_FOR_BOTH = 10 * 2 ** 30;

const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
const results: KindResult[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'kat-test-'));
let postgres: TestPostgres | null = null;
try {
  const options = readTestOptions(process.argv.slice(2), ROOT);
  const selection = await select(options);
  const isSelected = (kind: TestKind): boolean => selection[kind] !== undefined;
  // Kinds that run together: alone, each leaves a part of two processors idle, browser tests more than half.
  await runTogether([...(options.hasChecks ? [reportOfChecks] : []), ...runsOf(['unit'], selection)]);
  if (isSelected('database') || isSelected('contract')) postgres = await openTestPostgres();
  await runTogether(runsOf(['web', 'database'], selection, postgres?.env));
  const last = [...runsOf(['contract'], selection, postgres?.env), ...browserRuns(selection)];
  for (const runs of hasMemoryForBoth() ? [last] : last.map((run) => [run])) await runTogether(runs);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  tally.failed += 1;
} finally {
  await postgres?.stop();
  rmSync(scratch, { recursive: true, force: true });
}
for (const line of summaryLines(results)) console.log(line);
console.log(closingLine(tally));
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

async function select({ selection, changed }: TestOptions): Promise<Selection> {
  return changed === null ? selection : selectReached(changed);
}

/** Of the machine, or of the container. */
function hasMemoryForBoth(): boolean {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) >= BYTES_FOR_BOTH;
}

type Run = () => Promise<KindReport>;

/** The selected ones of these kinds. */
function runsOf(kinds: readonly TestKind[], selection: Selection, env: Readonly<Record<string, string>> = {}): Run[] {
  return kinds.flatMap((kind) => {
    const files = selection[kind];
    return files === undefined ? [] : [() => runVitest({ kind, files, scratch, failedSoFar: tally.failed, env })];
  });
}

/** Browser tests, after what they need: the built site and a browser. */
function browserRuns(selection: Selection): Run[] {
  return runsOf(['e2e'], selection).map((run) => async () => {
    const isPrepared = await prepareBrowserTests(tally, buildSiteWhenStale());
    return isPrepared ? run() : { kind: 'e2e', files: [], passed: 0, failed: 0, skipped: 0, failures: [] };
  });
}

/** At the same time. They count together, since they share the processors. */
async function runTogether(runs: readonly Run[]): Promise<void> {
  if (runs.length === 0) return;
  const result = await timed(async () => {
    const reports = await Promise.all(runs.map((run) => run()));
    const sum = (part: keyof Tally) => reports.reduce((total, report) => total + report[part], 0);
    return {
      kind: reports.map(({ kind }) => kind).join(' and '),
      files: reports.flatMap(({ files }) => files),
      passed: sum('passed'),
      failed: sum('failed'),
      skipped: sum('skipped'),
      failures: reports.flatMap(({ failures }) => failures),
    };
  });
  results.push(result);
  for (const part of ['passed', 'failed', 'skipped'] as const) tally[part] += result[part];
}

/** The checks run outside the test runner. */
async function reportOfChecks(): Promise<KindReport> {
  const counted: Tally = { passed: 0, failed: 0, skipped: 0 };
  await runChecks(counted);
  return { kind: 'checks', files: [], failures: [], ...counted };
}
