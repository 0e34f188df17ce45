/** A limit of calls per time, by key, as the services count them. */

export interface RateWindow {
  /** Counts a call. */
  take(key: string): RateState;
}

export interface RateState {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Until the window ends. */
  waitMs: number;
}

export function rateWindow({ limit, perMs, nowMs }: { limit: number; perMs: number; nowMs: () => number }): RateWindow {
  const windows = new Map<string, { startMs: number; calls: number }>();
  return {
    take(key) {
      const now = nowMs();
      const known = windows.get(key);
      const ageMs = known === undefined ? Number.NaN : now - known.startMs;
      // A test may move the clock back.
      const current = known !== undefined && ageMs >= 0 && ageMs < perMs ? known : { startMs: now, calls: 0 };
      windows.set(key, current);
      const isAllowed = current.calls < limit;
      if (isAllowed) current.calls += 1;
      return { isAllowed, limit, remaining: limit - current.calls, waitMs: current.startMs + perMs - now };
    },
  };
}
