/** One paid period and the time of the change, in epoch seconds. */
export interface ProratedSpan {
  periodStartS: number;
  periodEndS: number;
  changedAtS: number;
}

export interface Proration {
  /** Zero or less: the unused rest of the old price. */
  creditCents: number;
  /** The new price for the rest. */
  debitCents: number;
}

/** Prorates by the second; rounds each line half away from zero. A time outside the period counts as its border. */
export function prorate(oldCents: number, newCents: number, span: ProratedSpan): Proration {
  const total = span.periodEndS - span.periodStartS;
  const left = Math.min(total, Math.max(0, span.periodEndS - span.changedAtS));
  return {
    creditCents: 0 - roundedShare(oldCents, left, total),
    debitCents: roundedShare(newCents, left, total),
  };
}

export interface Settlement {
  /** Charged to the card, zero or more. */
  dueCents: number;
  /** The customer's balance afterwards; below zero is credit. */
  endingBalanceCents: number;
}

/** @param balanceCents  below zero: credit of the customer; above: owed and added to the due sum */
export function settle(totalCents: number, balanceCents: number): Settlement {
  const sum = totalCents + balanceCents;
  return { dueCents: Math.max(0, sum), endingBalanceCents: Math.min(0, sum) };
}

/** In whole numbers: a product of cents and seconds is far below 2^53. */
function roundedShare(cents: number, part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.floor((2 * cents * part + whole) / (2 * whole));
}
