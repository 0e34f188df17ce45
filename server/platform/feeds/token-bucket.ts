interface TokenBucketOptions {
  size: number;
  perMinute: number;
  monotonicMs: () => number;
}

interface TokenBucket {
  /** Takes one call. @returns 0, or the milliseconds until a call is free; then none was taken */
  take(): number;
}

/** Limits calls to a burst of `size`, refilled at `perMinute`. */
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
