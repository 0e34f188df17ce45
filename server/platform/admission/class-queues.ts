/**
 * Requests that wait for their turn, by class of work. Classes share the turns by weight, as measured by the time that
 * their work takes; what one class does not use goes to the others, and none can be starved (start-time fair queueing,
 * Goyal et al. 1996).
 */

export interface ClassShare {
  /** Of the time, against the other classes that have something waiting. */
  weight: number;
}

export interface ClassQueues<Class extends string, Entry> {
  push(name: Class, entry: Entry): void;
  /**
   * The first entry of the class whose turn it is.
   *
   * @param mayRun  a class of which nothing may begin now is passed over
   */
  shift(mayRun: (name: Class) => boolean): { name: Class; entry: Entry } | null;
  /** The first of the class, whosever turn it is: it has waited too long. */
  shiftOf(name: Class): Entry | undefined;
  /** What the last one of the class took: its next turn comes later by as much. */
  charge(name: Class, ms: number): void;
  first(name: Class): Entry | undefined;
  waiting(name: Class): number;
  waitingInAll(): number;
}

export function classQueues<Class extends string, Entry>(
  shares: Readonly<Record<Class, ClassShare>>,
): ClassQueues<Class, Entry> {
  const names = Object.keys(shares) as Class[];
  const queues = new Map(names.map((name) => [name, new Fifo<Entry>()]));
  /** When the class's next turn is due, in milliseconds of work by weight. */
  const dueAt = new Map(names.map((name) => [name, 0]));
  /** The due time of the turn that was given last; what ran while nobody waited moves it on too. */
  let virtualMs = 0;
  let inAll = 0;

  const queueOf = (name: Class): Fifo<Entry> => queues.get(name) as Fifo<Entry>;

  return {
    push(name, entry) {
      const queue = queueOf(name);
      // A class that had nothing waiting has saved nothing up.
      if (queue.length === 0) dueAt.set(name, Math.max(virtualMs, dueAt.get(name) ?? 0));
      queue.push(entry);
      inAll += 1;
    },
    shift(mayRun) {
      let next: Class | null = null;
      let nextDue = Number.POSITIVE_INFINITY;
      for (const name of names) {
        const due = dueAt.get(name) ?? 0;
        if (queueOf(name).length === 0 || due >= nextDue || !mayRun(name)) continue;
        next = name;
        nextDue = due;
      }
      if (next === null) return null;
      virtualMs = Math.max(virtualMs, nextDue);
      inAll -= 1;
      return { name: next, entry: queueOf(next).shift() as Entry };
    },
    shiftOf(name) {
      const entry = queueOf(name).shift();
      if (entry !== undefined) inAll -= 1;
      return entry;
    },
    charge(name, ms) {
      const due = Math.max(virtualMs, dueAt.get(name) ?? 0) + ms / shares[name].weight;
      dueAt.set(name, due);
      // Nothing else was waiting for this time, so it must not delay the class later.
      if (inAll === 0) virtualMs = due;
    },
    first: (name) => queueOf(name).first(),
    waiting: (name) => queueOf(name).length,
    waitingInAll: () => inAll,
  };
}

/** `Array.shift` of a long array moves all of it. */
class Fifo<T> {
  #items: T[] = [];
  #start = 0;

  get length(): number {
    return this.#items.length - this.#start;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  first(): T | undefined {
    return this.#items[this.#start];
  }

  shift(): T | undefined {
    const item = this.#items[this.#start];
    if (item === undefined) return undefined;
    this.#items[this.#start] = undefined as T;
    this.#start += 1;
    if (this.#start > 1024 && this.#start * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
    return item;
  }
}
