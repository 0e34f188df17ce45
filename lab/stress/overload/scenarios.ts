/** Badly behaved crowds: what half of the crowd does while the figures of all others are measured. */
import type { Manners } from './client/manners.ts';

export interface Scenario {
  /** For the report. */
  title: string;
  /** Of the rude half; null: all behave well. */
  manners: Manners | null;
  /** Whether the rude half comes at one moment instead of at a pace. */
  isBurst: boolean;
  /** Tabs of one user; 0: none. They replace a rude half's streams. */
  tabs: number;
  /** Added to each answer of the database, milliseconds. */
  databaseDelayMs: number;
  /**
   * The others' part of what completes at capacity; they must complete nine tenths of it. A server that cannot
   * distinguish the halves owes each half its half; one user's tabs and a slow database excuse nothing.
   */
  share: number;
}

const PLAIN = { manners: null, isBurst: false, tabs: 0, databaseDelayMs: 0, share: 1 } as const;

export const SCENARIOS = {
  ignoring: { ...PLAIN, title: 'half of the crowd requests again immediately', manners: 'ignoring', share: 0.5 },
  'same-second': { ...PLAIN, title: 'clients come at one moment', manners: 'obeying', isBurst: true, share: 0.5 },
  leaving: { ...PLAIN, title: 'half of the crowd leaves while it waits', manners: 'leaving', share: 0.5 },
  'slow-database': { ...PLAIN, title: 'each answer of the database comes 50 ms later', databaseDelayMs: 50 },
  'hundred-tabs': { ...PLAIN, title: 'one user opens streams from a hundred tabs', tabs: 100 },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;
