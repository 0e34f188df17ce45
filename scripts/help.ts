import { commandLines } from './command-lines.ts';
import { COMMANDS, GROUPS } from './commands.mjs';

for (const line of commandLines({ alone: COMMANDS, groups: GROUPS }, 'npm run')) console.log(line);
console.log('\nThe laboratory (training, measuring, benchmarks, load) has its own: npm run lab -- help');
