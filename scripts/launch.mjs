/** The launcher behind every npm script of the product. */
import { COMMANDS, GROUPS } from './commands.mjs';
import { launch } from './run-command.mjs';

const [name, ...args] = process.argv.slice(2);
await launch(name, args, { alone: COMMANDS, groups: GROUPS });
