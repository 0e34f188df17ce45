/** The community's vote through the client library: one per user and 24 hours, counted for all. */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { runningTime } from '../support/run/running-time.ts';
import { sampleSize } from '../support/run/test-size.ts';
import { backendTestServer } from './support/backend.ts';

const DAY_MS = 86_400_000;
const MANY = sampleSize(20_000, 100_000);

describeBothAtNight('votes', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));

  const vote = (direction: unknown = 'up', window: unknown = '24 hours', currency: unknown = 'btc') => ({
    p_currency: currency,
    p_direction: direction,
    p_window: window,
  });
  const forget = () => server().database.query(OWNER, 'truncate private.votes, private.last_votes');
  async function stats() {
    const { data } = await server()
      .visitor()
      .rpc('get_vote_stats', { p_currency: 'btc', p_window: '24 hours' })
      .single<Record<string, number>>();
    return data;
  }

  test('counts a vote for all visitors, and shows it only to its user', async () => {
    await forget();
    const { client } = await server().user();
    const before = server().clock.nowMs();

    const { data, error } = await client.rpc('submit_vote', vote('down'));
    const own = await client.rpc('get_own_vote', { p_currency: 'btc' });

    expect(error).toBeNull();
    expect(data).toEqual([{ direction: 'down', voted_at: expect.any(String), next_at: expect.any(String) }]);
    expect(own.data).toEqual(data);
    expect(Date.parse(data[0].next_at) - Date.parse(data[0].voted_at)).toBe(DAY_MS);
    expect(Math.abs(Date.parse(data[0].voted_at) - before)).toBeLessThan(60_000);
    expect(await stats()).toEqual({ up_pct: 0, down_pct: 100, up_count: 0, down_count: 1, total: 1 });

    const { client: other } = await server().user();
    expect((await other.rpc('get_own_vote', { p_currency: 'btc' })).data).toEqual([]);
    const second = await other.rpc('submit_vote', vote('up'));
    expect([second.error, second.data?.[0].direction]).toEqual([null, 'up']);
    expect((await client.rpc('get_own_vote', { p_currency: 'btc' })).data).toEqual(data);
    expect(await stats()).toEqual({ up_pct: 50, down_pct: 50, up_count: 1, down_count: 1, total: 2 });
  });

  test('refuses a second vote within 24 hours as TOO_SOON until the reported time', async () => {
    const { client, email, password } = await server().user();
    await client.rpc('submit_vote', vote('up'));

    const { status, error } = await client.rpc('submit_vote', vote('down'));

    expect([status, error?.message]).toEqual([429, 'TOO_SOON']);
    expect(error?.details).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const waitMs = Date.parse(error?.details ?? '') - server().clock.nowMs();
    expect(waitMs).toBeGreaterThan(DAY_MS - 60_000);
    server().advance(waitMs - 60_000);
    await client.auth.signInWithPassword({ email, password });
    expect((await client.rpc('submit_vote', vote('down'))).error?.message).toBe('TOO_SOON');
    server().advance(60_000);
    const again = await client.rpc('submit_vote', vote('down'));
    expect([again.error, again.data?.[0].direction]).toEqual([null, 'down']);
  });

  test("accepts one of a user's hundred simultaneous votes", async () => {
    await forget();
    const { client } = await server().user();

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => client.rpc('submit_vote', vote(i % 2 === 0 ? 'up' : 'down'))),
    );

    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(answers.filter(({ error }) => error?.message === 'TOO_SOON')).toHaveLength(99);
    expect((await stats())?.total).toBe(1);
  });

  test('counts many votes through the index within 5 s', async () => {
    await forget();
    const reads = await server().database.transaction(
      OWNER,
      async (tx) => {
        await tx.query(
          `insert into private.votes (currency, direction, created_at)
           select 'btc', case when n % 3 = 0 then 'down' else 'up' end, private.clock_now() - make_interval(secs => n * 300)
             from generate_series(1, ${MANY}) n`,
        );
        await tx.query('analyze private.votes');
        const scans = () =>
          tx.query<{ seq: number; idx: number }>(
            `select seq_scan::int as seq, idx_scan::int as idx from pg_stat_xact_user_tables where relid = 'private.votes'::regclass`,
          );
        const [before] = await scans();
        await tx.query(`select * from public.get_vote_stats('btc')`);
        await tx.query(`select * from public.get_vote_timeseries('btc', private.clock_now() - interval '4 days')`);
        const [after] = await scans();
        return { seq: (after?.seq ?? 0) - (before?.seq ?? 0), idx: (after?.idx ?? 0) - (before?.idx ?? 0) };
      },
      { statementLimitMs: 0 },
    );
    const took = runningTime();
    const counted = await stats();

    expect(reads).toEqual({ seq: 0, idx: 2 });
    expect(counted?.total).toBeGreaterThan(280);
    expect(took.ms()).toBeLessThan(5000);
  });
});
