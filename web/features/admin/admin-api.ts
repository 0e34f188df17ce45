/** The admin's server calls. The server decides who is an admin; its error messages are shown when it sends one. */
import * as z from 'zod/mini';
import { ADMIN_USER_COLUMNS, type AdminUser, readAdminUsers } from '#domain/admin/admin-user.ts';
import { type DayTotal, type RenewalDay, readDayTotals, readRenewals } from '#domain/admin/renewals.ts';
import { type AdminSummary, readSummary } from '#domain/admin/summary.ts';
import { readUserPredictions, type UserPrediction } from '#domain/admin/user-predictions.ts';
import { type QuotaPoint, readQuotaPoints, readUserQuotas } from '#domain/admin/user-quotas.ts';
import { type PriceTable, priceTableOf } from '#domain/billing/plans.ts';
import type { Quota } from '#domain/forecast/quota.ts';
import { CallError, serverWords } from '../../platform/calls/call-error.ts';
import { callFunction } from '../../platform/calls/functions.ts';
import { inTime } from '../../platform/calls/time-limit.ts';
import { publicConfig } from '../../platform/config.ts';
import { type Tables, tables } from '../../platform/supabase.ts';
import { orderOf, paidCondition, searchCondition, type UserView } from './users/user-query.ts';

export const USERS_FAILED = 'Failed to load users';
export const QUOTAS_FAILED = 'Failed to load user quotas';
export const SCATTER_FAILED = 'Failed to load quota scatter';
export const DAYS_FAILED = 'Failed to load predictions per day';
export const VERIFY_FAILED = 'Bulk verify failed';
const PREDICTIONS_FAILED = 'Failed to load predictions';

/** Users per answer; the server's limit. */
export const PAGE_ROWS = 200;

export interface AdminSettings {
  prices: PriceTable;
  /** Added to the browser's clock. */
  clockOffsetMs: number;
}

/** Part of the site settings, which load once per page load. @throws Error */
export async function adminSettings(): Promise<AdminSettings> {
  const { prices, clockOffsetMs } = await publicConfig();
  return { prices: priceTableOf(prices), clockOffsetMs };
}

export interface UserPage {
  users: AdminUser[];
  /** All users of the view; null when not requested. */
  total: number | null;
}

export interface UserPageQuery {
  view: UserView;
  /** From 0. */
  page: number;
  settings: AdminSettings;
  hasTotal: boolean;
}

/** One page of users, without candles. @throws Error with the server's message, or 'Failed to load users' */
export async function fetchUserPage(wish: UserPageQuery, signal: AbortSignal): Promise<UserPage> {
  if (wish.view.sort.key === 'quota') return fetchPageByQuota(wish, signal);
  const { data, count } = await ask(USERS_FAILED, signal, (client, limited) => {
    const query = filtered(listUsers(client, wish.hasTotal), wish);
    for (const { column, ascending } of orderOf(wish.view.sort)) query.order(column, { ascending, nullsFirst: false });
    return query.range(wish.page * PAGE_ROWS, (wish.page + 1) * PAGE_ROWS - 1).abortSignal(limited);
  });
  return { users: readAdminUsers(data), total: wish.hasTotal ? count : null };
}

function listUsers(client: Tables, hasTotal: boolean) {
  return client.rpc('admin_list_users', {}, hasTotal ? { count: 'exact' } : {}).select(ADMIN_USER_COLUMNS.join(','));
}

function filtered(
  query: ReturnType<typeof listUsers>,
  { view, settings }: UserPageQuery,
): ReturnType<typeof listUsers> {
  const search = searchCondition(view.words, settings.prices);
  if (search !== null) query.or(search);
  if (view.isPaidOnly)
    query.in('price_id', [...settings.prices.keys()]).or(paidCondition(Date.now() + settings.clockOffsetMs));
  return query;
}

/**
 * Takes the order from the quotas and the rows from the list. Admins have no quota and come first in either direction.
 */
