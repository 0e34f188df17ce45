/** The cancel flag, and the end of a subscription. */
import type { Subscription } from '../model/records.ts';
import { invalid } from '../model/refusal.ts';
import { voidInvoice } from './invoices.ts';
import { releaseSchedule } from './schedules.ts';
import { announce, stored, type Work } from './work.ts';

export interface CancelFlags {
  atPeriodEnd: boolean;
  /** Epoch seconds; null: at no moment of its own. */
  at: number | null;
}

/** @throws Refusal for a subscription that a schedule manages */
export function setCancelFlags({ draft, atS }: Work, sub: Subscription, flags: CancelFlags): Subscription {
  if (sub.schedule !== null)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${sub.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  const isSet = flags.atPeriodEnd || flags.at !== null;
  return draft.put('subscriptions', {
    ...sub,
    cancelAtPeriodEnd: flags.atPeriodEnd,
    // As at the provider: the flag shows the moment as well.
    cancelAt: flags.atPeriodEnd ? sub.periodEnd : flags.at,
    canceledAt: isSet ? (sub.canceledAt ?? atS) : null,
    endReason: isSet ? 'cancellation_requested' : null,
  });
}

/** At once; what is still to be paid is void. */
export function endSubscription(work: Work, subId: string, reason: Subscription['endReason']): Subscription {
  const { draft, atS } = work;
  const before = stored(draft, 'subscriptions', subId);
  if (before.schedule !== null) releaseSchedule(work, stored(draft, 'schedules', before.schedule));
  for (const invoice of draft.list('invoices')) {
    const isUnpaid = invoice.status === 'draft' || (invoice.status === 'open' && reason !== 'payment_failed');
    if (invoice.subscription === subId && isUnpaid) voidInvoice(work, invoice.id);
  }
  const sub = stored(draft, 'subscriptions', subId);
  const ended = draft.put('subscriptions', {
    ...sub,
    status: 'canceled',
    canceledAt: sub.canceledAt ?? atS,
    endedAt: atS,
    endReason: reason,
    pendingUpdate: null,
  });
  announce(work, 'customer.subscription.deleted', 'subscriptions', subId);
  return ended;
}
