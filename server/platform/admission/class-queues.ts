/**
 * Classes share the turns by weight, measured by how long their work takes, and none can starve (start-time fair
 * queueing, Goyal et al. 1996).
 */

export interface ClassShare {
  /** Share of the time relative to the other classes that have a queue. */
  weight: number;
}

export interface ClassQueues<Class extends string, Entry> {
  push(name: Class, entry: Entry): void;
  /** @param mayRun returns false for a class that may not start anything now; it is skipped */
  shift(mayRun: (name: Class) => boolean): { name: Class; entry: Entry } | null;
  /** Takes the first entry of the class out of turn, because it has waited too long. */
  shiftOf(name: Class): Entry | undefined;
  /** Charges the time that the class's last entry took, which delays the class's next turn accordingly. */
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
  /** When the class's next turn is due, in weighted milliseconds of work. */
  const dueAt = new Map(names.map((name) => [name, 0]));
  /** The due time of the last turn; work that ran while the queues were empty advances it too. */
  let virtualMs = 0;
  let inAll = 0;

  const queueOf = (name: Class): Fifo<Entry> => queues.get(name) as Fifo<Entry>;

  return {
    push(name, entry) {
      const queue = queueOf(name);
      // An idle class does not save up time.
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
      // Nothing else was waiting, so this time must not delay the class later.
      if (inAll === 0) virtualMs = due;
    },
    first: (name) => queueOf(name).first(),
    waiting: (name) => queueOf(name).length,
    waitingInAll: () => inAll,
  };
}

/** `Array.shift` of a long array moves all its items. */
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
