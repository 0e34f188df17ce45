import type { Subscription } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { voidInvoice } from '../payments/invoices.ts';
import { isEnded } from '../subscription-status.ts';
import { announce, stored, type Work } from '../work.ts';
import { detachSchedule } from './schedules.ts';

export interface CancelFlags {
  atPeriodEnd: boolean;
  /** Epoch seconds; null: no fixed time. */
  at: number | null;
}

/** @throws PaymentRefusal for a subscription managed by a schedule, or a time in the past */
export function setCancelFlags({ draft, atS }: Work, sub: Subscription, flags: CancelFlags): Subscription {
  if (sub.schedule !== null)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${sub.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  if (flags.at !== null && flags.at <= atS)
    throw invalid('The moment of the cancellation must lie in the future.', { param: 'cancel_at' });
  const isSet = flags.atPeriodEnd || flags.at !== null;
  return draft.put('subscriptions', {
    ...sub,
    cancelAtPeriodEnd: flags.atPeriodEnd,
    // As at the provider, the flag also sets the time. A paused subscription's period may be over.
    cancelAt: flags.atPeriodEnd ? Math.max(sub.periodEnd, atS) : flags.at,
    canceledAt: isSet ? (sub.canceledAt ?? atS) : null,
    endReason: isSet ? 'cancellation_requested' : null,
  });
}

/** Ends it immediately, and voids unpaid invoices. */
export function endSubscription(work: Work, subId: string, reason: Subscription['endReason']): Subscription {
  const { draft, atS } = work;
  const before = stored(draft, 'subscriptions', subId);
  if (isEnded(before)) return before;
  if (before.schedule !== null)
    detachSchedule(
      work,
      stored(draft, 'schedules', before.schedule),
      reason === 'payment_failed' ? 'aborted' : 'canceled',
    );
  for (const invoice of draft.list('invoices')) {
    if (invoice.subscription !== subId || (invoice.status !== 'draft' && invoice.status !== 'open')) continue;
    // An invoice that could not be collected stays payable by hand.
    const isOwed =
      reason === 'payment_failed' && invoice.status === 'open' && before.pendingUpdate?.invoice !== invoice.id;
    if (isOwed) draft.put('invoices', { ...invoice, nextAttemptAt: null });
    else voidInvoice(work, invoice.id);
  }
  const sub = stored(draft, 'subscriptions', subId);
  const ended = draft.put('subscriptions', {
    ...sub,
    status: 'canceled',
    canceledAt: sub.canceledAt ?? atS,
    endedAt: atS,
    endReason: reason,
    incompleteUntil: null,
    pendingUpdate: null,
    resumption: null,
  });
  announce(work, 'customer.subscription.deleted', 'subscriptions', subId);
  return ended;
}

export function expireIncomplete(work: Work, sub: Subscription): void {
  const { draft, atS } = work;
  if (sub.latestInvoice !== null) voidInvoice(work, sub.latestInvoice);
  const status = 'incomplete_expired';
  draft.put('subscriptions', {
    ...stored(draft, 'subscriptions', sub.id),
    status,
    endedAt: atS,
    incompleteUntil: null,
  });
  announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
}
