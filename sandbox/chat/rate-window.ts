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
      const current = known === undefined || now - known.startMs >= perMs ? { startMs: now, calls: 0 } : known;
      windows.set(key, current);
      const isAllowed = current.calls < limit;
      if (isAllowed) current.calls += 1;
      return { isAllowed, limit, remaining: limit - current.calls, waitMs: current.startMs + perMs - now };
    },
  };
}
