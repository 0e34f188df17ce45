/** How often a keyed service lets itself be asked: so many calls in any minute, refused ones included. */
export interface CallLimit {
  /** Counts a call. @returns seconds to wait when it was one too many, else null */
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
