/** Calls that a host allows: some at once, then as many a minute as come back. In monotonic time. */

export interface TokenBucketOptions {
  /** Calls at once. */
  size: number;
  perMinute: number;
  monotonicMs: () => number;
}

export interface TokenBucket {
  /** Takes a call. @returns 0, or the milliseconds until the next one is free; then nothing was taken */
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
