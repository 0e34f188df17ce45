/** Runs as the database's owner, because it reads accounts. */
import * as z from 'zod/mini';
import type { Queries } from '../../platform/database/database.ts';
import { isLive } from '../subscriptions/subscription-row.ts';

const NOTICE_KINDS = [
  'first_seen',
  'receipt',
  'payment_failed',
  'refund',
  'plan_changed',
  'downgrade_scheduled',
  'downgrade_undone',
  'cancellation_scheduled',
  'cancellation_undone',
  'subscription_ended',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface SentNotice {
  kind: NoticeKind;
  subjectId: string;
  priceId: string | null;
}

export interface Notice extends SentNotice {
  userId: string;
  subscriptionId: string | null;
  isMailed: boolean;
}

const recipientRow = z.object({ userId: z.string(), email: z.nullable(z.string()), timezone: z.nullable(z.string()) });
export type Recipient = z.infer<typeof recipientRow>;

/**
 * The customer's owner; null without one. Uses the account's address even if unconfirmed: a paying customer is owed a
 * receipt, and the mail contains nothing that grants access to the account.
 */
export async function recipientOf(queries: Queries, customerId: string): Promise<Recipient | null> {
  const rows = await queries.query(
    `select u.id as "userId", nullif(u.email, '') as email, p.timezone
       from public.stripe_customers c
       join auth.users u on u.id = c.user_id
       left join public.profiles p on p.id = c.user_id
      where c.customer_id = $1::text`,
    [customerId],
  );
  return rows.length === 0 ? null : recipientRow.parse(rows[0]);
}

const subscriptionRow = z.object({
  status: z.string(),
  priceId: z.nullable(z.string()),
  cancelAtPeriodEnd: z.boolean(),
  pendingPriceId: z.nullable(z.string()),
});
export type LockedSubscription = z.infer<typeof subscriptionRow>;

/** Locks the row, so that a subscription's notices are written one at a time, across processes. Null if unknown. */
export async function lockSubscription(tx: Queries, subscriptionId: string): Promise<LockedSubscription | null> {
  const rows = await tx.query(
    `select status, price_id as "priceId", cancel_at_period_end as "cancelAtPeriodEnd", pending_price_id as "pendingPriceId"
       from public.stripe_subscriptions where subscription_id = $1::text for no key update`,
    [subscriptionId],
  );
  return rows.length === 0 ? null : subscriptionRow.parse(rows[0]);
}

const otherRow = z.object({ isOlder: z.boolean() });

/** Whether the customer has another live subscription, created before or after this one; null without one. */
export async function otherLive(
  queries: Queries,
  { customerId, subscriptionId }: { customerId: string; subscriptionId: string },
): Promise<'older' | 'newer' | null> {
  const rows = await queries.query(
    `select (o.stripe_created, o.subscription_id collate "C") < (s.stripe_created, s.subscription_id collate "C") as "isOlder"
       from public.stripe_subscriptions s
       join public.stripe_subscriptions o on o.customer_id = s.customer_id and o.subscription_id <> s.subscription_id
      where s.subscription_id = $2::text and s.customer_id = $1::text
        and o.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
      order by 1 desc limit 1`,
    [customerId, subscriptionId],
  );
  if (rows.length === 0) return null;
  return otherRow.parse(rows[0]).isOlder ? 'older' : 'newer';
}

/** Whether it was ended as a duplicate and refunded; settle-doubles.ts records that beforehand. */
export async function wasPaidBack(queries: Queries, subscriptionId: string): Promise<boolean> {
  const rows = await queries.query(
    `select 1 from public.billing_alarms
      where kind = 'double-subscription' and subject = $1::text and details @> '{"isSettled": true}'`,
    [subscriptionId],
  );
  return rows.length > 0;
}

const sentNoticeRow = z.object({ kind: z.enum(NOTICE_KINDS), subjectId: z.string(), priceId: z.nullable(z.string()) });

export async function listNotices(queries: Queries, subscriptionId: string): Promise<SentNotice[]> {
  const rows = await queries.query(
    `select kind, subject_id as "subjectId", price_id as "priceId" from private.billing_notices
      where subscription_id = $1::text order by seq`,
    [subscriptionId],
  );
  return z.array(sentNoticeRow).parse(rows);
}

export async function isNoticeSent(queries: Queries, kind: NoticeKind, subjectId: string): Promise<boolean> {
  const rows = await queries.query(
    'select 1 from private.billing_notices where kind = $1::text and subject_id = $2::text',
    [kind, subjectId],
  );
  return rows.length > 0;
}

/** @returns false when it was already recorded, so there is nothing to send */
export async function recordNotice(tx: Queries, notice: Notice, nowIso: string): Promise<boolean> {
  const rows = await tx.query(
    `insert into private.billing_notices (kind, subject_id, user_id, subscription_id, price_id, is_mailed, created_at)
     values ($1::text, $2::text, $3::text::uuid, $4::text, $5::text, $6::boolean, $7::text::timestamptz)
     on conflict (kind, subject_id) do nothing returning 1`,
    [notice.kind, notice.subjectId, notice.userId, notice.subscriptionId, notice.priceId, notice.isMailed, nowIso],
  );
  return rows.length > 0;
}

const priceRow = z.object({ price_id: z.string(), plan: z.enum(['bobcat', 'lion']) });

/** Maps each price to its plan, retired prices included. */
export async function plansByPrice(queries: Queries): Promise<ReadonlyMap<string, 'bobcat' | 'lion'>> {
  const rows = z.array(priceRow).parse(await queries.query('select price_id, plan from public.billing_prices', []));
  return new Map(rows.map(({ price_id, plan }) => [price_id, plan]));
}

/**
 * A change to report: the subscription's state compared with the notices already recorded. It does not depend on which
 * events arrived, how often or in which order; the next sync reports anything missed.
 */
export interface DueNotice {
  kind: Exclude<NoticeKind, 'receipt' | 'payment_failed' | 'refund'>;
  subjectId: string;
  priceId: string | null;
  /** For plan_changed: the previous price. */
  fromPriceId?: string | null;
  /** False: only recorded, not mailed. */
  isMailed: boolean;
}

/** @param sent  this subscription's notices, in the order of sending */
export function findDueNotices(
  subscriptionId: string,
  now: LockedSubscription,
  sent: readonly SentNotice[],
): DueNotice[] {
  const isKnown = sent.some(({ kind }) => kind === 'first_seen');
  const isOver = now.status === 'canceled';
  // Before its first payment a subscription is only an attempt.
  if (!isLive(now.status) && !isOver) return [];
  const firstSeen: DueNotice = {
    kind: 'first_seen',
    subjectId: subscriptionId,
    priceId: now.priceId,
    isMailed: false,
  };
  if (isOver) {
    // If it ended before it was first seen here, the end is no news.
    const ended: DueNotice = {
      kind: 'subscription_ended',
      subjectId: subscriptionId,
      priceId: now.priceId,
      isMailed: isKnown,
    };
    if (sent.some(({ kind }) => kind === 'subscription_ended')) return [];
    return isKnown ? [ended] : [firstSeen, ended];
  }
  const countOf = (kind: NoticeKind) => sent.filter((one) => one.kind === kind).length;
  const next = (kind: NoticeKind) => `${subscriptionId}/${countOf(kind) + 1}`;
  return [
    ...(isKnown ? [] : [firstSeen]),
    ...(isKnown ? changeOfPlan(now, sent, next) : []),
    ...downgrade(now, sent, next),
    ...cancellation(now, sent, next),
  ];
}

type Next = (kind: NoticeKind) => string;

function changeOfPlan({ priceId }: LockedSubscription, sent: readonly SentNotice[], next: Next): DueNotice[] {
  const from = sent.findLast(({ kind }) => kind === 'first_seen' || kind === 'plan_changed')?.priceId ?? null;
  if (priceId === null || priceId === from) return [];
  return [{ kind: 'plan_changed', subjectId: next('plan_changed'), priceId, fromPriceId: from, isMailed: true }];
}

function downgrade(now: LockedSubscription, sent: readonly SentNotice[], next: Next): DueNotice[] {
  const open = openOne(sent, 'downgrade_scheduled', 'downgrade_undone');
  const undone = (isMailed: boolean): DueNotice[] =>
    open === null ? [] : [{ kind: 'downgrade_undone', subjectId: open.subjectId, priceId: open.priceId, isMailed }];
  if (now.pendingPriceId === null) {
    // It took effect, or the subscription ends first; either has its own notice.
    return undone(open?.priceId !== now.priceId && !now.cancelAtPeriodEnd);
  }
  if (now.pendingPriceId === open?.priceId) return [];
  const scheduled: DueNotice = {
    kind: 'downgrade_scheduled',
    subjectId: next('downgrade_scheduled'),
    priceId: now.pendingPriceId,
    isMailed: true,
  };
  return [...undone(false), scheduled];
}

function cancellation(now: LockedSubscription, sent: readonly SentNotice[], next: Next): DueNotice[] {
  const open = openOne(sent, 'cancellation_scheduled', 'cancellation_undone');
  const { priceId } = now;
  if (now.cancelAtPeriodEnd === (open !== null)) return [];
  return open === null
    ? [{ kind: 'cancellation_scheduled', subjectId: next('cancellation_scheduled'), priceId, isMailed: true }]
    : [{ kind: 'cancellation_undone', subjectId: open.subjectId, priceId, isMailed: true }];
}

/** The latest one that was scheduled, unless it was undone. */
function openOne(sent: readonly SentNotice[], begun: NoticeKind, undone: NoticeKind): SentNotice | null {
  const last = sent.findLast(({ kind }) => kind === begun);
  if (last === undefined) return null;
  return sent.some(({ kind, subjectId }) => kind === undone && subjectId === last.subjectId) ? null : last;
}
