/** Requests of the admin's page and the changelog, as the client library sends them. */
import { ADMIN_USER_COLUMNS } from '#domain/admin/admin-user.ts';

export interface AdminCall {
  name: string;
  /** After /rest/v1/. */
  path: string;
  hasCount: boolean;
}

const LIST = 'rpc/admin_list_users';
const COLUMNS = `select=${ADMIN_USER_COLUMNS.join(',')}`;
const NEWEST = 'order=role.asc,account_created_at.desc,id.asc';
const PAID = 'plan_tier=neq.free';

/** @param ids  200 users */
export function adminCalls(size: { users: number }, ids: readonly string[]): AdminCall[] {
  const half = Math.floor(size.users / 2);
  const call = (name: string, path: string, hasCount = false): AdminCall => ({ name, path, hasCount });
  const sorted = SORTABLE.flatMap((column) =>
    (['asc', 'desc'] as const).map((direction) =>
      call(
        `users by ${column} ${direction}`,
        `${LIST}?${COLUMNS}&order=role.asc,${column}.${direction}.nullslast,id.asc&limit=200`,
      ),
    ),
  );
  const users = `user_id=in.(${ids.join(',')})`;
  const search = `or=(email.ilike.*stone 9*,full_name.ilike.*stone 9*)`;
  return [
    call('users, 200', `${LIST}?${COLUMNS}&${NEWEST}&limit=200`),
    call('users, 200, counted', `${LIST}?${COLUMNS}&${NEWEST}&limit=200`, true),
    call('users, 20 with candles', `${LIST}?${NEWEST}&limit=20`),
    call('users, 200 with candles', `${LIST}?${NEWEST}&limit=200`),
    call(`users, 200 from ${half}`, `${LIST}?${COLUMNS}&${NEWEST}&limit=200&offset=${half}`),
    call(`users, 200 with candles from ${half}`, `${LIST}?${NEWEST}&limit=200&offset=${half}`),
    call('one user with candles', `${LIST}?select=id,last_two_predictions&id=eq.${ids[0]}`),
    ...sorted,
    call('users found by words', `${LIST}?${COLUMNS}&${search}&${NEWEST}&limit=200`),
    call('users found by words, counted', `${LIST}?${COLUMNS}&${search}&${NEWEST}&limit=200`, true),
    call('paid users', `${LIST}?${COLUMNS}&${PAID}&${NEWEST}&limit=200`),
    call('paid users, counted', `${LIST}?${COLUMNS}&${PAID}&${NEWEST}&limit=200`, true),
    call('daily quota of 200 users', `rpc/admin_remaining_daily?${users}`),
    call('monthly quota of 200 users', `rpc/admin_remaining_monthly?${users}`),
    call('quotas, 1000', 'rpc/admin_remaining_monthly?order=user_id.asc&limit=1000'),
    call(`quotas, 1000 from ${half}`, `rpc/admin_remaining_monthly?order=user_id.asc&limit=1000&offset=${half}`),
    call('points of quota and period', 'rpc/admin_scatter_quota'),
    call('predictions per day', 'rpc/get_predictions_per_day'),
    call('summary', 'rpc/admin_summary'),
    call('renewals', 'rpc/admin_renewals'),
    call('posts, 20', `changelog_posts?${POSTS}&limit=20`),
    call('posts, 20 from 4000, counted', `changelog_posts?${POSTS}&limit=20&offset=4000`, true),
  ];
}

const SORTABLE = [
  'name_order',
  'email',
  'plan',
  'remaining_monthly',
  'current_period_end',
  'status_order',
  'timezone',
  'account_created_at',
  'last_activity_at',
];

const POSTS =
  'select=id,content,author_id,created_at,updated_at,published_at&order=published_at.desc.nullslast,created_at.desc';
