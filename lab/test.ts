/**
 * `npm run lab -- test [--night] [FILE ...]`: the laboratory's own tests, which `npm test` leaves out. `--night` adds
 * those that run whole loads. Ends with the count.
 */
import { parseArgs } from 'node:util';
import { readOrExit } from '../scripts/command-line.ts';
import { closingLine, newTally } from '../scripts/steps.ts';
import { openTestPostgres } from '../scripts/test-run/prepare.ts';
import { openRunFolder } from '../scripts/test-run/run-folder.ts';
import { runVitest } from '../scripts/test-run/run-vitest.ts';
import { TEST_SIZE } from '../tests/support/run/test-size.ts';

const { values, positionals } = readOrExit(
  () => parseArgs({ options: { night: { type: 'boolean' } }, allowPositionals: true }),
  'npm run lab -- test [--night] [FILE ...]',
);
const tally = newTally();
const folder = openRunFolder();
const postgres = await openTestPostgres();
try {
  const report = await runVitest({
    kind: 'lab',
    files: positionals.length === 0 ? 'all' : positionals,
    scratch: folder.path,
    failedSoFar: 0,
    env: { ...postgres.env, ...(values.night === true ? { [TEST_SIZE]: 'night' } : {}) },
    args: ['--config', 'lab/vitest.config.ts'],
  });
  for (const part of ['passed', 'failed', 'skipped'] as const) tally[part] += report[part];
  tally.failedSteps.push(...report.failures);
} finally {
  await postgres.stop();
  folder.remove();
}
for (const name of tally.failedSteps) console.log(`failed: ${name}`);
console.log(closingLine(tally));
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;
