/** What is asked of admin_list_users beyond the users that a browser holds: its filters and its order, in the protocol's words. */
import { planLabel } from '#domain/admin/plan-view.ts';
import type { UserSort, UserSortKey } from '#domain/admin/user-list.ts';
import type { PriceTable } from '#domain/billing/plans.ts';
import { GRACE_S } from '#domain/billing/subscription.ts';

export interface UserView {
  /** Sought in address, name and plan; empty: everybody. */
  words: string;
  isPaidOnly: boolean;
  sort: UserSort;
}

export interface OrderTerm {
  column: string;
  ascending: boolean;
}

/** The columns that stand for what is shown; a quota is in no column of the list. */
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

/** Admins first ('admin' stands before every other role), then what is sorted, then the newest: an index has this order. */
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

/** Patterns have their limits at the server: so much is sought, the rest of longer words is not. */
const MAX_WORDS = 100;
const MAX_SPECIAL = 6;

/** A condition that any of address, name and plan fulfils; null for no words. */
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

/** Of a status that pays, or ending and within the grace. The price must be one of ours as well. */
export function paidCondition(nowMs: number): string {
  const graceS = Math.floor(nowMs / 1000) - GRACE_S;
  const isEnding = 'or(cancel_at_period_end.is.true,status.eq.canceled)';
  return `status.in.(active,trialing,past_due,unpaid,paused),and(current_period_end.gt.${graceS},${isEnding})`;
}

/** Signs with a meaning in a pattern stand for themselves; the star, which cannot, for any one sign. */
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
