import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TEST_KIND } from '../../tests/support/run/test-size.ts';
import { bin, NODE, run } from '../steps.ts';
import { type Durations, rememberDurations } from './durations.ts';
import type { TestKind } from './kinds.ts';
import { MAIN_FILES, MAIN_TITLES } from './main-ways.ts';
import { FAILED_SO_FAR, type FileReport, ON_TERMINAL, REPORT_FILE, readReport } from './report.ts';

export interface KindReport {
  kind: string;
  files: readonly FileReport[];
  passed: number;
  failed: number;
  skipped: number;
  /** `FILE > TEST: first line of the error`. */
  failures: readonly string[];
}

export interface KindResult extends KindReport {
  wallMs: number;
  /** Processor time of every process that ended during it. null: not available on this system. */
  cpuMs: number | null;
}

export interface VitestRun {
  /** A project of vitest.config.ts, or of the configuration named in `args`. */
  kind: TestKind | 'lab';
  files: readonly string[] | 'all' | 'main';
  /** A folder for its report and for Node's compile cache. */
  scratch: string;
  failedSoFar: number;
  env?: Readonly<Record<string, string>>;
  args?: readonly string[];
}

const REPORTER = resolve(import.meta.dirname, 'progress-reporter.ts');

export async function runVitest({ kind, files, scratch, failedSoFar, env, args = [] }: VitestRun): Promise<KindReport> {
  const reportFile = join(scratch, `${kind}.json`);
  const isMain = files === 'main';
  const named = isMain ? ['-t', MAIN_TITLES, ...MAIN_FILES] : files === 'all' ? [] : files;
  const command = [bin('vitest'), 'run', `--reporter=${REPORTER}`, '--project', kind, ...args, ...named];
  const { code } = await run(NODE, command, {
    env: {
      // Processes that tests start reuse the compile cache of earlier ones.
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
      [TEST_KIND]: kind,
      [REPORT_FILE]: reportFile,
      [FAILED_SO_FAR]: String(failedSoFar),
      [ON_TERMINAL]: process.stdout.isTTY === true ? 'yes' : 'no',
      ...env,
    },
  });
  const report = readReport(reportFile);
  const reported = report?.files ?? [];
  const sum = (part: 'passed' | 'failed' | 'skipped') => reported.reduce((total, file) => total + file[part], 0);
  // A crashed run, or an error outside every test, has no failed test to count.
  const isBrokenOtherwise = code !== 0 && sum('failed') === 0;
  if (!isBrokenOtherwise && !isMain) rememberDurations(durationsOf(reported));
  return {
    kind,
    files: reported,
    passed: sum('passed'),
    failed: sum('failed') + (isBrokenOtherwise ? 1 : 0),
    // Tests of other ways are skipped because they were not selected.
    skipped: isMain ? 0 : sum('skipped'),
    failures: [
      ...reported.flatMap(({ path, failures }) => failures.map((failure) => `${path} > ${failure}`)),
      ...(isBrokenOtherwise ? [`${kind}: the test runner ended with code ${code}; its output says why`] : []),
    ],
  };
}

function durationsOf(files: readonly FileReport[]): Durations {
  return Object.fromEntries(files.map(({ path, durationMs }) => [path, durationMs]));
}

/** Adds what the work took. */
export async function timed(work: () => Promise<KindReport>): Promise<KindResult> {
  const startedMs = performance.now();
  const cpuBeforeMs = childCpuMs();
  const report = await work();
  const cpuAfterMs = childCpuMs();
  const cpuMs = cpuBeforeMs === null || cpuAfterMs === null ? null : cpuAfterMs - cpuBeforeMs;
  return { ...report, wallMs: performance.now() - startedMs, cpuMs };
}

/** Length of a clock tick, the unit that Linux uses. */
const TICK_MS = 10;

/** Processor time of this process's ended children and their children. @returns null: not Linux */
function childCpuMs(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    // proc(5): cutime and cstime are fields 16 and 17 of the line; the name in brackets was the second.
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    // Other systems have no /proc.
    return null;
  }
}
