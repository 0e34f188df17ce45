/** Months of a subscription, in UTC. */

/** The time `months` after the anchor, with its day limited to the month's length; always computed from the anchor. */
export function monthsAfter(anchorS: number, months: number): number {
  const anchor = new Date(anchorS * 1000);
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const time = anchor.getTime() % 86_400_000;
  return Math.floor((Date.UTC(year, month, Math.min(anchor.getUTCDate(), daysInMonth)) + time) / 1000);
}
