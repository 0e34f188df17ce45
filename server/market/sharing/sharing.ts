/** What the parts of a market need that one process reads for many. */
import type { Bus } from '../../platform/processes/bus.ts';
import type { Leadership } from '../../platform/processes/leadership.ts';

export interface MarketSharing {
  bus: Bus;
  leadership: Leadership;
  /** Before every subject: a sandbox market's prices never reach a process that shows live ones. */
  prefix: string;
}

/**
 * Terms heard so far: what an earlier leader still says while another has taken over is left aside. Equal terms are one
 * leader's.
 */
export class NewestTerm {
  #term = 0;

  /** @returns false for what comes from an earlier leader */
  accepts(term: number): boolean {
    if (term < this.#term) return false;
    this.#term = term;
    return true;
  }
}
