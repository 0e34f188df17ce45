/** Cents, whole numbers everywhere. */

/** One paid period and the moment of the change, in epoch seconds. */
export interface ProratedSpan {
  periodStartS: number;
  periodEndS: number;
  changedAtS: number;
}

export interface Proration {
  /** Zero or less: the unused rest of what was paid. */
  creditCents: number;
  /** The new price for the rest. */
  debitCents: number;
}

/** By the second; each line is rounded on its own, half away from zero. A moment outside the period counts as its border. */
export function prorate(oldCents: number, newCents: number, span: ProratedSpan): Proration {
  const total = span.periodEndS - span.periodStartS;
  const left = Math.min(total, Math.max(0, span.periodEndS - span.changedAtS));
  return {
    creditCents: 0 - roundedShare(oldCents, left, total),
    debitCents: roundedShare(newCents, left, total),
  };
}

export interface Settlement {
  /** What the card pays, zero or more. */
  dueCents: number;
  /** The customer's balance afterwards; below zero is credit. */
  endingBalanceCents: number;
}

/** @param balanceCents  below zero: credit of the customer; above: owed and added to the due sum */
export function settle(totalCents: number, balanceCents: number): Settlement {
  const sum = totalCents + balanceCents;
  return { dueCents: Math.max(0, sum), endingBalanceCents: Math.min(0, sum) };
}

/** In whole numbers, for a product of cents and seconds stays far below 2^53. */
function roundedShare(cents: number, part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.floor((2 * cents * part + whole) / (2 * whole));
}
