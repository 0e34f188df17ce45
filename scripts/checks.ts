/** Format, lint, types, import directions, dead code, licences, secrets: the checks that need no running server. */
import { bin, NODE, type RunResult, run, step, type Tally } from './steps.ts';

const quiet = { isQuiet: true };
const tool = (name: string, ...args: string[]): Promise<RunResult> => run(NODE, [bin(name), ...args], quiet);

export async function runChecks(tally: Tally): Promise<void> {
  await step('format and lint', tally, () => tool('biome', 'ci', '--colors=off', '--max-diagnostics=40', '.'));
  await step('types', tally, () => tool('tsc', '-b'));
  await step('import directions', tally, () =>
    tool(
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      'domain',
      'server',
      'web',
      'sandbox',
      'tests',
      'scripts',
      'bench',
    ),
  );
  await step('planted faults are caught', tally, () => run(NODE, ['scripts/check-directions.ts'], quiet));
  await step('dead code', tally, () => tool('knip', '--no-progress'));
  await step('licences', tally, () => run(NODE, ['scripts/licences.ts', '--check'], quiet));
  await step('no secret in a file', tally, () => run(NODE, ['scripts/secrets.ts'], quiet));
}
