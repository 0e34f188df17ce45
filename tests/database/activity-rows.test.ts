/** The migration to one activity row per account, on a database that holds several. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const MIGRATION = resolve(import.meta.dirname, '../../supabase/migrations/20261129030100_one_activity_row.sql');

// Runs on both kinds, because indexes and window functions are SQL. Uses its own database, because it changes the
// schema.
describeEachDatabase('activity rows', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind, { isOwn: true }));

  test("are reduced to an account's first one, and a second is then refused", async () => {
    const run = (sql: string) => database().transaction(OWNER, (tx) => tx.query(sql));
    await run(`
      drop index public.user_activity_once_idx;
      create index user_activity_user_id_idx on public.user_activity (user_id, created_at desc);
      insert into auth.users (id, email) values (md5('ada')::uuid, 'ada@example.com'), (md5('ben')::uuid, 'ben@example.com');
      insert into public.user_activity (user_id, activity_type, activity_data)
        select md5(name)::uuid, 'account_created', jsonb_build_object('n', n)
          from unnest(array['ada', 'ben']) as u (name), generate_series(1, 50) n order by n`);

    await run(readFileSync(MIGRATION, 'utf8'));

    expect(await database().query(OWNER, "select activity_data ->> 'n' as n from public.user_activity")).toEqual([
      { n: '1' },
      { n: '1' },
    ]);
    const again =
      "insert into public.user_activity (user_id, activity_type) values (md5('ada')::uuid, 'account_created')";
    await expect(database().query(OWNER, again)).rejects.toMatchObject({ code: '23505' });
  });
});
