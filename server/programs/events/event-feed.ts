/**
 * New events of the public record, read once for all readers of this process, and only while there are some. A reader
 * that is further behind than the memory reaches reads the database itself.
 */
import type { Logger } from '../../platform/telemetry/log.ts';
import type { EventCursor } from './event-cursor.ts';
import type { EventStore, Issued, Scored } from './event-store.ts';

export interface EventFeed {
  /** While anyone has joined, what was read is remembered. @returns leaves */
  join(): () => void;
  /** Where the memory begins; null without one. */
  floor(): EventCursor | null;
  /** Resolves when there may be news, or when the signal aborts. */
  turn(signal: AbortSignal): Promise<void>;
  issuedAfter(seq: number): Promise<Issued[]>;
  scoredAfter(cursor: Pick<EventCursor, 'scoredUs' | 'scoredSeq'>): Promise<Scored[]>;
  close(): void;
}

const EVERY_MS = 2000;
/** About an hour of events, a megabyte. */
const REMEMBERED = 2000;

export function openEventFeed(
  { store, log }: { store: EventStore; log: Logger },
  { everyMs = EVERY_MS }: { everyMs?: number } = {},
): EventFeed {
  let waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let readers = 0;
  let known: { floor: EventCursor; head: EventCursor; issued: Issued[]; scored: Scored[] } | null = null;

  async function read(): Promise<void> {
    try {
      known ??= await beginning();
      // The last reader may leave meanwhile, and the memory with it.
      const memory = known;
      const { head } = memory;
      const [issued, scored] = [await store.issuedAfter(head.seq), await store.scoredAfter(head)];
      memory.issued.push(...issued);
      memory.scored.push(...scored);
      const [lastIssued, lastScored] = [issued.at(-1), scored.at(-1)];
      if (lastIssued !== undefined) head.seq = lastIssued.seq;
      if (lastScored !== undefined) [head.scoredUs, head.scoredSeq] = [lastScored.us, lastScored.seq];
      forget(memory);
    } catch (error) {
      // The database may be restarting. Readers wait for the next round, which continues after the same events.
      log.warn({ err: error }, 'events could not be read');
    }
  }

  async function beginning() {
    const head = await store.head();
    return { floor: { ...head }, head, issued: [], scored: [] };
  }

  function forget({ floor, issued, scored }: NonNullable<typeof known>): void {
    const oldIssued = issued.splice(0, Math.max(0, issued.length - REMEMBERED)).at(-1);
    const oldScored = scored.splice(0, Math.max(0, scored.length - REMEMBERED)).at(-1);
    if (oldIssued !== undefined) floor.seq = oldIssued.seq;
    if (oldScored !== undefined) [floor.scoredUs, floor.scoredSeq] = [oldScored.us, oldScored.seq];
  }

  async function round(): Promise<void> {
    await read();
    const woken = waiting;
    waiting = new Set();
    for (const wake of woken) wake();
    timer = undefined;
  }

  function schedule(): void {
    timer ??= setTimeout(() => void round(), everyMs);
  }

  return {
    join() {
      readers += 1;
      return () => {
        readers -= 1;
        // Nothing is read without readers: the memory would soon be out of date.
        if (readers === 0) known = null;
      };
    },
    floor: () => (known === null ? null : { ...known.floor }),
    turn(signal) {
      return new Promise((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          waiting.delete(wake);
          resolve();
        };
        if (signal.aborted || isClosed) return resolve();
        signal.addEventListener('abort', wake, { once: true });
        waiting.add(wake);
        schedule();
      });
    },
    async issuedAfter(seq) {
      if (known === null || seq < known.floor.seq) return store.issuedAfter(seq);
      return known.issued.filter((one) => one.seq > seq);
    },
    async scoredAfter(cursor) {
      if (known === null || isBefore(cursor, known.floor)) return store.scoredAfter(cursor);
      return known.scored.filter(({ us, seq }) => isBefore(cursor, { scoredUs: us, scoredSeq: seq }));
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const wake of waiting) wake();
    },
  };
}

type ScoredCursor = Pick<EventCursor, 'scoredUs' | 'scoredSeq'>;

/** Whether an outcome is earlier than another. */
export function isBefore(a: ScoredCursor, b: ScoredCursor): boolean {
  return a.scoredUs < b.scoredUs || (a.scoredUs === b.scoredUs && a.scoredSeq < b.scoredSeq);
}