async function fetchPageByQuota({ view, page, hasTotal }: UserPageQuery, signal: AbortSignal): Promise<UserPage> {
  const { data, count } = await ask(USERS_FAILED, signal, (client, limited) => {
    const query = client
      .rpc('admin_remaining_monthly', {}, hasTotal ? { count: 'exact' } : {})
      .select('user_id')
      .order('remaining_monthly', { ascending: view.sort.direction === 'asc', nullsFirst: true })
      .order('user_id', { ascending: true });
    if (view.isPaidOnly) query.neq('plan_tier', 'free');
    return query.range(page * PAGE_ROWS, (page + 1) * PAGE_ROWS - 1).abortSignal(limited);
  });
  const ids = z
    .array(z.object({ user_id: z.string() }))
    .parse(data)
    .map(({ user_id }) => user_id);
  const rows = await ask(USERS_FAILED, signal, (client, limited) =>
    listUsers(client, false).in('id', ids).abortSignal(limited),
  );
  const users = new Map(readAdminUsers(rows.data).map((user) => [user.id, user]));
  return { users: ids.flatMap((id) => users.get(id) ?? []), total: hasTotal ? count : null };
}

/** For at most PAGE_ROWS users. @throws Error with the server's message, or 'Failed to load user quotas' */
export async function fetchUserQuotas(ids: readonly string[], signal: AbortSignal): Promise<Map<string, Quota>> {
  const of = (procedure: 'admin_remaining_daily' | 'admin_remaining_monthly') =>
    ask(QUOTAS_FAILED, signal, (client, limited) =>
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
  const { data, count } = await ask(SCATTER_FAILED, signal, (client, limited) =>
    client.rpc('admin_scatter_quota', {}, { count: 'exact' }).abortSignal(limited),
  );
  const read = readQuotaPoints(data);
  return { ...read, total: Math.max(count ?? 0, read.points.length + read.outside) };
}

/** Oldest first. @throws Error with the server's message, or 'Failed to load predictions per day' */
export async function fetchDayTotals(signal: AbortSignal): Promise<DayTotal[]> {
  const { data } = await ask(DAYS_FAILED, signal, (client, limited) =>
    client.rpc('get_predictions_per_day').abortSignal(limited),
  );
  return readDayTotals(data);
}

/** For more users than a browser can count. @throws Error */
export async function fetchSummary(signal: AbortSignal): Promise<AdminSummary> {
  const { data } = await ask(USERS_FAILED, signal, (client, limited) =>
    client.rpc('admin_summary').abortSignal(limited),
  );
  return readSummary(data);
}

/** For more users than a browser can count. @throws Error */
export async function fetchRenewals(signal: AbortSignal): Promise<RenewalDay[]> {
  const { data } = await ask(USERS_FAILED, signal, (client, limited) =>
    client.rpc('admin_renewals').abortSignal(limited),
  );
  return readRenewals(data);
}

/** The last two, with their candles. @throws Error with the server's message, or 'Failed to load predictions' */
export async function fetchUserPredictions(id: string, signal: AbortSignal): Promise<UserPrediction[]> {
  const { data } = await ask(PREDICTIONS_FAILED, signal, (client, limited) =>
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
  message: z.optional(z.string()),
  reason: z.optional(z.string()),
});
/** Each call has a time limit; the next one continues with the remaining subscriptions. */
const MAX_CALLS = 50;

/**
 * Compares every subscription with the payment provider. @throws Error with the server's message, or 'Bulk verify
 * failed'
 */
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
    const isTold = error instanceof CallError && error.code !== 'network' && error.code !== 'unknown';
    throw new Error(isTold ? error.message : VERIFY_FAILED, { cause: error });
  });
  const answer = verifiedSchema.safeParse(body).data;
  if (answer?.ok !== true) throw new Error(answer?.message || answer?.reason || VERIFY_FAILED);
  return answer;
}

interface Answer {
  data: unknown;
  count: number | null;
  error: { message: string; code: string } | null;
}

async function ask(
  fallback: string,
  signal: AbortSignal,
  call: (client: Tables, limited: AbortSignal) => PromiseLike<Answer>,
): Promise<Answer> {
  const answer = await inTime(signal, async (limited) => call(await tables(), limited)).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new Error(fallback, { cause });
  });
  if (answer.error === null) return answer;
  throw new Error(serverWords(answer.error, fallback), { cause: answer.error });
}
