/**
 * Elects one leader among many processes: it holds a lease in the database and renews it well before it expires. A
 * killed leader is replaced when its lease expires. A leader that was paused finds a successor, and its late messages
 * are recognized by their older term. While the database is unavailable no process can take over, so the leader
 * continues.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asOwner, type Database } from '../database/database.ts';
import type { Logger } from '../telemetry/log.ts';

export interface LeadershipOptions {
  name: string;
  store: LeaderStore;
  log: Logger;
  timing?: Partial<LeadershipTiming> | undefined;
}

export interface LeadershipTiming {
  /** How long a killed leader still counts as the leader. */
  leaseMs: number;
  renewMs: number;
  /** How often the other processes check the lease. */
  checkMs: number;
  /** How long the other processes have to take over from a leader that gives way. */
  yieldMs: number;
}

export interface Leadership {
  /** This process's term while it leads; null while another one does. */
  readonly term: number | null;
  /** Called with the term at every change. @returns a function that unsubscribes */
  onChange(listener: (term: number | null) => void): () => void;
  /** Lets another process lead if there is one; otherwise this process soon leads again. */
  giveWay(): Promise<void>;
  close(): Promise<void>;
}

/** With a check and the venue's first frame, a killed leader is replaced within four seconds. */
const TIMING: LeadershipTiming = { leaseMs: 2500, renewMs: 800, checkMs: 400, yieldMs: 3000 };

/** Checks immediately, then repeatedly. Never rejects. */
export function startLeadership(options: LeadershipOptions): Leadership {
  const { name, store, log } = options;
  const timing = { ...TIMING, ...options.timing };
  const holder = randomUUID();
  const stopping = new AbortController();
  const listeners = new Set<(term: number | null) => void>();
  let term: number | null = null;
  /** Monotonic milliseconds. */
  let notBeforeMs = 0;

  function set(next: number | null): void {
    if (next === term) return;
    term = next;
    log.info({ lead: name, term }, term === null ? 'another process leads' : 'this process leads');
    for (const listener of [...listeners]) listener(term);
  }

  async function check(): Promise<void> {
    try {
      if (performance.now() < notBeforeMs || (term === null && (await store.isTaken(name, holder, timing.leaseMs))))
        return;
      const held = await store.hold(name, holder, timing.leaseMs);
      // It may have given way in the meantime.
      if (!stopping.signal.aborted && performance.now() >= notBeforeMs) set(held);
    } catch (error) {
      // No other process can take over meanwhile. If only we lost the database, our term becomes the older one.
      log.warn({ lead: name, err: error }, 'the leader could not be read');
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await check();
      const waitMs = term === null ? timing.checkMs * (0.8 + 0.4 * Math.random()) : timing.renewMs;
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Changes nothing unless this process leads; if the database is unavailable, the lease simply expires. */
  function release(): Promise<void> {
    return store.release(name, holder).catch(() => undefined);
  }

  const looping = loop();

  return {
    get term() {
      return term;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async giveWay() {
      if (term === null) return;
      log.warn({ lead: name, term }, 'this process gives way to another');
      notBeforeMs = performance.now() + timing.yieldMs;
      set(null);
      await release();
    },
    async close() {
      stopping.abort();
      await looping;
      set(null);
      await release();
    },
  };
}

interface LeaderStore {
  /** Whether another process leads. Cheaper than trying to take the lease. */
  isTaken(name: string, holder: string, leaseMs: number): Promise<boolean>;
  /** Takes or renews the lease in one statement. @returns the term; null when another process leads */
  hold(name: string, holder: string, leaseMs: number): Promise<number | null>;
  /** Ends the lease now, so that the next leader need not wait for it to expire. */
  release(name: string, holder: string): Promise<void>;
}

export function leaderStore(database: Database): LeaderStore {
  const queries = asOwner(database);
  return {
    async isTaken(name, holder, leaseMs) {
      const [row] = await queries.query<{ is_taken: boolean }>(
        `select exists (select from private.leaders
                         where name = $1::text and holder <> $2::uuid and lease_ends_at > now()
                           and lease_ends_at <= now() + 2 * make_interval(secs => $3::float8 / 1000)) as is_taken`,
        [name, holder, leaseMs],
      );
      return row?.is_taken ?? false;
    },
    async hold(name, holder, leaseMs) {
      const [row] = await queries.query<{ term: number }>(
        `insert into private.leaders as l (name, holder, term, lease_ends_at)
         values ($1::text, $2::uuid, 1, now() + make_interval(secs => $3::float8 / 1000))
         on conflict (name) do update
            set holder = excluded.holder, lease_ends_at = excluded.lease_ends_at,
                term = case when l.holder = excluded.holder then l.term else l.term + 1 end
          where l.holder = excluded.holder or l.lease_ends_at <= now()
             or l.lease_ends_at > now() + 2 * make_interval(secs => $3::float8 / 1000)
         returning term::float8`,
        [name, holder, leaseMs],
      );
      return row?.term ?? null;
    },
    async release(name, holder) {
      await queries.query(
        'update private.leaders set lease_ends_at = now() where name = $1::text and holder = $2::uuid',
        [name, holder],
      );
    },
  };
}
