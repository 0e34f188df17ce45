import type { Command } from './commands.mjs';

export interface Commands {
  alone: Record<string, Command>;
  /** By group and name. */
  groups: Record<string, Record<string, Command>>;
}

export declare function resolveCommand(
  name: string | undefined,
  args: readonly string[],
  commands: Commands,
): { file: string; args: readonly string[] } | { error: string };
