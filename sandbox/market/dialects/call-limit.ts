export interface CallLimit {
  /** Counts a call unless it exceeds the limit. @returns the seconds to wait if it does, else null */
  count(nowMs: number): number | null;
}

const MINUTE_MS = 60_000;

export function callLimit(perMinute: number): CallLimit {
  let calls: number[] = [];
  return {
    count(nowMs) {
      calls = calls.filter((atMs) => atMs > nowMs - MINUTE_MS);
      const oldestMs = calls[0];
      if (calls.length >= perMinute && oldestMs !== undefined)
        return Math.max(1, Math.ceil((oldestMs + MINUTE_MS - nowMs) / 1000));
      calls.push(nowMs);
      return null;
    },
  };
}
