/**
 * What is new of a subscription: its present state held against what its owner was told. Nothing depends on which events
 * came, how often or in which order; what was missed is told by the next look.
 */
import { isLive } from '../subscriptions/subscription-row.ts';
import type { LockedSubscription, NoticeKind, Told } from './notice-store.ts';

export interface News {
  kind: Exclude<NoticeKind, 'receipt' | 'payment_failed' | 'refund'>;
  subjectId: string;
  priceId: string | null;
  /** Of plan_changed: the price before. */
  fromPriceId?: string | null;
  /** False: only to be remembered. */
  isWorthAMail: boolean;
}

/** @param told  of this subscription, in the order of telling */
export function newsOf(subscriptionId: string, now: LockedSubscription, told: readonly Told[]): News[] {
  const isKnown = told.some(({ kind }) => kind === 'first_seen');
  const isOver = now.status === 'canceled';
  // Until its first payment a subscription is only an attempt.
  if (!isLive(now.status) && !isOver) return [];
  const asFound: News = {
    kind: 'first_seen',
    subjectId: subscriptionId,
    priceId: now.priceId,
    isWorthAMail: false,
  };
  if (isOver) {
    // One that was over before it was known is an old story.
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

function changeOfPlan({ priceId }: LockedSubscription, told: readonly Told[], next: Next): News[] {
  const from = told.findLast(({ kind }) => kind === 'first_seen' || kind === 'plan_changed')?.priceId ?? null;
  if (priceId === null || priceId === from) return [];
  return [{ kind: 'plan_changed', subjectId: next('plan_changed'), priceId, fromPriceId: from, isWorthAMail: true }];
}

function downgrade(now: LockedSubscription, told: readonly Told[], next: Next): News[] {
  const open = openOne(told, 'downgrade_scheduled', 'downgrade_undone');
  const undone = (isWorthAMail: boolean): News[] =>
    open === null ? [] : [{ kind: 'downgrade_undone', subjectId: open.subjectId, priceId: open.priceId, isWorthAMail }];
  if (now.pendingPriceId === null) {
    // It took effect, or the subscription ends before: that is told instead.
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

function cancellation(now: LockedSubscription, told: readonly Told[], next: Next): News[] {
  const open = openOne(told, 'cancellation_scheduled', 'cancellation_undone');
  const { priceId } = now;
  if (now.cancelAtPeriodEnd === (open !== null)) return [];
  return open === null
    ? [{ kind: 'cancellation_scheduled', subjectId: next('cancellation_scheduled'), priceId, isWorthAMail: true }]
    : [{ kind: 'cancellation_undone', subjectId: open.subjectId, priceId, isWorthAMail: true }];
}

/** The one that was begun last, unless it was undone. */
function openOne(told: readonly Told[], begun: NoticeKind, undone: NoticeKind): Told | null {
  const last = told.findLast(({ kind }) => kind === begun);
  if (last === undefined) return null;
  return told.some(({ kind, subjectId }) => kind === undone && subjectId === last.subjectId) ? null : last;
}
