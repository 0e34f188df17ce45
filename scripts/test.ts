/**
 * `npm test`: every check and tests of every kind in one command, the fast ones first. Needs only npm; a browser and a
 * PostgreSQL are installed from Debian if possible. Ends with the count. `all`, `--only`, `--changed` and file names run
 * more or less of it: see `USAGE`.
 */

import { TEST_SIZE } from '../tests/support/run/test-size.ts';
import { runChecks } from './checks/checks.ts';
import { buildSiteWhenStale } from './site/build-site.ts';
import { closingLine, newTally, ROOT } from './steps.ts';
import { selectReached } from './test-run/changed.ts';
import type { TestKind } from './test-run/kinds.ts';
import { readTestOptions, type Selection, type TestOptions } from './test-run/options.ts';
import { openTestPostgres, prepareBrowserTests, type TestPostgres } from './test-run/prepare.ts';
import { openRunFolder } from './test-run/run-folder.ts';
import { type KindReport, type KindResult, runVitest, timed } from './test-run/run-vitest.ts';
import { summaryLines } from './test-run/summary.ts';

stopWithLauncher();
const tally = newTally();
const results: KindResult[] = [];
const folder = openRunFolder();
let postgres: TestPostgres | null = null;
try {
  const options = readTestOptions(process.argv.slice(2), ROOT, process.env[TEST_SIZE] !== undefined);
  const size: Readonly<Record<string, string>> = options.isQuick ? { [TEST_SIZE]: 'quick' } : {};
  if (options.hasChecks) results.push(await timed(reportOfChecks));
  const selection = await select(options);
  const isSelected = (kind: TestKind): boolean => selection[kind] !== undefined;
  await runKinds(['unit'], selection, size);
  if (isSelected('database') || isSelected('contract')) postgres = await openTestPostgres();
  const environment = { ...size, ...postgres?.env };
  // The site is built meanwhile. Its error is handled where it is awaited.
  const building = isSelected('e2e') ? buildSiteWhenStale() : null;
  building?.catch(() => undefined);
  // Alone, each leaves a third of two processors idle.
  await runKinds(['web', 'database'], selection, environment);
  const browserTests = async (): Promise<TestKind[]> =>
    building !== null && (await prepareBrowserTests(tally, building)) ? ['e2e'] : [];
  if (options.isQuick) {
    // Both wait often, and the few browser tests of a quick run leave half of two processors idle.
    await runKinds(['contract', ...(await browserTests())], selection, environment);
  } else {
    await runKinds(['contract'], selection, environment);
    await runKinds(await browserTests(), selection, environment);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  tally.failed += 1;
} finally {
  await postgres?.stop();
  folder.remove();
}
for (const line of summaryLines(results)) console.log(line);
for (const name of tally.failedSteps) console.log(`failed: ${name}`);
console.log(closingLine(tally));
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

/** Ends by `exit`, which stops what this process has started; the second way is that the launcher was killed. */
function stopWithLauncher(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
  process.on('disconnect', () => process.exit(130));
  // Waiting for either keeps no finished run alive.
  process.channel?.unref();
}

async function select({ selection, changed }: TestOptions): Promise<Selection> {
  return changed === null ? selection : selectReached(changed);
}

/** Runs the selected ones of them at the same time. They count together, since they share the processors. */
async function runKinds(kinds: readonly TestKind[], selection: Selection, env: Readonly<Record<string, string>> = {}) {
  const failedSoFar = tally.failed;
  const runs = kinds.flatMap((kind) => {
    const files = selection[kind];
    return files === undefined ? [] : [{ kind, files, scratch: folder.path, failedSoFar, env }];
  });
  if (runs.length === 0) return;
  const result = await timed(async () => {
    const reports = await Promise.all(runs.map(runVitest));
    const sum = (part: 'passed' | 'failed' | 'skipped') => reports.reduce((total, report) => total + report[part], 0);
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
  const before = { ...tally };
  await runChecks(tally);
  const [passed, failed] = [tally.passed - before.passed, tally.failed - before.failed];
  return { kind: 'checks', files: [], passed, failed, skipped: 0, failures: [] };
}
