/** `npm run check`: format, lint, types, import directions, dead code. */
import { runChecks } from './checks/checks.ts';
import { closingLine, type Tally } from './steps.ts';

const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
await runChecks(tally);
console.log(closingLine(tally));
process.exitCode = tally.failed > 0 ? 1 : 0;
