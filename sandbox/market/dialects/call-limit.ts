export interface CallLimit {
  /** @returns null for a call within the limit, else the seconds to wait */
  count(nowMs: number): number | null;
}

const MINUTE_MS = 60_000;

/** Refused calls count too, as with the real services, so a client that keeps calling stays refused. */
export function callLimit(perMinute: number): CallLimit {
  let calls: number[] = [];
  return {
    count(nowMs) {
      const recent = calls.filter((atMs) => atMs > nowMs - MINUTE_MS);
      calls = [...recent, nowMs].slice(-perMinute);
      const [oldestMs = nowMs] = calls;
      return recent.length < perMinute ? null : Math.max(1, Math.ceil((oldestMs + MINUTE_MS - nowMs) / 1000));
    },
  };
}
