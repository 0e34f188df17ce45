/** Filters and order for admin_list_users in PostgREST syntax, for lists larger than a browser holds. */
import { planLabel } from '#domain/admin/plan-view.ts';
import type { UserSort, UserSortKey } from '#domain/admin/user-list.ts';
import type { PriceTable } from '#domain/billing/plans.ts';
import { GRACE_S } from '#domain/billing/subscription.ts';

export interface UserView {
  /** Searched in email, name and plan; empty: all users. */
  words: string;
  isPaidOnly: boolean;
  sort: UserSort;
}

export interface OrderTerm {
  column: string;
  ascending: boolean;
}

/** Columns that sort like the displayed values; the quota is in no column of the list. */
const SORT_COLUMNS = {
  name: ['full_name'],
  email: ['email'],
  plan: ['price_id'],
  'time-left': ['current_period_end'],
  status: ['cancel_at_period_end', 'status'],
  timezone: ['timezone'],
  joined: [],
  'last-activity': ['last_sign_in_at'],
} as const satisfies Record<Exclude<UserSortKey, 'quota'>, readonly string[]>;

/**
 * Admins first ('admin' sorts before every other role), then the sort key, then the newest: an index has this order.
 */
export function orderOf({ key, direction }: UserSort): OrderTerm[] {
  const ascending = direction === 'asc';
  const columns = key === 'quota' ? [] : SORT_COLUMNS[key];
  return [
    { column: 'role', ascending: true },
    ...columns.map((column) => ({ column, ascending })),
    { column: 'account_created_at', ascending: key === 'joined' && ascending },
    { column: 'id', ascending: true },
  ];
}

/** The server limits patterns: longer searches are cut to this length. */
const MAX_WORDS = 100;
const MAX_SPECIAL = 6;

/** A condition that matches email, name or plan; null for an empty search. */
export function searchCondition(words: string, prices: PriceTable): string | null {
  const sought = words.trim().toLowerCase().slice(0, MAX_WORDS);
  if (sought === '') return null;
  const pattern = quoted(`*${escaped(sought)}*`);
  const known = [...prices.keys()].map(quoted).join(',');
  const ofPlans = [...prices].filter(([, plan]) => planLabel(plan).toLowerCase().includes(sought));
  return [
    `email.ilike.${pattern}`,
    `full_name.ilike.${pattern}`,
    ...(ofPlans.length > 0 ? [`price_id.in.(${ofPlans.map(([id]) => quoted(id)).join(',')})`] : []),
    ...(planLabel('free').toLowerCase().includes(sought) ? ['price_id.is.null', `price_id.not.in.(${known})`] : []),
  ].join(',');
}

/**
 * Matches a paying status, or an ending subscription within the grace period. The caller also requires one of our
 * prices.
 */
export function paidCondition(nowMs: number): string {
  const graceS = Math.floor(nowMs / 1000) - GRACE_S;
  const isEnding = 'or(cancel_at_period_end.is.true,status.eq.canceled)';
  return `status.in.(active,trialing,past_due,unpaid,paused),and(current_period_end.gt.${graceS},${isEnding})`;
}

/** Escapes wildcard characters. The star cannot be escaped, so it becomes a single-character wildcard. */
function escaped(words: string): string {
  let special = 0;
  let pattern = '';
  for (const sign of words) {
    if (/[%_*\\]/.test(sign) && ++special > MAX_SPECIAL) break;
    pattern += sign === '*' ? '_' : /[%_\\]/.test(sign) ? `\\${sign}` : sign;
  }
  return pattern;
}

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
