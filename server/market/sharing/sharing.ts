import type { Bus } from '../../platform/processes/bus.ts';
import type { Leadership } from '../../platform/processes/leadership.ts';

export interface MarketSharing {
  bus: Bus;
  leadership: Leadership;
  /** Prefix of every subject: a sandbox market's prices never reach a process that shows live ones. */
  prefix: string;
}

/** Messages of an earlier leader are ignored once another has taken over. One term has one leader. */
export class NewestTerm {
  #term = 0;

  /** @returns false for a message from an earlier leader */
  accepts(term: number): boolean {
    if (term < this.#term) return false;
    this.#term = term;
    return true;
  }
}
