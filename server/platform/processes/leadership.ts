/**
 * One process of many leads: it holds a lease in the database and renews it long before its end. A killed leader is
 * replaced when its lease is over; one that was paused finds another in its place, and whatever it still says is known by
 * its older term. While the database is away nobody can take over, and who leads goes on.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../telemetry/log.ts';
import type { LeaderStore } from './leader-store.ts';

export interface LeadershipOptions {
  /** The same in every process. */
  name: string;
  store: LeaderStore;
  log: Logger;
  timing?: Partial<LeadershipTiming> | undefined;
}

export interface LeadershipTiming {
  /** How long a killed leader is still believed to lead. */
  leaseMs: number;
  renewMs: number;
  /** How often the others look. */
  lookMs: number;
  /** How long the others have for taking over from one that gives way. */
  awayMs: number;
}

export interface Leadership {
  /** Of this process while it leads; null while another one does. */
  readonly term: number | null;
  /** Told of the term at every change. @returns ends it */
  onChange(listener: (term: number | null) => void): () => void;
  /** Lets another process lead, where there is one; else it leads again soon. */
  giveWay(): Promise<void>;
  /** Gives it up, and waits until the next may lead. */
  close(): Promise<void>;
}

/** Together with a look and the first frame of the venue a killed leader is replaced within four seconds. */
const TIMING: LeadershipTiming = { leaseMs: 2500, renewMs: 800, lookMs: 400, awayMs: 3000 };

/** Looks at once, then again and again. Never rejects. */
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

  async function look(): Promise<void> {
    try {
      if (performance.now() < notBeforeMs || (term === null && (await store.isTaken(name, holder, timing.leaseMs))))
        return;
      const held = await store.hold(name, holder, timing.leaseMs);
      // It may have given way meanwhile.
      if (!stopping.signal.aborted && performance.now() >= notBeforeMs) set(held);
    } catch (error) {
      // Nobody else can take over while the database is away; where it is away for us alone, our term will be the older.
      log.warn({ lead: name, err: error }, 'who leads could not be asked');
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      const waitMs = term === null ? timing.lookMs * (0.8 + 0.4 * Math.random()) : timing.renewMs;
      // Aborted: the loop's condition sees it.
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Unless it leads, nothing is changed; with the database away the lease ends by itself. */
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
      notBeforeMs = performance.now() + timing.awayMs;
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
