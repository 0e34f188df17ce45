/**
 * How late a venue's messages arrive, by the times that the venue puts into them. The fastest message of a connection
 * shows the difference between the venue's clock and ours, so neither clock has to be right.
 */
export class FeedDelay {
  #leastMs = Number.POSITIVE_INFINITY;

  /** A new connection: the venue's clock may have been corrected meanwhile. */
  reset(): void {
    this.#leastMs = Number.POSITIVE_INFINITY;
  }

  /**
   * @param sentMs  by the venue's clock; not finite for an unreadable time
   * @param nowMs  monotonic
   * @returns by how much longer than the fastest message this one took; 0 if its time is unreadable
   */
  of(sentMs: number, nowMs: number): number {
    const differenceMs = nowMs - sentMs;
    if (!Number.isFinite(differenceMs)) return 0;
    this.#leastMs = Math.min(this.#leastMs, differenceMs);
    return differenceMs - this.#leastMs;
  }
}
