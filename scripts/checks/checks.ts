/** Format, lint, types, import directions, dead code, licences, secrets: the checks that need no running server. */
import { availableParallelism } from 'node:os';
import { bin, NODE, type RunResult, run, step, type Tally } from '../steps.ts';

/** Folders of source files; everything else is documents, settings and data. */
export const SOURCE_FOLDERS = ['domain', 'server', 'web', 'sandbox', 'packages', 'tests', 'scripts', 'lab'] as const;

const quiet = { isQuiet: true };
const tool = (name: string, ...args: string[]): Promise<RunResult> => run(NODE, [bin(name), ...args], quiet);
const script = (name: string, ...args: string[]): Promise<RunResult> => run(NODE, [name, ...args], quiet);

interface Check {
  /** For the command line. */
  name: string;
  what: string;
  run(): Promise<RunResult>;
}

/** The longest first. */
export const CHECKS: readonly Check[] = [
  { name: 'types', what: 'the compiler', run: () => tool('tsc', '-b') },
  {
    name: 'imports',
    what: 'import directions, and planted faults are caught',
    run: () => script('scripts/checks/check-directions.ts'),
  },
  {
    name: 'texts',
    what: 'short sentences, one form of numbers and of test titles',
    run: () => script('scripts/checks/check-texts.ts'),
  },
  {
    name: 'lint',
    what: 'format and lint',
    run: () => tool('biome', 'ci', '--colors=off', '--diagnostic-level=warn', '--max-diagnostics=40', '.'),
  },
  {
    name: 'translation',
    what: 'no text that a browser’s translation breaks',
    run: () => script('scripts/checks/check-translation.ts'),
  },
  { name: 'dead-code', what: 'no unused code', run: () => tool('knip', '--no-progress') },
  {
    name: 'licences',
    what: 'each package has an allowed one',
    run: () => script('scripts/supply/write-licences.ts', '--check'),
  },
  {
    name: 'requirements',
    what: 'requirements have their files and tests',
    run: () => script('scripts/checks/check-requirements.ts'),
  },
  { name: 'secrets', what: 'no secret in a file', run: () => script('scripts/checks/secrets.ts') },
];

/** In parallel: none changes what another one reads. */
export async function runChecks(tally: Tally, checks: readonly Check[] = CHECKS): Promise<void> {
  const waiting = [...checks];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await step(`${next.name}: ${next.what}`, tally, next.run);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}
