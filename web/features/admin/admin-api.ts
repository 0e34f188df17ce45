/** The admin's server calls. The server decides who is an admin; its error messages are shown when it sends one. */
import * as z from 'zod/mini';
import {
  ADMIN_USER_COLUMNS,
  type AdminUser,
  planLabel,
  readAdminUsers,
  readUserQuotas,
} from '#domain/admin/admin-user.ts';
import {
  type AdminSummary,
  type DayTotal,
  type QuotaPoint,
  type RenewalDay,
  readDayTotals,
  readQuotaPoints,
  readRenewals,
  readSummary,
} from '#domain/admin/figures.ts';
import { readUserPredictions, type UserPrediction } from '#domain/admin/user-predictions.ts';
import type { Quota } from '#domain/forecast/quota.ts';
import { CallError, refusalIn } from '../../platform/calls/call-error.ts';
import { callFunction } from '../../platform/calls/functions.ts';
import { callTables } from '../../platform/supabase.ts';

const USERS_FAILED = 'Failed to load users';
const QUOTAS_FAILED = 'Failed to load user quotas';
const SCATTER_FAILED = 'Failed to load quota scatter';
const DAYS_FAILED = 'Failed to load predictions per day';
const VERIFY_FAILED = 'Bulk verify failed';
const PREDICTIONS_FAILED = 'Failed to load predictions';

/** Users per answer; the server's limit. */
export const PAGE_ROWS = 200;

/** The list's columns that sort like the displayed values. Missing values come last in either direction. */
const SORT_COLUMNS = {
  name: 'name_order',
  email: 'email',
  plan: 'plan',
  quota: 'remaining_monthly',
  'time-left': 'current_period_end',
  status: 'status_order',
  timezone: 'timezone',
  joined: 'account_created_at',
  'last-activity': 'last_activity_at',
} as const;

export type UserSortKey = keyof typeof SORT_COLUMNS;

export interface UserSort {
  key: UserSortKey;
  direction: 'asc' | 'desc';
}

export const DEFAULT_SORT: UserSort = { key: 'joined', direction: 'desc' };

export interface UserView {
  /** Searched in email, name and plan; empty: all users. */
  search: string;
  isPaidOnly: boolean;
  sort: UserSort;
}

export interface UserPage {
  users: AdminUser[];
  /** 0 when not counted. */
  total: number;
}

/**
 * Admins first ('admin' sorts before every other role), ties by the newest account; without candles.
 * @param page  from 0; the first one is answered with the total
 * @throws Error with the server's message, or 'Failed to load users'
 */
export async function fetchUserPage(view: UserView, page: number, signal: AbortSignal): Promise<UserPage> {
  const { key, direction } = view.sort;
  const { data, count } = await callTables(USERS_FAILED, signal, (client, limited) => {
    const query = client
      .rpc('admin_list_users', {}, page === 0 ? { count: 'exact' } : {})
      .select(ADMIN_USER_COLUMNS.join(','));
    const search = searchCondition(view.search);
    if (search !== null) query.or(search);
    if (view.isPaidOnly) query.neq('plan_tier', 'free');
    query.order('role').order(SORT_COLUMNS[key], { ascending: direction === 'asc', ...(key !== 'joined' && LAST) });
    if (key !== 'joined') query.order('account_created_at', { ascending: false });
    return query
      .order('id')
      .range(page * PAGE_ROWS, (page + 1) * PAGE_ROWS - 1)
      .abortSignal(limited);
  });
  return { users: readAdminUsers(data), total: count ?? 0 };
}

const LAST = { nullsFirst: false } as const;
/** The server limits patterns: longer searches are cut to this length. */
const MAX_SEARCH = 100;
const MAX_SPECIAL = 6;

/** A condition in PostgREST's syntax that matches email, name or plan; null for an empty search. */
function searchCondition(search: string): string | null {
  const term = search.trim().toLowerCase().slice(0, MAX_SEARCH);
  if (term === '') return null;
  const pattern = `"*${escaped(term).replace(/["\\]/g, '\\$&')}*"`;
  const plans = PLAN_NAMES.filter((plan) => planLabel(plan).toLowerCase().includes(term));
  const ofPlans = plans.length > 0 ? [`plan.in.(${plans.join(',')})`] : [];
  return [`email.ilike.${pattern}`, `full_name.ilike.${pattern}`, ...ofPlans].join(',');
}

const PLAN_NAMES = ['bobcat', 'lion', 'free'] as const;

