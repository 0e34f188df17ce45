/**
 * `npm test`: every check and test in one command, the fast ones first. Needs only npm; a browser and a PostgreSQL are
 * installed from Debian if possible. Ends with the count. `--only`, `--changed` and file names run a part of it: see
 * `USAGE`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks/checks.ts';
import { closingLine, ROOT, type Tally } from './steps.ts';
import { selectReached } from './test-run/changed.ts';
import type { TestKind } from './test-run/kinds.ts';
import { readTestOptions, type Selection, type TestOptions } from './test-run/options.ts';
import { openTestPostgres, prepareBrowserTests, type TestPostgres } from './test-run/prepare.ts';
import { childCpuMs, type KindResult, runVitest } from './test-run/run-vitest.ts';
import { summaryLines } from './test-run/summary.ts';

const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
const results: KindResult[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'kat-test-'));
let postgres: TestPostgres | null = null;
try {
  const options = readTestOptions(process.argv.slice(2), ROOT);
  if (options.hasChecks) await measured('checks', () => runChecks(tally));
  const selection = await select(options);
  for (const kind of ['unit', 'web'] as const) await runKind(kind, selection);
  if (selection.database !== undefined || selection.contract !== undefined) postgres = await openTestPostgres();
  for (const kind of ['database', 'contract'] as const) await runKind(kind, selection, postgres?.env);
  if (selection.e2e !== undefined && (await prepareBrowserTests(tally))) await runKind('e2e', selection);
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

async function runKind(kind: TestKind, selection: Selection, env: Readonly<Record<string, string>> = {}) {
  const files = selection[kind];
  if (files === undefined) return;
  const result = await runVitest({ kind, files, scratch, failedSoFar: tally.failed, env });
  results.push(result);
  tally.passed += result.passed;
  tally.failed += result.failed;
  tally.skipped += result.skipped;
}

/** Adds work outside the test runner to the times by kind. */
async function measured(kind: string, work: () => Promise<void>): Promise<void> {
  const startedMs = performance.now();
  const cpuBeforeMs = childCpuMs();
  const before = { ...tally };
  await work();
  const cpuAfterMs = childCpuMs();
  results.push({
    kind,
    wallMs: performance.now() - startedMs,
    cpuMs: cpuBeforeMs === null || cpuAfterMs === null ? null : cpuAfterMs - cpuBeforeMs,
    files: [],
    passed: tally.passed - before.passed,
    failed: tally.failed - before.failed,
    skipped: 0,
    failures: [],
  });
}
