import * as z from 'zod/mini';

/** A paid plan stays usable this long after its period ends, so a late renewal does not lock anyone out (R-PLAN-8). */
export const GRACE_S = 2 * 60 * 60;

export const SUBSCRIPTION_STATUSES = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'incomplete',
  'incomplete_expired',
] as const;

/** Statuses that count as paid for plan, gating and quota (R-PLAN-6). */
const PAID_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused']);
/** Statuses that the subscription card shows as Active (R-PLAN-7); its buttons follow all paid ones. */
const ACTIVE_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** The columns of stripe_user_subscriptions that decisions depend on. Times are epoch seconds. */
export const subscriptionRowSchema = z.object({
  price_id: z.nullable(z.string()),
  status: z.nullable(z.string()),
  cancel_at_period_end: z.nullable(z.boolean()),
  current_period_end: z.nullable(z.number()),
});
export type SubscriptionRow = z.infer<typeof subscriptionRowSchema>;

/** True while the row counts as paid for plan, gating and quota; the price must still map to a plan (entitlement.ts). */
export function isPaidStatus(row: SubscriptionRow | null, nowS: number): boolean {
  return hasStatus(row, PAID_STATUSES) || isInGrace(row, nowS);
}

export function isActiveStatus(row: SubscriptionRow | null, nowS: number): boolean {
  return hasStatus(row, ACTIVE_STATUSES) || isInGrace(row, nowS);
}

function hasStatus(row: SubscriptionRow | null, statuses: ReadonlySet<string>): boolean {
  return row?.status != null && statuses.has(row.status);
}

/** An ending subscription counts until end + 7200 s, exclusive. */
function isInGrace(row: SubscriptionRow | null, nowS: number): boolean {
  if (!row || row.current_period_end == null) return false;
  const isEnding = row.cancel_at_period_end === true || row.status === 'canceled';
  return isEnding && nowS < row.current_period_end + GRACE_S;
}
