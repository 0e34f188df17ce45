import { commandLines } from '../scripts/command-lines.ts';
import { COMMANDS, GROUPS } from './commands.mjs';

for (const line of commandLines({ alone: COMMANDS, groups: GROUPS }, 'npm run lab --')) console.log(line);
