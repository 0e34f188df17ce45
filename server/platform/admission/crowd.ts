/** Who waits in one class or was refused within seconds, by owner. Those refused come back soon. */
import { cappedSums } from '../capped-sums.ts';
import type { Owner } from '../owner-line.ts';

export interface Crowd {
  waits(owner: Owner, change: 1 | -1): void;
  refused(owner: Owner): void;
  /**
   * The crowd beside another request of the owner. Of others only as many count as this owner has with it, so that one
   * who sends much is no crowd to the rest.
   * @param isCounted  the request itself is among those that wait
   */
  beside(owner: Owner, isCounted: boolean): number;
}

interface Count {
  waiting: number;
  refused: number;
  refusedBefore: number;
}

/** A refusal counts for one to two of these periods. */
const PERIOD_MS = 5000;
/** Owners whose refusals are counted; more are a crowd anyway, and a flood of addresses must not fill the memory. */
const MAX_OWNERS = 10_000;

/** @param most  so many beside a request are a crowd, and more of one owner need not be counted */
export function crowdOfClass(most: number, nowMs: () => number): Crowd {
  const counts = new Map<Owner, Count>();
  const sums = cappedSums(most + 1);
  let periodEndsMs = nowMs() + PERIOD_MS;

  const totalOf = (count: Count | undefined): number =>
    count === undefined ? 0 : count.waiting + count.refused + count.refusedBefore;

  function change(owner: Owner, { waiting = 0, refused = 0 }): void {
    const count = counts.get(owner) ?? { waiting: 0, refused: 0, refusedBefore: 0 };
    const before = totalOf(count);
    count.waiting += waiting;
    count.refused += refused;
    settle(owner, count, before);
  }

  function settle(owner: Owner, count: Count, before: number): void {
    const total = totalOf(count);
    sums.change(before, total);
    if (total === 0) counts.delete(owner);
    else counts.set(owner, count);
  }

  function turnPeriod(): void {
    if (nowMs() < periodEndsMs) return;
    const isLast = nowMs() - periodEndsMs < PERIOD_MS;
    for (const [owner, count] of counts) {
      const before = totalOf(count);
      count.refusedBefore = isLast ? count.refused : 0;
      count.refused = 0;
      settle(owner, count, before);
    }
    periodEndsMs = nowMs() + PERIOD_MS;
  }

  return {
    waits: (owner, one) => change(owner, { waiting: one }),
    refused(owner) {
      turnPeriod();
      if (counts.size < MAX_OWNERS || counts.has(owner)) change(owner, { refused: 1 });
    },
    beside(owner, isCounted) {
      turnPeriod();
      const itself = isCounted ? 1 : 0;
      return sums.upTo(totalOf(counts.get(owner)) + 1 - itself) - itself;
    },
  };
}
