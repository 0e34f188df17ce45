/** Where a test's clock starts, so that no quota day ends in the middle of a test. */
const DAY_MS = 86_400_000;
/** Offset into a UTC day: room for tests to move their clock both ways. */
const MORNING_MS = 6 * 3_600_000;

/** Milliseconds from a moment to the morning of the next UTC day. */
export function untilMorningMs(nowMs: number): number {
  return DAY_MS - (nowMs % DAY_MS) + MORNING_MS;
}
