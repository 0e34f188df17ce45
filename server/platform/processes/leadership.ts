/**
 * Elects one leader among many processes: it holds a lease in the database and renews it well before it expires. A
 * killed leader is replaced when its lease expires. A leader that was paused finds a successor, and its late messages
 * are recognized by their older term. While the database is unavailable no process can take over, so the leader
 * continues.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../telemetry/log.ts';
import type { LeaderStore } from './leader-store.ts';

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
  let checking: Promise<void> = Promise.resolve();

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
      log.warn({ lead: name, err: error }, 'the leader could not be determined');
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      checking = check();
      await checking;
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
      log.warn({ lead: name, term }, 'this process hands leadership to another');
      notBeforeMs = performance.now() + timing.yieldMs;
      set(null);
      // A renewal that reaches the database after the release would take the lease again.
      await checking;
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
