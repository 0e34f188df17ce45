/**
 * New events of the public record, read once for all readers of this process, and only while there are some. A reader
 * that is further behind than the memory reaches reads the database itself.
 */
import type { Logger } from '../../platform/telemetry/log.ts';
import type { EventCursor } from './event-cursor.ts';
import type { EventStore, Issued, Scored } from './event-store.ts';

export interface EventFeed {
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
  let known: { floor: EventCursor; head: EventCursor; issued: Issued[]; scored: Scored[] } | null = null;

  async function read(): Promise<void> {
    try {
      known ??= await beginning();
      const { head } = known;
      const [issued, scored] = [await store.issuedAfter(head.seq), await store.scoredAfter(head)];
      known.issued.push(...issued);
      known.scored.push(...scored);
      const [lastIssued, lastScored] = [issued.at(-1), scored.at(-1)];
      if (lastIssued !== undefined) head.seq = lastIssued.seq;
      if (lastScored !== undefined) [head.scoredUs, head.scoredSeq] = [lastScored.us, lastScored.seq];
      forget(known);
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
    // Readers wait again within this turn of the loop; without any, the memory would soon be out of date.
    setImmediate(() => {
      if (isClosed) return;
      if (waiting.size > 0) schedule();
      else known = null;
    });
  }

  function schedule(): void {
    timer ??= setTimeout(() => void round(), everyMs);
  }

  return {
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

function isBefore(a: ScoredCursor, b: ScoredCursor): boolean {
  return a.scoredUs < b.scoredUs || (a.scoredUs === b.scoredUs && a.scoredSeq < b.scoredSeq);
}
