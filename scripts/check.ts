/** `npm run check`: format, lint, types, import directions, dead code. `-- --figures` prints the size of the house. */
import { runChecks } from './checks/checks.ts';
import { houseFigures, printFigures } from './checks/house-figures.ts';
import { closingLine, type Tally } from './steps.ts';

const args = process.argv.slice(2);
if (args.length === 1 && args[0] === '--figures') {
  printFigures(houseFigures());
} else if (args.length > 0) {
  console.error('usage: npm run check [-- --figures]');
  process.exitCode = 2;
} else {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  await runChecks(tally);
  console.log(closingLine(tally));
  process.exitCode = tally.failed > 0 ? 1 : 0;
}
