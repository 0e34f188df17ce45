/** The activity log of an account, as its owner reads it: her own rows, one kind, one page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

// Runs on both kinds, because row-level security and triggers are SQL.
describeEachDatabase('the activity of an account', (kind) => {
  let database: Database;
  let ann: string;
  let bob: string;
  const query = (text: string, params?: readonly unknown[]) => database.query(OWNER, text, params);
  const read = async (userId: string, rest: string) =>
    (
      await database.query<{ line: string }>(
        { role: 'authenticated', claims: { sub: userId, role: 'authenticated', aal: 'aal1' } },
        `select kind || ' ' || action as line from public.account_activity ${rest}`,
      )
    ).map(({ line }) => line);
  const NEWEST = 'order by at desc, id desc';

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    ann = (await createDatabaseUser(database, 'ann@example.com')).id;
    bob = (await createDatabaseUser(database, 'bob@example.com')).id;
    const past = (text: string, ...params: unknown[]) => query(text, params);
    await past(
      `insert into public.account_events (user_id, kind, action, at)
       select u, k, a, now() - make_interval(hours => h) from unnest(array[$1::text::uuid, $2::text::uuid]) u,
         (values ('sign-in', 'signed-in', 2), ('plan', 'plan-started', 3), ('sign-in', 'signed-in', 91 * 24)) e (k, a, h)`,
      ann,
      bob,
    );
    await past(
      `insert into public.user_predictions (user_id, cryptocurrency, model, created_at, data)
       select $1::text::uuid, 'BTC', 'kat1', now() - interval '1 hour', jsonb_agg(n) from generate_series(1, 200) n`,
      ann,
    );
  });
  afterAll(() => database?.close());

  test('records sessions as they start and end, and nothing while the account is deleted', async () => {
    await query(`insert into auth.sessions (user_id, user_agent, ip) values ($1::text::uuid, 'Firefox', '192.0.2.1')`, [
      bob,
    ]);
    await query('delete from auth.sessions where user_id = $1::text::uuid', [bob]);
    expect(await read(bob, `${NEWEST} limit 2`)).toEqual(['security signed-out', 'sign-in signed-in']);

    await query('insert into auth.sessions (user_id) values ($1::text::uuid)', [bob]);
    await query('delete from auth.users where id = $1::text::uuid', [bob]);
    expect(await query('select 1 from public.account_events where user_id = $1::text::uuid', [bob])).toEqual([]);
  });
});
