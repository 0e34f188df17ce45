/**
 * `npm test`: every check and test in one command, the fast ones first. Needs nothing beside npm; a browser and a
 * PostgreSQL are installed from Debian where that is possible. `--only NAME` runs one kind. Ends with the count.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as z from 'zod/mini';
import { ensureTestBrowser } from '../tests/support/chromium.ts';
import { installDebianPackages } from '../tests/support/debian-packages.ts';
import { startThrowawayPostgres } from '../tests/support/throwaway-postgres.ts';
import { buildSiteWhenStale } from './build-site.ts';
import { runChecks } from './checks.ts';
import { bin, closingLine, NODE, run, step, type Tally } from './steps.ts';

const KINDS = ['checks', 'unit', 'web', 'database', 'contract', 'e2e'] as const;
type Kind = (typeof KINDS)[number];

const vitestReportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numFailedTestSuites: z.number(),
  testResults: z.array(
    z.object({
      /** Path of the file. */
      name: z.string(),
      status: z.string(),
      /** Why the file could not be loaded. */
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.nullish(z.array(z.string())) }),
      ),
    }),
  ),
});
type VitestReport = z.infer<typeof vitestReportSchema>;

const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
/** Told once more at the end: what is printed in between may be thousands of lines away. */
const failures: string[] = [];
const chosen = chosenKinds();
const scratch = mkdtempSync(join(tmpdir(), 'kat-test-'));
try {
  if (chosen.includes('checks')) await runChecks(tally);
  await runVitest(chosen.filter((kind) => kind === 'unit' || kind === 'web'));
  await runOnDatabases(chosen.filter((kind) => kind === 'database' || kind === 'contract'));
  if (chosen.includes('e2e')) await runBrowserTests();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(closingLine(tally));
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

function chosenKinds(): readonly Kind[] {
  const at = process.argv.indexOf('--only');
  if (at < 0) return KINDS;
  const kind = KINDS.find((name) => name === process.argv[at + 1]);
  if (kind === undefined) throw new Error(`--only takes one of ${KINDS.join(', ')}`);
  return [kind];
}

async function runVitest(projects: readonly Kind[], env: Record<string, string> = {}): Promise<void> {
  if (projects.length === 0) return;
  const reportFile = join(scratch, `${projects.join('-')}.json`);
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const result = await run(NODE, [bin('vitest'), ...args, ...projects.flatMap((name) => ['--project', name])], {
    // Processes that tests start read what an earlier one compiled.
    env: { NODE_COMPILE_CACHE: join(scratch, 'compiled'), ...env },
  });
  const report = readReport(reportFile);
  tally.passed += report?.numPassedTests ?? 0;
  tally.skipped += report?.numPendingTests ?? 0;
  const failed = report?.numFailedTests ?? 0;
  if (report !== null) failures.push(...failuresOf(report));
  // A file that could not be loaded has no tests to count, and so has a run that crashed.
  const isBrokenOtherwise = result.code !== 0 && failed === 0;
  tally.failed += failed + (isBrokenOtherwise ? Math.max(1, report?.numFailedTestSuites ?? 1) : 0);
}

/** `FILE > TEST: first line of why`. */
function failuresOf({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${file}: ${firstLine(message)}`] : [];
    return failed.map((test) => `${file} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
  });
}

function firstLine(text = ''): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

function readReport(file: string): VitestReport | null {
  try {
    return vitestReportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // No report: the run broke before its first test; counted as a failure by the caller.
    return null;
  }
}

async function runOnDatabases(projects: readonly Kind[]): Promise<void> {
  if (projects.length === 0) return;
  // Installed here where it is missing: test files beside each other would wait for one another's installation.
  const { NATS_SKIPPED } = await import('../tests/support/throwaway-nats.ts');
  if (NATS_SKIPPED !== '') console.log(NATS_SKIPPED);
  const postgres = await startPostgres(projects.includes('database'));
  if ('skipped' in postgres) {
    console.log(`skipped: tests on PostgreSQL (${postgres.skipped})`);
    return runVitest(projects);
  }
  try {
    await runVitest(projects, { TEST_DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

/** What is missing is installed where that is possible; without pgTAP all but its own tests run. */
async function startPostgres(wantsPgtap: boolean): ReturnType<typeof startThrowawayPostgres> {
  const first = await startThrowawayPostgres();
  const isEnough = !('skipped' in first) && (first.hasPgtap || !wantsPgtap);
  if (isEnough || !installDebianPackages(['postgresql', '^postgresql-[0-9]+-pgtap$'])) return first;
  if (!('skipped' in first)) await first.stop();
  return startThrowawayPostgres();
}

async function runBrowserTests(): Promise<void> {
  let siteDir = '';
  const isBuilt = await step('site builds', tally, async () => {
    try {
      siteDir = (await buildSiteWhenStale()).siteDir;
      return { code: 0, output: '' };
    } catch (error) {
      return { code: 1, output: String(error) };
    }
  });
  if (!isBuilt) return;
  await step('size budgets', tally, () => run(NODE, ['scripts/check-budgets.ts', siteDir]));
  const hasBrowser = await step('Chromium is found', tally, async () => {
    try {
      return { code: 0, output: ensureTestBrowser() };
    } catch (error) {
      return { code: 1, output: String(error) };
    }
  });
  if (hasBrowser) await runVitest(['e2e']);
}
