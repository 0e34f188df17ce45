import type { Command } from '../scripts/commands.mjs';

export declare const COMMANDS: Record<string, Command>;
/** Commands by group and name. */
export declare const GROUPS: Record<string, Record<string, Command>>;
