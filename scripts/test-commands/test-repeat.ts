/**
 * `npm test -- repeat --times 20 [--kind KIND]... [--stalls] [--slow] [--beside] [FILE]...`: runs tests repeatedly in
 * random order, around calendar boundaries, in other zones and languages. With `--stalls` its processes stop at random
 * moments, with `--slow` each gets half a core, with `--beside` a busy loop per core runs beside them. It names every
 * test that ever failed. There are no retries: a test that fails once in twenty rounds is a failure.
 */
import { parseArgs } from 'node:util';
import { STRAINS, type Strain } from '../../tests/support/run/strains.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit, wholeNumberOf } from '../command-line.ts';
import { buildSiteWhenStale } from '../site/build-site.ts';
import { closingLine, newTally, ROOT } from '../steps.ts';
import {
  buildClockLibrary,
  type Conditions,
  conditionsOf,
  describeConditions,
  environmentOf,
} from '../test-run/conditions.ts';
import { TEST_KINDS, type TestKind } from '../test-run/kinds.ts';
import { type Selection, selectFiles } from '../test-run/options.ts';
import { openTestPostgres, prepareBrowserTests } from '../test-run/prepare.ts';
import { openRunFolder } from '../test-run/run-folder.ts';
import { type KindResult, runVitest, timed } from '../test-run/run-vitest.ts';
import { startBusyLoops } from '../test-run/strains/busy-loops.ts';
import { startChildStops } from '../test-run/strains/child-stops.ts';
import { holdToHalfCores } from '../test-run/strains/half-cores.ts';

/** Rounds of each kind without `--times`. */
const USUAL_TIMES: Record<TestKind, number> = { unit: 20, web: 20, database: 20, contract: 10, e2e: 5 };
/** For a kind that has not run yet. */
const FIRST_HALF_MS = 30_000;

/** Each returns what ends it. */
const STARTS: Record<Strain, (seed: number) => () => void> = {
  stalls: (seed) => startChildStops(seed),
  beside: () => startBusyLoops(),
  slow: () => holdToHalfCores() ?? noteFullSpeed(),
};

const { selection, times, seed, strains } = readOrExit(
  readRepeatOptions,
  'npm test -- repeat [--times N] [--kind KIND]... [--seed N] [--stalls] [--slow] [--beside] [FILE]...',
);
const tally = newTally();
/** How often each test failed, and under which conditions. */
const failures = new Map<string, string[]>();
const folder = openRunFolder();
const clockLibrary = buildClockLibrary(folder.path);
if (clockLibrary === null) console.log('no C compiler found: every round runs at the real time');
try {
  for (const kind of TEST_KINDS) {
    if (selection[kind] === undefined) continue;
    if (kind === 'e2e' && !(await prepareBrowserTests(tally, buildSiteWhenStale()))) continue;
    await repeat(kind);
  }
} finally {
  folder.remove();
}
for (const [failure, where] of failures)
  console.log(`failed ${where.length} times: ${failure}\n  ${where.join('\n  ')}`);
console.log(closingLine(tally));
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

function noteFullSpeed(): () => void {
  console.log('--slow has no effect: this user may create no control group of the processor');
  return () => {};
}

async function repeat(kind: TestKind): Promise<void> {
  let halfMs = FIRST_HALF_MS;
  const rounds = times ?? USUAL_TIMES[kind];
  for (let round = 0; round < rounds; round += 1) {
    const nowMs = Date.now();
    const conditions = conditionsOf(round, seed, nowMs, strains);
    console.log(`${kind}, round ${round + 1} of ${rounds}: ${describeConditions(conditions)}`);
    // The browser's clock cannot be moved, and it would disagree with a server on another day.
    const clock = { halfMs, nowMs, clockLibrary: kind === 'e2e' ? null : clockLibrary };
    const result = await runOnce(kind, conditions, environmentOf(conditions, clock));
    halfMs = result.wallMs / 2;
    tally.passed += result.passed;
    tally.failed += result.failed;
    tally.skipped += result.skipped;
    for (const failure of result.failures) {
      failures.set(failure, [...(failures.get(failure) ?? []), describeConditions(conditions)]);
    }
  }
}

async function runOnce(
  kind: TestKind,
  { seed, strains }: Conditions,
  env: Record<string, string>,
): Promise<KindResult> {
  const needsPostgres = kind === 'database' || kind === 'contract';
  const postgres = needsPostgres ? await openTestPostgres(env) : null;
  const ends = strains.map((strain) => STARTS[strain](seed));
  try {
    const run = {
      kind,
      files: selection[kind] ?? [],
      scratch: folder.path,
      failedSoFar: tally.failed,
      env: { ...env, ...postgres?.env, TEST_ORDER: 'random' },
      args: [`--sequence.seed=${seed}`],
    };
    return await timed(() => runVitest(run));
  } finally {
    for (const end of ends) end();
    await postgres?.stop();
  }
}

interface RepeatOptions {
  selection: Selection;
  times: number | null;
  seed: number;
  strains: readonly Strain[];
}

function readRepeatOptions(): RepeatOptions {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      times: { type: 'string' },
      kind: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
      stalls: { type: 'boolean' },
      slow: { type: 'boolean' },
      beside: { type: 'boolean' },
    },
  });
  const unknown = values.kind?.find((name) => !TEST_KINDS.some((kind) => kind === name));
  if (unknown !== undefined) throw new BadInput(`--kind must be one of ${TEST_KINDS.join(', ')}, not ${unknown}`);
  const times = values.times === undefined ? null : wholeNumberOf('--times', values.times, 1);
  const seed = wholeNumberOf('--seed', values.seed, 0);
  const kinds = TEST_KINDS.filter((kind) => values.kind?.includes(kind) ?? true);
  const files: Selection = positionals.length === 0 ? {} : selectFiles(positionals, ROOT);
  const selection = Object.fromEntries(
    positionals.length === 0 ? kinds.map((kind) => [kind, 'all'] as const) : kinds.map((kind) => [kind, files[kind]]),
  );
  return { selection, times, seed, strains: STRAINS.filter((strain) => values[strain] === true) };
}
