/** Bugs that chaos runs must find, each planted alone. They change sources while a test server loads them. */

interface Change {
  /** Relative to the repository. */
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
}

export interface PlantedBug {
  what: string;
  /** The world in which it can be found. */
  world: 'embedded' | 'nodes';
  changes: readonly Change[];
  /** Added to the environment: for a bug below the product's own code. */
  env?: Readonly<Record<string, string>>;
}

export const PLANTED_BUGS = {
  'lost-fsync': {
    what: 'commits are acknowledged before they are on the disk',
    world: 'nodes',
    changes: [
      {
        file: 'server/platform/database/postgres/postgres-database.ts',
        find: "set_config('tcp_user_timeout', '30000', false)",
        replace: "set_config('tcp_user_timeout', '30000', false), set_config('synchronous_commit', 'off', false)",
      },
    ],
  },
  'lost-log-sync': {
    what: 'syncs of the embedded database’s log report success and do nothing',
    world: 'embedded',
    changes: [],
    env: { LOSES_SYNCS: '1' },
  },
  'double-spend': {
    what: 'a stream that is requested again in the same minute costs a second unit',
    world: 'embedded',
    changes: [
      {
        file: 'supabase/migrations/20261202000000_timeframes.sql',
        find: "     and r.t0 = p_t0 and r.state <> 'released';",
        replace: "     and r.t0 = p_t0 and r.state <> 'released' and r.candles_sent < 0;",
      },
      {
        file: 'supabase/migrations/20261202000000_timeframes.sql',
        find: 'create unique index prediction_reservations_once_idx',
        replace: 'create index prediction_reservations_once_idx',
      },
    ],
  },
  'stale-leader': {
    what: 'what a leader from before a pause still says is shown',
    world: 'nodes',
    changes: [
      {
        file: 'server/market/sharing/sharing.ts',
        find: 'if (term < this.#term) return false;',
        replace: '',
      },
    ],
  },
  'stolen-lock': {
    what: 'a second server takes the data folder from a living one',
    world: 'embedded',
    changes: [
      {
        file: 'server/platform/database/pglite/data-lock.ts',
        find: 'if (held && (await staysAlive(held, options.waitMs ?? WAIT_MS))) throw',
        replace: 'if (held && (await staysAlive(held, options.waitMs ?? WAIT_MS)) && held.pid === process.pid) throw',
      },
    ],
  },
  'late-event': {
    what: 'an event that was read earlier overwrites a subscription that was read later',
    world: 'embedded',
    changes: [
      {
        file: 'server/billing/subscriptions/subscription-store.ts',
        find: '  where s.synced_seq < excluded.synced_seq\n',
        replace: '  where true\n',
      },
    ],
  },
} as const satisfies Record<string, PlantedBug>;

export function isPlantedBug(name: string): name is keyof typeof PLANTED_BUGS {
  return Object.hasOwn(PLANTED_BUGS, name);
}

/** @param path  absolute @returns the source with the changes that belong to this file */
export function plantInto(path: string, source: string, changes: readonly Change[]): string {
  return changes
    .filter(({ file }) => path.endsWith(`/${file}`))
    .reduce((text, { find, replace }) => text.replace(find, replace), source);
}
