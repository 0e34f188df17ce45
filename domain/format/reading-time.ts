const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** '23 Oct 2026, 06:08 UTC'; the same on every machine, unlike a locale's format. @throws RangeError if invalid */
export function minuteText(timeMs: number): string {
  return `${dayText(timeMs)}, ${new Date(timeMs).toISOString().slice(11, 16)} UTC`;
}

/** '23 Oct 2026', in UTC. */
export function dayText(timeMs: number): string {
  const date = new Date(timeMs);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
