/** Calls that a host allows: a burst, then a steady number per minute. In monotonic time. */

export interface TokenBucketOptions {
  /** Burst size in calls. */
  size: number;
  perMinute: number;
  monotonicMs: () => number;
}

export interface TokenBucket {
  /** Takes one call. @returns 0, or the milliseconds until a call is free; then none was taken */
  take(): number;
}

export function tokenBucket({ size, perMinute, monotonicMs }: TokenBucketOptions): TokenBucket {
  const perMs = perMinute / 60_000;
  let tokens = size;
  let atMs = monotonicMs();
  return {
    take() {
      const nowMs = monotonicMs();
      tokens = Math.min(size, tokens + (nowMs - atMs) * perMs);
      atMs = nowMs;
      if (tokens < 1) return Math.ceil((1 - tokens) / perMs);
      tokens -= 1;
      return 0;
    },
  };
}
