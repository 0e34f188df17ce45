/** Format, lint, types, import directions, dead code, licences, secrets: the checks that need no running server. */
import { availableParallelism } from 'node:os';
import { bin, NODE, type RunResult, run, step, type Tally } from '../steps.ts';

/** Folders of source files; everything else is documents, settings and data. */
export const SOURCE_FOLDERS = ['domain', 'server', 'web', 'sandbox', 'packages', 'tests', 'scripts', 'bench'] as const;

const quiet = { isQuiet: true };
const tool = (name: string, ...args: string[]): Promise<RunResult> => run(NODE, [bin(name), ...args], quiet);
const script = (name: string, ...args: string[]): Promise<RunResult> => run(NODE, [name, ...args], quiet);

/** The longest first. */
const CHECKS: readonly [string, () => Promise<RunResult>][] = [
  ['types', () => tool('tsc', '-b')],
  ['import directions, and planted faults are caught', () => script('scripts/checks/check-directions.ts')],
  ['short sentences, one form of numbers and of test titles', () => script('scripts/checks/check-texts.ts')],
  ['format and lint', () => tool('biome', 'ci', '--colors=off', '--max-diagnostics=40', '.')],
  ['no text that a browser’s translation breaks', () => script('scripts/checks/check-translation.ts')],
  ['dead code', () => tool('knip', '--no-progress')],
  ['licences', () => script('scripts/supply/write-licences.ts', '--check')],
  ['requirements have their files and tests', () => script('scripts/checks/check-requirements.ts')],
  ['no secret in a file', () => script('scripts/checks/secrets.ts')],
];

/** In parallel: none changes what another one reads. */
export async function runChecks(tally: Tally): Promise<void> {
  const waiting = [...CHECKS];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await step(next[0], tally, next[1]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}