/** Escapes wildcard characters. The star cannot be escaped, so it becomes a single-character wildcard. */
function escaped(text: string): string {
  let special = 0;
  let pattern = '';
  for (const sign of text) {
    if (/[%_*\\]/.test(sign) && ++special > MAX_SPECIAL) break;
    pattern += sign === '*' ? '_' : /[%_\\]/.test(sign) ? `\\${sign}` : sign;
  }
  return pattern;
}

/** For at most PAGE_ROWS users. @throws Error with the server's message, or 'Failed to load user quotas' */
export async function fetchUserQuotas(ids: readonly string[], signal: AbortSignal): Promise<Map<string, Quota>> {
  const of = (procedure: 'admin_remaining_daily' | 'admin_remaining_monthly') =>
    callTables(QUOTAS_FAILED, signal, (client, limited) =>
      client
        .rpc(procedure)
        .select('user_id,plan_tier,remaining_daily,remaining_monthly')
        .in('user_id', [...ids])
        .abortSignal(limited),
    );
  const [daily, monthly] = await Promise.all([of('admin_remaining_daily'), of('admin_remaining_monthly')]);
  return readUserQuotas(daily.data, monthly.data);
}

export interface QuotaPoints {
  points: QuotaPoint[];
  /** Points before or after the chart's thirty days. */
  outside: number;
  /** All points; above the limit, an answer holds a fair sample. */
  total: number;
}

/** @throws Error with the server's message, or 'Failed to load quota scatter' */
export async function fetchQuotaPoints(signal: AbortSignal): Promise<QuotaPoints> {
  const { data, count } = await callTables(SCATTER_FAILED, signal, (client, limited) =>
    client.rpc('admin_scatter_quota', {}, { count: 'exact' }).abortSignal(limited),
  );
  const read = readQuotaPoints(data);
  return { ...read, total: Math.max(count ?? 0, read.points.length + read.outside) };
}

/** Oldest first. @throws Error with the server's message, or 'Failed to load predictions per day' */
export async function fetchDayTotals(signal: AbortSignal): Promise<DayTotal[]> {
  const { data } = await callTables(DAYS_FAILED, signal, (client, limited) =>
    client.rpc('get_predictions_per_day').abortSignal(limited),
  );
  return readDayTotals(data);
}

/** @throws Error with the server's message, or 'Failed to load users' */
export async function fetchSummary(signal: AbortSignal): Promise<AdminSummary> {
  const { data } = await callTables(USERS_FAILED, signal, (client, limited) =>
    client.rpc('admin_summary').abortSignal(limited),
  );
  return readSummary(data);
}

/** @throws Error with the server's message, or 'Failed to load users' */
export async function fetchRenewals(signal: AbortSignal): Promise<RenewalDay[]> {
  const { data } = await callTables(USERS_FAILED, signal, (client, limited) =>
    client.rpc('admin_renewals').abortSignal(limited),
  );
  return readRenewals(data);
}

/** The last two, with their candles. @throws Error with the server's message, or 'Failed to load predictions' */
export async function fetchUserPredictions(id: string, signal: AbortSignal): Promise<UserPrediction[]> {
  const { data } = await callTables(PREDICTIONS_FAILED, signal, (client, limited) =>
    client.rpc('admin_list_users').select('id,last_two_predictions').eq('id', id).abortSignal(limited),
  );
  const [row] = z.array(z.object({ last_two_predictions: z.unknown() })).parse(data);
  return readUserPredictions(row?.last_two_predictions);
}

const verifiedSchema = z.object({
  ok: z.boolean(),
  updated: z.catch(z.int(), 0),
  checked: z.catch(z.int(), 0),
  remaining: z.catch(z.int(), 0),
});
/** Each call has a time limit; the next one continues with the remaining subscriptions. */
const MAX_CALLS = 50;

/** @throws Error with the server's message, or 'Bulk verify failed' */
export async function verifySubscriptions(): Promise<{ updated: number; checked: number }> {
  const sum = { updated: 0, checked: 0 };
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const { updated, checked, remaining } = await verifySome();
    sum.updated += updated;
    sum.checked += checked;
    if (remaining === 0 || checked === 0) break;
  }
  return sum;
}

async function verifySome(): Promise<z.infer<typeof verifiedSchema>> {
  const body = await callFunction('admin-verify-subscriptions', {}).catch((error: unknown) => {
    const hasMessage = error instanceof CallError && error.code !== 'network' && error.code !== 'unknown';
    throw new Error(hasMessage ? error.message : VERIFY_FAILED, { cause: error });
  });
  const answer = verifiedSchema.safeParse(body).data;
  if (answer?.ok !== true) throw new Error(refusalIn(body)?.message ?? VERIFY_FAILED);
  return answer;
}
