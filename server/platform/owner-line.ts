/**
 * A queue in which owners take turns, so that one who sends much delays another by one request at a time. Each owner's own
 * requests stay in order.
 */
import { cappedSums } from './capped-sums.ts';

/** An address or a user; a symbol for a single request of unknown origin. */
export type Owner = string | symbol;

/** Of one owner, more do not count in `ahead`. */
export const MAX_WAITING_OF_ONE = 64;

export interface OwnerLine<Entry> {
  readonly length: number;
  push(owner: Owner, entry: Entry): void;
  /** An owner waits who may start something. */
  hasNext(): boolean;
  /** The first entry of the owner whose turn it is. */
  shift(): Entry | undefined;
  /** Takes the owner's first entry out of turn. */
  shiftOf(owner: Owner): Entry | undefined;
  waitingOf(owner: Owner): number;
  /** How many start before the owner's entry at this place in its own order, from 0. */
  ahead(owner: Owner, place: number): number;
  firstOf(owner: Owner): Entry | undefined;
  /** Each owner's first entry, in the order of their turns. */
  firsts(): Iterable<readonly [Owner, Entry]>;
  /** How long the owner whose turn it is has waited for it, in milliseconds; 0 if none may start. */
  turnAgeMs(): number;
}

interface OwnQueue<Entry> {
  entries: Entry[];
  /** Since when its first entry waits for this turn. */
  sinceMs: number;
}

export interface OwnerLineParts {
  /** Default: this machine's monotonic clock. */
  nowMs?(): number;
  /** Returns false for an owner that may not start anything now; it is skipped. Default: all may. */
  mayStart?(owner: Owner): boolean;
}

export function ownerLine<Entry>({
  nowMs = () => performance.now(),
  mayStart = () => true,
}: OwnerLineParts = {}): OwnerLine<Entry> {
  /** In the order of their turns. */
  const queues = new Map<Owner, OwnQueue<Entry>>();
  const sums = cappedSums(MAX_WAITING_OF_ONE);
  let length = 0;

  function take(owner: Owner, queue: OwnQueue<Entry>): Entry | undefined {
    const { length: before } = queue.entries;
    const entry = queue.entries.shift();
    sums.change(before, before - 1);
    length -= 1;
    if (before === 1) queues.delete(owner);
    else queue.sinceMs = nowMs();
    return entry;
  }

  function next(): Owner | undefined {
    for (const owner of queues.keys()) if (mayStart(owner)) return owner;
    return undefined;
  }

  return {
    get length() {
      return length;
    },
    hasNext: () => next() !== undefined,
    push(owner, entry) {
      const queue = queues.get(owner) ?? { entries: [], sinceMs: nowMs() };
      queues.set(owner, queue);
      queue.entries.push(entry);
      sums.change(queue.entries.length - 1, queue.entries.length);
      length += 1;
    },
    shift() {
      const owner = next();
      const queue = owner === undefined ? undefined : queues.get(owner);
      if (owner === undefined || queue === undefined) return undefined;
      const entry = take(owner, queue);
      if (queues.delete(owner)) queues.set(owner, queue);
      return entry;
    },
    shiftOf(owner) {
      const queue = queues.get(owner);
      return queue && take(owner, queue);
    },
    waitingOf: (owner) => queues.get(owner)?.entries.length ?? 0,
    ahead(owner, place) {
      const isOwnCounted = place < (queues.get(owner)?.entries.length ?? 0);
      return sums.upTo(place + 1) - (isOwnCounted ? 1 : 0);
    },
    firstOf: (owner) => queues.get(owner)?.entries[0],
    *firsts() {
      for (const [owner, { entries }] of queues) {
        const [first] = entries;
        if (first !== undefined) yield [owner, first] as const;
      }
    },
    turnAgeMs() {
      const owner = next();
      const queue = owner === undefined ? undefined : queues.get(owner);
      return queue === undefined ? 0 : nowMs() - queue.sinceMs;
    },
  };
}
