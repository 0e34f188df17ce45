/** A subscription's status after a payment, or without one. */
import { monthsAfter } from '../model/clocks.ts';
import type { Invoice, Subscription } from '../model/records.ts';
import { announce, stored, type Work } from './work.ts';

export function isEnded({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** A waiting, late or paused subscription continues when its newest invoice is paid; an older one changes nothing. */
export function afterPaid(work: Work, invoiceId: string): void {
  const { draft } = work;
  const invoice = stored(draft, 'invoices', invoiceId);
  const { status, resumption } = stored(draft, 'subscriptions', invoice.subscription);
  if (status === 'incomplete') setStatus(work, invoice.subscription, 'active');
  if (status === 'paused' && resumption?.invoice === invoiceId) resume(work, invoice.subscription, 'active');
  if ((status === 'past_due' || status === 'unpaid') && isNewest(work, invoice))
    setStatus(work, invoice.subscription, 'active');
}

export function setStatus(work: Work, subId: string, status: Subscription['status']): void {
  const sub = stored(work.draft, 'subscriptions', subId);
  if (sub.status === status) return;
  work.draft.put('subscriptions', { ...sub, status, incompleteUntil: null });
  announce(work, 'customer.subscription.updated', 'subscriptions', subId);
}

export function resume(work: Work, subId: string, status: 'active' | 'past_due'): void {
  const sub = stored(work.draft, 'subscriptions', subId);
  const anchor = sub.resumption?.anchor ?? work.atS;
  const period = { anchor, periodNumber: 1, periodStart: anchor, periodEnd: monthsAfter(anchor, 1) };
  work.draft.put('subscriptions', { ...sub, ...period, status, resumption: null });
  announce(work, 'customer.subscription.updated', 'subscriptions', subId);
  announce(work, 'customer.subscription.resumed', 'subscriptions', subId);
}

/** Among its subscription's invoices that are not drafts. */
export function isNewest({ draft }: Work, { id, subscription }: Invoice): boolean {
  const finalized = draft
    .list('invoices')
    .filter((one) => one.subscription === subscription && one.finalizedAt !== null);
  return finalized.at(-1)?.id === id;
}
