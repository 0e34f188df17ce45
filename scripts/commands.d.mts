export interface Command {
  /** Relative to the repository. */
  file: string;
  /** What it does, in a few words. */
  what: string;
}

export declare const COMMANDS: Record<string, Command>;
/** Commands by group and name. */
export declare const GROUPS: Record<string, Record<string, Command>>;
