/** How much less than the plan's full price an upgrade costs in the middle of a period. */

export interface Savings {
  savedCents: number;
  /** Per cent of the plan's price, rounded to a whole number (R-SUBSCRIPTION-11). */
  percent: number;
}

/** @returns null when nothing is saved */
export function savingsOf(priceCents: number, amountDueCents: number): Savings | null {
  const savedCents = priceCents - amountDueCents;
  if (savedCents <= 0) return null;
  return { savedCents, percent: Math.round((100 * savedCents) / priceCents) };
}
