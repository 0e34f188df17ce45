/**
 * The most expensive statements that the grammar allows: PostgreSQL or the embedded database's watchdog ends them,
 * and other requests continue.
 */
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { CALLER_LIMIT_MS } from '../../server/platform/database/open-database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { type BackendTestOptions, backendTestServer, JSON_TYPE } from './support/backend.ts';
import { codeOf } from './support/data/rest.ts';

/** Long texts that every pattern must read to their end, readable by all. */
const newsSql = (rows: number) => `
create table public.contract_news (id integer primary key, body text not null);
insert into public.contract_news
  select i, repeat(md5(i::text) || ' ', 30) from generate_series(1, ${rows}) i;
alter table public.contract_news enable row level security;
revoke all on public.contract_news from anon, authenticated;
grant select, update on public.contract_news to anon, authenticated;
create policy "everyone reads" on public.contract_news for select to anon, authenticated using (true);
create policy "everyone writes" on public.contract_news for update to anon, authenticated using (true);
create function public.contract_endless() returns bigint language sql stable set search_path = ''
  as 'select count(*) from generate_series(1, 100000000000)';
create function public.contract_patient(p_s float8) returns integer language sql stable set search_path = ''
  as 'select 1 from pg_catalog.pg_sleep(p_s)';
comment on function public.contract_patient is 'One. Limit: 1500 ms';
create function public.contract_limit() returns text language sql stable set search_path = ''
  as $$select pg_catalog.current_setting('statement_timeout')$$;
grant execute on function public.contract_endless, public.contract_patient, public.contract_limit to anon, authenticated;
`;
const PATTERNS = Array.from({ length: 4 }, (_, n) => `body.ilike.*_a_b_c_*zz${n}`).join(',');
const WORST = `/rest/v1/contract_news?or=(${PATTERNS})&order=body`;
const COUNTED = { headers: { prefer: 'count=exact' } };

// Runs on both kinds: PostgreSQL ends a statement itself, PGlite needs the watchdog.
describeEachDatabase('an endless statement', (kind) => {
  const open = (rows: number, database: NonNullable<BackendTestOptions['database']>) => () =>
    backendTestServer(kind, { setUpSql: newsSql(rows), database: { ...database, isOwn: true } });

  if (kind === 'postgres')
    describe('a call of visitors and users', () => {
      const server = openedForTests(open(60_000, { callerLimitMs: CALLER_LIMIT_MS }));

      test('is cancelled at 200 ms with 503, which the client library reports', async () => {
        const visitor = server().visitor();

        const { status, error } = await visitor
          .from('contract_news')
          .select('*', { count: 'exact' })
          .or(PATTERNS)
          .retry(false);

        expect([status, error?.code]).toEqual([503, '57014']);
        expect(error?.message).toBe('canceling statement due to statement timeout');
        expect((await visitor.rpc('contract_limit')).data).toBe(`${CALLER_LIMIT_MS}ms`);
      });

      test.each<[string, string, RequestInit]>([
        ['a read', WORST, COUNTED],
        ['a procedure', '/rest/v1/rpc/contract_endless', { method: 'POST', headers: JSON_TYPE, body: '{}' }],
        [
          'an update',
          `/rest/v1/contract_news?or=(${PATTERNS})`,
          { method: 'PATCH', headers: JSON_TYPE, body: '{"id":1}' },
        ],
      ])('cancels %s for users too, with Retry-After', async (_what, path, init) => {
        const { accessToken } = await server().user();
        const headers = { ...init.headers, authorization: `Bearer ${accessToken}` };

        const answer = await server().request(path, { ...init, headers });

        expect(answer.headers.get('retry-after')).toBe('1');
        expect(await codeOf(answer)).toEqual([503, '57014']);
      });

      test('leaves nothing running on the server, and its connection is reused', async () => {
        const slow = Array.from({ length: 20 }, () => server().request('/rest/v1/rpc/contract_endless'));
        await Promise.all(slow);

        const running = await server().database.query(
          OWNER,
          `select query from pg_stat_activity
            where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
              and query like '%contract_endless%'`,
        );
        const { status } = await server().visitor().from('billing_prices').select();

        expect(running).toEqual([]);
        expect(status).toBe(200);
      });

      test('gets the time that its procedure declares, and no more', async () => {
        const within = await server().visitor().rpc('contract_patient', { p_s: 0.4 });
        const beyond = await server().visitor().rpc('contract_patient', { p_s: 30 });

        expect([within.data, within.error]).toEqual([1, null]);
        expect([beyond.status, beyond.error?.code]).toEqual([503, '57014']);
      });

      test('is not limited for the service', async () => {
        const { data, error } = await server().service().from('contract_news').select('id').or(PATTERNS);

        expect([error, data]).toEqual([null, []]);
      });
    });

  if (kind === 'pglite')
    describe('an endless call of the embedded database', () => {
      const server = openedForTests(open(10, { statementLimitMs: 500 }));

      test('is ended with its thread; waiting requests get 503, and the next one is answered', async () => {
        const endless = server().request('/rest/v1/rpc/contract_endless');
        const waiting = Array.from({ length: 5 }, () => server().request('/rest/v1/billing_prices'));

        const first = await endless;
        const behind = await Promise.all(waiting);
        const after = await server().visitor().from('billing_prices').select('plan').order('plan');

        expect(first.headers.get('retry-after')).toBe('1');
        expect(await codeOf(first)).toEqual([503, 'PGRST001']);
        expect(await Promise.all(behind.map(codeOf))).toEqual(behind.map(() => [503, 'PGRST001']));
        expect(after.data).toEqual([{ plan: 'bobcat' }, { plan: 'lion' }]);
      });
    });
});

// On one kind by day: the limits are in the statement's text and in our own reading of its rows.
describeBothAtNight('a response', (kind) => {
  const wide = `${newsSql(1500)}
    create table public.contract_wide (id integer primary key, body text not null);
    insert into public.contract_wide select i, repeat('x', 20000) from generate_series(1, 900) i;
    alter table public.contract_wide enable row level security;
    grant select, update on public.contract_wide to authenticated;
    create policy "everyone" on public.contract_wide to authenticated using (true);`;
  const server = openedForTests(() => backendTestServer(kind, { setUpSql: wide, database: { isOwn: true } }));

  test('is refused when too large, with a hint to request less, and its write is rolled back', async () => {
    const { client } = await server().user();

    const read = await client.from('contract_wide').select();
    const written = await client
      .from('contract_wide')
      .update({ body: 'y'.repeat(20_000) })
      .gt('id', 0)
      .select();
    const part = await client.from('contract_wide').select().lte('id', 500).like('body', 'x%');

    for (const { status, error } of [read, written])
      expect([status, error?.code, error?.hint]).toEqual([400, 'PGRST100', 'Request fewer rows or fewer columns']);
    expect(part.data).toHaveLength(500);
  });

  test('returns at most 1,000 rows of a bulk write, and counts all of them', async () => {
    const { data, count, error } = await server()
      .service()
      .from('contract_news')
      .update({ body: 'short' }, { count: 'exact' })
      .lte('id', 1500)
      .select('id');

    expect([error, data?.length, count]).toEqual([null, 1000, 1500]);
  });
});
