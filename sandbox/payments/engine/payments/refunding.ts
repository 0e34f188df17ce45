/** Refunds, never more than was paid. */
import type { Charge, Metadata, Refund } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { announce, type Work } from '../work.ts';

export interface RefundFacts {
  /** Cents; null: the remaining amount. */
  amount: number | null;
  reason: string | null;
  metadata: Metadata;
}

/** @throws Refusal */
export function refund(work: Work, charge: Charge, facts: RefundFacts): Refund {
  const left = charge.amount - charge.refunded;
  if (charge.failureCode !== null) throw invalid('A failed charge cannot be refunded.', { param: 'charge' });
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = facts.amount ?? left;
  if (amount < 1 || amount > left)
    throw invalid(`Refund amount (${amount}) is not between 1 and the unrefunded amount (${left}).`, {
      param: 'amount',
    });
  const { draft, atS } = work;
  draft.put('charges', { ...charge, refunded: charge.refunded + amount });
  const created = draft.put('refunds', {
    id: draft.newId('re'),
    created: atS,
    charge: charge.id,
    paymentIntent: charge.paymentIntent,
    amount,
    reason: facts.reason,
    metadata: facts.metadata,
  });
  announce(work, 'charge.refunded', 'charges', charge.id);
  announce(work, 'refund.created', 'refunds', created.id);
  return created;
}
