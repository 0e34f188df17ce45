/** A page of the changelog is read by its indexes, for visitors and users, however many posts and likes exist. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, type DatabaseCaller, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

const FANS = 3;
const FILL = `
  alter table public.changelog_posts disable trigger user;
  insert into public.changelog_posts (content, created_at, updated_at, published_at)
  select 'Post', t, t, t from (select now() - make_interval(mins => n) as t from generate_series(1, 100) n) times;
  alter table public.changelog_posts enable trigger user;
  insert into auth.users (id, email) select gen_random_uuid(), 'fan' || n || '@example.com' from generate_series(1, ${FANS}) n;
  insert into public.changelog_post_likes select p.id, u.id from public.changelog_posts p, auth.users u;
  analyze public.changelog_posts, public.changelog_post_likes`;

const VISITOR: DatabaseCaller = { role: 'anon', claims: null };
const USER: DatabaseCaller = { role: 'authenticated', claims: { sub: randomUUID(), role: 'authenticated' } };

// Runs on both kinds, because query plans depend on the database.
describeEachDatabase('the changelog', (kind) => {
  let database: Database;
  let page: string;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    await database.transaction(OWNER, (tx) => tx.query(FILL), { statementLimitMs: 0 });
    const [row] = await database.query<{ ids: string }>(
      OWNER,
      `select array_agg(id)::text as ids
         from (select id from public.changelog_posts order by published_at desc limit 20) newest`,
    );
    page = `any ('${row?.ids}'::uuid[])`;
  });
  afterAll(() => database?.close());

  async function planOf(caller: DatabaseCaller, text: string): Promise<string> {
    // PostgreSQL reads small tables whole, unless sequential scans are disabled where there is another way.
    const rows = await database.transaction(caller, async (tx) => {
      await tx.query('set local enable_seqscan = off');
      return tx.query(`explain (costs off) ${text}`);
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  test.each([
    ['visitors', VISITOR],
    ['users', USER],
  ])('reads a page of posts for %s in index order', async (_who, caller) => {
    const order = 'order by published_at desc nulls last, created_at desc';
    for (const text of [
      `select id, content from public.changelog_posts ${order} limit 20`,
      `select id, published_at from public.changelog_posts where published_at is not null ${order} limit 1`,
    ]) {
      const plan = await planOf(caller, text);
      expect(plan).toContain('changelog_posts_published_idx');
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    }
  });

  test.each([
    ['visitors', VISITOR],
    ['users', USER],
  ])("finds a page's likes for %s by an index, all and their own", async (_who, caller) => {
    for (const text of [
      `select post_id, user_id from public.changelog_post_likes where post_id = ${page}`,
      `select post_id from public.changelog_post_likes where post_id = ${page} and user_id = '${randomUUID()}'`,
    ])
      expect(await planOf(caller, text)).not.toContain('Seq Scan');
  });

  test('counts the likes of each post once', async () => {
    const rows = await database.query<{ likes: number }>(
      VISITOR,
      `select likes from public.changelog_like_counts((select array_agg(id) from public.changelog_posts where id = ${page}))`,
    );

    expect(rows.map(({ likes }) => likes)).toEqual(Array.from({ length: 20 }, () => FANS));
  });
});
