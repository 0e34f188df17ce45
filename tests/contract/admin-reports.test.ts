/**
 * Admin reports through the client library: the database applies pages, filters, order and counts, and serves admins
 * only.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { fillAdminCrowd } from '../support/worlds/admin-crowd.ts';
import { backendTestServer } from './support/backend.ts';

const CROWD = { users: 1200, predictions: 2400, posts: 10 };
const LIMITS = { statementLimitMs: 30_000, callerLimitMs: 30_000 };
describeBothAtNight('admin reports', (kind) => {
  const opened = openedForTests(async () => {
    const server = await backendTestServer(kind, { database: LIMITS });
    const [chief, guest] = [await server.user(), await server.user()];
    await server.database.query(OWNER, "update public.profiles set role = 'admin' where id = $1", [chief.id]);
    await fillAdminCrowd(server.database, CROWD);
    return { server, chief, guest, close: () => server.close() };
  });

  const list = () =>
    opened()
      .chief.client.rpc('admin_list_users', {}, { count: 'exact' })
      .order('role')
      .order('account_created_at', { ascending: false })
      .order('id');

  /** Loads every row without candles, as a screen does that shows all of them. */
  async function everyone(): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    for (;;) {
      const { data, count, error } = await list()
        .select('id,email,role,status,current_period_end,plan_tier')
        .range(rows.length, rows.length + 199);
      if (error) throw new Error(error.message);
      const page = rowsOf(data);
      rows.push(...page);
      if (rows.length >= (count ?? 0) || page.length === 0) return rows;
    }
  }

  test('returns at most 200 users a page, with the total count', async () => {
    const { data, count, status } = await list().limit(1000);

    expect([rowsOf(data).length, count, status]).toEqual([200, CROWD.users + 2, 206]);
  });

  test('returns every user once across pages, admins first', async () => {
    const rows = await everyone();

    expect(rows).toHaveLength(CROWD.users + 2);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.map(({ role }) => role === 'admin').lastIndexOf(true)).toBe(10);
  });

  test('returns every column the screen shows, with the last two predictions', async () => {
    const { data } = await list().eq('email', 'crowd11@example.com');
    const [row = {}] = rowsOf(data);

    expect(Object.keys(row)).toEqual([
      ...'id email full_name avatar_url role price_id status current_period_start current_period_end'.split(' '),
      ...'cancel_at_period_end account_created_at last_prediction_at last_sign_in_at updated_at timezone phone'.split(
        ' ',
      ),
      ...'website location bio two_factor_enabled email_notifications push_notifications marketing_emails'.split(' '),
      'last_two_predictions',
      ...'plan plan_tier remaining_daily remaining_monthly name_order status_order last_activity_at'.split(' '),
    ]);
    const [newest = {}, older = {}, ...more] = rowsOf(row.last_two_predictions);
    expect(more).toEqual([]);
    expect(Object.keys(newest)).toEqual(['id', 'cryptocurrency', 'timeframe', 'model', 'created_at', 'data', 'band']);
    expect(newest.data).toHaveLength(200);
    expect(newest.created_at).toBe(row.last_prediction_at);
    expect(Date.parse(String(newest.created_at))).toBeGreaterThan(Date.parse(String(older.created_at)));
  });

  test('filters users by text and status, and orders them by period end', async () => {
    const { chief } = opened();
    const rows = await everyone();
    const found = await list().or('email.ilike.*crowd11*,full_name.ilike.*stone 9*').select('email,full_name');
    const paid = await list().in('status', ['active', 'past_due']).select('status').limit(5);
    const byEnd = await chief.client
      .rpc('admin_list_users')
      .select('current_period_end')
      .order('current_period_end', { ascending: false, nullsFirst: false })
      .limit(3);

    expect(rowsOf(found.data).length).toBeGreaterThan(10);
    for (const { email, full_name } of rowsOf(found.data)) expect(`${email} ${full_name}`).toMatch(/crowd11|stone 9/i);
    expect(paid.count).toBe(rows.filter(({ status }) => status === 'active' || status === 'past_due').length);
    const ends = rows.map(({ current_period_end }) => Number(current_period_end ?? 0)).sort((a, b) => b - a);
    expect(rowsOf(byEnd.data).map((row) => row.current_period_end)).toEqual(ends.slice(0, 3));
  });

  test('returns the same page with or without a count, and 416 past the end', async () => {
    const { chief } = opened();
    const counted = await list().ilike('full_name', '%stone 9%').select('id,full_name').range(3, 7);
    const plain = await chief.client
      .rpc('admin_list_users')
      .ilike('full_name', '%stone 9%')
      .select('id,full_name')
      .order('role')
      .order('account_created_at', { ascending: false })
      .order('id')
      .range(3, 7);
    const past = await list().ilike('full_name', '%stone 9%').select('id').range(5000, 5200);

    expect(rowsOf(counted.data)).toHaveLength(5);
    expect(counted.data).toEqual(plain.data);
    expect([past.status, past.error?.code]).toEqual([416, 'PGRST103']);
  });

  test('orders a search by what is left of the quota', async () => {
    const { client } = opened().chief;
    const { data, error } = await client
      .rpc('admin_list_users')
      .or('email.ilike.*crowd*,plan.in.(lion)')
      .neq('plan_tier', 'free')
      .select('id,remaining_monthly')
      .order('role')
      .order('remaining_monthly', { ascending: false, nullsFirst: false })
      .order('id');
    expect(error).toBeNull();
    const found = rowsOf(data);
    const ids = found.map(({ id }) => id);
    const quotas = await client.rpc('admin_remaining_monthly').in('user_id', ids);

    const left = found.map(({ remaining_monthly }) => Number(remaining_monthly));
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    expect(new Set(left).size).toBeGreaterThan(5);
    const remaining = new Map(rowsOf(quotas.data).map((row) => [row.user_id, row.remaining_monthly]));
    expect(found.map(({ remaining_monthly }) => remaining_monthly)).toEqual(found.map(({ id }) => remaining.get(id)));
  });

  // supabase/tests/database/22_admin_reports.test.sql checks each procedure for each role.
  test('refuses users, visitors and the service key without rows or a count, and changes nothing', async () => {
    const { server, guest } = opened();
    const before = await changes(server.database);

    for (const [client, status] of [
      [guest.client, 403],
      [server.visitor(), 401],
      [server.service(), 403],
    ] as [SupabaseClient, number][]) {
      const answer = await client.rpc('admin_list_users', {}, { count: 'exact' });
      expect([answer.status, answer.error?.code, answer.data, answer.count]).toEqual([status, '42501', null, null]);
    }
    expect(await changes(server.database)).toEqual(before);
  });

  test('gives other users the same refusal whether or not a filter matches', async () => {
    const { guest, chief } = opened();
    const requests = [
      guest.client.rpc('admin_list_users').eq('id', chief.id),
      guest.client.rpc('admin_list_users').eq('id', '00000000-0000-4000-8000-000000000000'),
      guest.client.rpc('admin_list_users').gt('last_sign_in_at', '2020-01-01').order('email').limit(1),
      guest.client.rpc('admin_remaining_daily').eq('user_id', guest.id),
    ];

    for (const { error } of await Promise.all(requests)) expect(error?.message).toBe('Not authorized.');
  });
});

const rowList = z.array(z.record(z.string(), z.unknown()));

function rowsOf(data: unknown): Record<string, unknown>[] {
  return rowList.parse(data);
}

async function changes(database: Awaited<ReturnType<typeof backendTestServer>>['database']) {
  return database.query(
    OWNER,
    `select (select count(*) from public.profiles) as profiles, (select max(updated_at) from public.profiles) as at,
            (select count(*) from private.audit_log) as audited, (select count(*) from private.last_predictions) as last`,
  );
}
