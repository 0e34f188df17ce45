/** A histogram of durations in bounded memory: a load of an hour has a hundred million of them. */

/** Buckets are a tenth of a millisecond wide up to a second, then ten milliseconds. */
const FINE = 10_000;
const COARSE_MS = 10;
const BUCKETS = FINE + 12_000;

export interface TimeFigures {
  count: number;
  p50Ms: number | null;
  p99Ms: number | null;
  p999Ms: number | null;
  worstMs: number | null;
}

export class TimeCounts {
  readonly #counts = new Uint32Array(BUCKETS);
  #count = 0;
  #worstMs = 0;

  add(ms: number): void {
    const bucket = ms < 1000 ? Math.floor(Math.max(0, ms) * 10) : FINE + Math.floor((ms - 1000) / COARSE_MS);
    const index = Math.min(BUCKETS - 1, bucket);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#count += 1;
    if (ms > this.#worstMs) this.#worstMs = ms;
  }

  figures(): TimeFigures {
    return {
      count: this.#count,
      p50Ms: this.#at(0.5),
      p99Ms: this.#at(0.99),
      p999Ms: this.#at(0.999),
      worstMs: this.#count === 0 ? null : Math.round(this.#worstMs * 10) / 10,
    };
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
    this.#worstMs = 0;
  }

  /** The upper end of the bucket in which the share is reached. */
  #at(share: number): number | null {
    if (this.#count === 0) return null;
    const wanted = Math.ceil(share * this.#count);
    let seen = 0;
    for (let i = 0; i < BUCKETS; i++) {
      seen += this.#counts[i] ?? 0;
      if (seen >= wanted) return i < FINE ? (i + 1) / 10 : 1000 + (i - FINE + 1) * COARSE_MS;
    }
    return null;
  }
}
