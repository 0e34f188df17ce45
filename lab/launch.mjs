/** The launcher behind every npm script of lab/package.json, and behind `npm run lab` and `npm run bench` at the root. */
import { launch } from '../scripts/run-command.mjs';
import { COMMANDS, GROUPS } from './commands.mjs';

const [name = 'help', ...args] = process.argv.slice(2);
await launch(name, args, { alone: COMMANDS, groups: GROUPS });
