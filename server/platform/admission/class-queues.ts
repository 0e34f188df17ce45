/**
 * Classes share the turns by weight, measured by how long their work takes, and none can starve (start-time fair
 * queueing, Goyal et al. 1996).
 */
import type { Owner, OwnerLine } from '../owner-line.ts';

export interface ClassShare {
  /** Share of the time relative to the other classes that have a queue. */
  weight: number;
}

export interface ClassQueues<Class extends string, Entry> {
  push(name: Class, owner: Owner, entry: Entry): void;
  /** @param mayRun returns false for a class that may not start anything now; it is skipped */
  shift(mayRun: (name: Class) => boolean): { name: Class; entry: Entry } | null;
  /** Takes the owner's first entry out of turn, because it has waited too long. */
  shiftOf(name: Class, owner: Owner): Entry | undefined;
  /** Charges the time that the class's last entry took, which delays the class's next turn accordingly. */
  charge(name: Class, ms: number): void;
  line(
    name: Class,
  ): Pick<OwnerLine<Entry>, 'length' | 'hasNext' | 'waitingOf' | 'ahead' | 'firstOf' | 'firsts' | 'turnAgeMs'>;
  waitingInAll(): number;
}

export function classQueues<Class extends string, Entry>(
  shares: Readonly<Record<Class, ClassShare>>,
  line: () => OwnerLine<Entry>,
): ClassQueues<Class, Entry> {
  const names = Object.keys(shares) as Class[];
  const lines = new Map(names.map((name) => [name, line()]));
  /** When the class's next turn is due, in weighted milliseconds of work. */
  const dueAt = new Map(names.map((name) => [name, 0]));
  /** The due time of the last turn; work that ran while the queues were empty advances it too. */
  let virtualMs = 0;
  let inAll = 0;

  const lineOf = (name: Class): OwnerLine<Entry> => lines.get(name) as OwnerLine<Entry>;

  return {
    push(name, owner, entry) {
      const line = lineOf(name);
      // An idle class does not save up time.
      if (line.length === 0) dueAt.set(name, Math.max(virtualMs, dueAt.get(name) ?? 0));
      line.push(owner, entry);
      inAll += 1;
    },
    shift(mayRun) {
      let next: Class | null = null;
      let nextDue = Number.POSITIVE_INFINITY;
      for (const name of names) {
        const due = dueAt.get(name) ?? 0;
        if (due >= nextDue || !mayRun(name) || !lineOf(name).hasNext()) continue;
        next = name;
        nextDue = due;
      }
      if (next === null) return null;
      virtualMs = Math.max(virtualMs, nextDue);
      inAll -= 1;
      return { name: next, entry: lineOf(next).shift() as Entry };
    },
    shiftOf(name, owner) {
      const entry = lineOf(name).shiftOf(owner);
      if (entry !== undefined) inAll -= 1;
      return entry;
    },
    charge(name, ms) {
      const due = Math.max(virtualMs, dueAt.get(name) ?? 0) + ms / shares[name].weight;
      dueAt.set(name, due);
      // Nothing else was waiting, so this time must not delay the class later.
      if (inAll === 0) virtualMs = due;
    },
    line: lineOf,
    waitingInAll: () => inAll,
  };
}
