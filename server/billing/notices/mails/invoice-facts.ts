import type { Stripe } from '../../provider/provider-call.ts';
import { idOf } from '../../subscriptions/subscription-row.ts';

/** Amounts in US cents, times in epoch seconds. */
export interface InvoiceFacts {
  id: string;
  number: string | null;
  reason: Stripe.Invoice['billing_reason'];
  lines: readonly { description: string; amount: number; periodStart: number; periodEnd: number }[];
  /** The price of the line with the highest amount, which is the purchase. */
  priceId: string | null;
  /** The end of the paid period. */
  periodEnd: number | null;
  taxes: readonly number[];
  discounts: readonly number[];
  /** The account's balance before and after; the second is null until the invoice is closed. */
  startingBalance: number;
  endingBalance: number | null;
  total: number;
  amountDue: number;
  amountPaid: number;
  paidAt: number | null;
  attempts: number;
  nextAttemptAt: number | null;
  currency: string;
}

export function invoiceFacts(invoice: Stripe.Invoice): InvoiceFacts {
  const lines = invoice.lines.data;
  const bought = lines.toSorted((a, b) => b.amount - a.amount)[0];
  const price = bought?.pricing?.price_details?.price;
  return {
    id: invoice.id,
    number: invoice.number,
    reason: invoice.billing_reason,
    lines: lines.map(({ description, amount, period }) => ({
      description: description ?? 'Subscription',
      amount,
      periodStart: period.start,
      periodEnd: period.end,
    })),
    priceId: price == null ? null : idOf(price),
    periodEnd: bought?.period.end ?? null,
    taxes: (invoice.total_taxes ?? []).map(({ amount }) => amount),
    discounts: (invoice.total_discount_amounts ?? []).map(({ amount }) => amount),
    startingBalance: invoice.starting_balance,
    endingBalance: invoice.ending_balance,
    total: invoice.total,
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    paidAt: invoice.status_transitions.paid_at,
    attempts: invoice.attempt_count,
    nextAttemptAt: invoice.next_payment_attempt,
    currency: invoice.currency,
  };
}
