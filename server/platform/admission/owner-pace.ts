/**
 * Limits one owner to its share of the loop's time while others come: after a burst it waits, even if the loop has room.
 * Otherwise the others would wait behind its work in each turn.
 */
import type { Owner } from '../owner-line.ts';

export interface OwnerPace {
  /** Registers a request, by which the owner counts among those who share. */
  arrived(owner: Owner): void;
  /** Charges a request. @param ms  the time that its start took */
  spent(owner: Owner, ms: number): void;
  mayStart(owner: Owner): boolean;
}

/** In one burst, beyond its share: several hundred calls, or the pages of an office behind one address. */
const BURST_MS = 1000;
/** Of the time, however many others come. */
const LEAST_SHARE = 0.15;
/** Of each request: the loop also reads it and writes its answer. */
const LEAST_MS = 0.5;
/** A start that takes longer shows how slow the host is, or runs code for the first time. */
const MOST_MS = 50;
/** An owner counts for one to two of these periods after its last request. */
const PERIOD_MS = 5000;
/** Owners counted at a time; a flood of addresses must not fill the memory. */
const MAX_OWNERS = 10_000;

export function ownerPace(nowMs: () => number): OwnerPace {
  /** What an owner spent beyond its share, as of a time. */
  const spentBy = new Map<Owner, { ms: number; atMs: number }>();
  let active = new Set<Owner>();
  let activeBefore = 0;
  let periodEndsMs = nowMs() + PERIOD_MS;

  function turnPeriod(): void {
    const lateMs = nowMs() - periodEndsMs;
    if (lateMs < 0) return;
    activeBefore = lateMs < PERIOD_MS ? active.size : 0;
    active = new Set();
    periodEndsMs = nowMs() + PERIOD_MS;
    for (const owner of spentBy.keys()) if (levelMs(owner) === 0) spentBy.delete(owner);
  }

  /** An owner that is alone has all of the time. */
  const share = (): number => Math.max(LEAST_SHARE, 1 / Math.max(1, active.size, activeBefore));

  function levelMs(owner: Owner): number {
    const spent = spentBy.get(owner);
    return spent === undefined ? 0 : Math.max(0, spent.ms - share() * (nowMs() - spent.atMs));
  }

  return {
    arrived(owner) {
      turnPeriod();
      // Those of unknown origin are one: their number says nothing of how many there are.
      if (active.size < MAX_OWNERS) active.add(typeof owner === 'symbol' ? '' : owner);
    },
    spent(owner, ms) {
      if (typeof owner === 'symbol' || (spentBy.size >= MAX_OWNERS && !spentBy.has(owner))) return;
      spentBy.set(owner, { ms: levelMs(owner) + Math.min(MOST_MS, Math.max(LEAST_MS, ms)), atMs: nowMs() });
    },
    mayStart: (owner) => levelMs(owner) < BURST_MS,
  };
}
