/** Compares the current state with the recorded notices, so neither number nor order of events matters. */
import { isLive } from '../subscriptions/subscription-row.ts';
import type { LockedSubscription, NoticeKind, SentNotice } from './notice-store.ts';

export interface News {
  kind: Exclude<NoticeKind, 'receipt' | 'payment_failed' | 'refund'>;
  subjectId: string;
  priceId: string | null;
  /** For plan_changed: the previous price. */
  fromPriceId?: string | null;
  /** False: only recorded, not mailed. */
  isWorthAMail: boolean;
}

/** @param told  this subscription's notices, in the order of sending */
export function newsOf(subscriptionId: string, now: LockedSubscription, told: readonly SentNotice[]): News[] {
  const isKnown = told.some(({ kind }) => kind === 'first_seen');
  const isOver = now.status === 'canceled';
  // Before its first payment a subscription is only an attempt.
  if (!isLive(now.status) && !isOver) return [];
  const asFound: News = {
    kind: 'first_seen',
    subjectId: subscriptionId,
    priceId: now.priceId,
    isWorthAMail: false,
  };
  if (isOver) {
    // If it ended before it was first seen here, the end is no news.
    const ended: News = {
      kind: 'subscription_ended',
      subjectId: subscriptionId,
      priceId: now.priceId,
      isWorthAMail: isKnown,
    };
    if (told.some(({ kind }) => kind === 'subscription_ended')) return [];
    return isKnown ? [ended] : [asFound, ended];
  }
  const countOf = (kind: NoticeKind) => told.filter((one) => one.kind === kind).length;
  const next = (kind: NoticeKind) => `${subscriptionId}/${countOf(kind) + 1}`;
  return [
    ...(isKnown ? [] : [asFound]),
    ...(isKnown ? changeOfPlan(now, told, next) : []),
    ...downgrade(now, told, next),
    ...cancellation(now, told, next),
  ];
}

type Next = (kind: NoticeKind) => string;

function changeOfPlan({ priceId }: LockedSubscription, told: readonly SentNotice[], next: Next): News[] {
  const from = told.findLast(({ kind }) => kind === 'first_seen' || kind === 'plan_changed')?.priceId ?? null;
  if (priceId === null || priceId === from) return [];
  return [{ kind: 'plan_changed', subjectId: next('plan_changed'), priceId, fromPriceId: from, isWorthAMail: true }];
}

function downgrade(now: LockedSubscription, told: readonly SentNotice[], next: Next): News[] {
  const open = openOne(told, 'downgrade_scheduled', 'downgrade_undone');
  const undone = (isWorthAMail: boolean): News[] =>
    open === null ? [] : [{ kind: 'downgrade_undone', subjectId: open.subjectId, priceId: open.priceId, isWorthAMail }];
  if (now.pendingPriceId === null) {
    // It took effect, or the subscription ends first; either has its own notice.
    return undone(open?.priceId !== now.priceId && !now.cancelAtPeriodEnd);
  }
  if (now.pendingPriceId === open?.priceId) return [];
  const scheduled: News = {
    kind: 'downgrade_scheduled',
    subjectId: next('downgrade_scheduled'),
    priceId: now.pendingPriceId,
    isWorthAMail: true,
  };
  return [...undone(false), scheduled];
}

function cancellation(now: LockedSubscription, told: readonly SentNotice[], next: Next): News[] {
  const open = openOne(told, 'cancellation_scheduled', 'cancellation_undone');
  const { priceId } = now;
  if (now.cancelAtPeriodEnd === (open !== null)) return [];
  return open === null
    ? [{ kind: 'cancellation_scheduled', subjectId: next('cancellation_scheduled'), priceId, isWorthAMail: true }]
    : [{ kind: 'cancellation_undone', subjectId: open.subjectId, priceId, isWorthAMail: true }];
}

/** The latest one that was scheduled, unless it was undone. */
function openOne(told: readonly SentNotice[], begun: NoticeKind, undone: NoticeKind): SentNotice | null {
  const last = told.findLast(({ kind }) => kind === begun);
  if (last === undefined) return null;
  return told.some(({ kind, subjectId }) => kind === undone && subjectId === last.subjectId) ? null : last;
}
