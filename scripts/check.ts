/** `npm run check`: format, lint, types, import directions, dead code. `-- NAME ...` runs only the named ones. */
import { CHECKS, runChecks } from './checks/checks.ts';
import { closingLine, newTally } from './steps.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !CHECKS.some((check) => check.name === name));
if (unknown !== undefined) {
  console.error(`No check is called ${unknown}. The checks: ${CHECKS.map(({ name }) => name).join(', ')}`);
  process.exitCode = 2;
} else {
  const tally = newTally();
  await runChecks(tally, wanted.length === 0 ? CHECKS : CHECKS.filter(({ name }) => wanted.includes(name)));
  for (const name of tally.failedSteps) console.log(`failed: ${name}`);
  console.log(closingLine(tally));
  process.exitCode = tally.failed > 0 ? 1 : 0;
}
