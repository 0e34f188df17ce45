/** Where a test's clock begins, so that a day of quota does not end in the middle of it. */
const DAY_MS = 86_400_000;
/** Into a UTC day: room for what a test moves its clock by, both ways. */
const MORNING_MS = 6 * 3_600_000;

/** From a moment to the morning of the next UTC day, milliseconds. */
export function untilMorningMs(nowMs: number): number {
  return DAY_MS - (nowMs % DAY_MS) + MORNING_MS;
}
