/** What must hold for every table and function, including later ones. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

// Runs on both kinds, because the rules are read from the catalogues.
describeEachDatabase('the schema', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  test('has row-level security on every table', async () => {
    const tables = await database.query<{ name: string; secured: boolean }>(
      OWNER,
      `select c.oid::regclass::text as name, c.relrowsecurity as secured
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'private', 'auth') and c.relkind in ('r', 'p')
          and c.relname <> 'schema_migrations'`,
    );

    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter((table) => !table.secured)).toEqual([]);
  });

  test('has exactly the tables and views that docs/data-model.md names, with their retention', async () => {
    const relations = await database.query<{ name: string; isTable: boolean }>(
      OWNER,
      `select replace(c.oid::regclass::text, 'public.', '') as name, c.relkind <> 'v' as "isTable"
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v') and not c.relispartition
          and c.relname <> 'schema_migrations'`,
    );
    const [what = '', howLong = ''] = dataModel().split('## How long rows are stored');
    const bare = (name: string) => name.replace('private.', '');
    const names = relations.map(({ name }) => name);
    const listed = relations.filter(({ isTable }) => isTable).map(({ name }) => bare(name));

    expect(names.filter((name) => !what.includes(`\`${name}\``))).toEqual([]);
    expect(listed.filter((name) => !howLong.includes(`\`${name}\``))).toEqual([]);
    const documented = [...namesIn(what), ...namesIn(howLong)].filter((name) => !name.startsWith('auth.'));
    expect(documented.filter((name) => !names.includes(name) && !names.includes(`private.${name}`))).toEqual([]);
  });

  test("requires the second factor for every table with a user's own rows", async () => {
    const tables = await database.query<{ name: string; isGuarded: boolean }>(
      OWNER,
      `select p.polrelid::regclass::text as name, exists (
              select from pg_policy g where g.polrelid = p.polrelid and not g.polpermissive and g.polcmd = '*'
                 and pg_get_expr(g.polqual, g.polrelid) like '%( SELECT private.has_shown_factors()%'
                 and pg_get_expr(g.polwithcheck, g.polrelid) like '%( SELECT private.has_shown_factors()%') as "isGuarded"
         from pg_policy p
        where p.polpermissive and pg_get_expr(p.polqual, p.polrelid) like '%auth.uid()%'
        group by p.polrelid order by 1`,
    );

    expect(tables.length).toBeGreaterThan(6);
    expect(tables.filter((table) => !table.isGuarded)).toEqual([]);
  });

  test("has only views that read with their caller's rights", async () => {
    const open = await database.query(
      OWNER,
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('v', 'm')
          and not coalesce('security_invoker=true' = any (c.reloptions), false)`,
    );

    expect(open).toEqual([]);
  });

  // Read through functions that PostgreSQL inlines into the caller's query, under the caller's rights. Both call
  // private.require_admin() before any row is read, as supabase/tests/database/22_admin_reports.test.sql verifies.
  const SELF_GUARDED = ['private.admin_quotas', 'private.admin_users'];

  test('grants visitors and users no right to a table outside public', async () => {
    const granted = await database.query(
      OWNER,
      `select c.oid::regclass::text as name, r.rolname as role
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         cross join (select rolname from pg_roles where rolname in ('anon', 'authenticated')) r
        where n.nspname in ('private', 'auth') and c.relkind in ('r', 'p', 'v')
          and (has_table_privilege(r.rolname, c.oid, 'select, insert, update, delete, truncate')
               or has_any_column_privilege(r.rolname, c.oid, 'select, insert, update'))
        order by 1, 2`,
    );

    expect(granted).toEqual(SELF_GUARDED.map((name) => ({ name, role: 'authenticated' })));
  });

  test('lets a visitor read prices, headlines and the changelog and report errors, nothing else', async () => {
    const granted = await database.query(
      OWNER,
      `select c.relname as name, p.privilege
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         cross join (values ('select'), ('insert'), ('update')) as p (privilege)
        where n.nspname = 'public' and c.relkind in ('r', 'p', 'v')
          and has_any_column_privilege('anon', c.oid, p.privilege)
        order by 1, 2`,
    );

    expect(granted).toEqual([
      { name: 'billing_prices', privilege: 'select' },
      { name: 'changelog_post_likes', privilege: 'select' },
      { name: 'changelog_posts', privilege: 'select' },
      { name: 'error_logs', privilege: 'insert' },
      { name: 'news_articles', privilege: 'select' },
      { name: 'price_snapshots', privilege: 'select' },
    ]);
  });

  test('names objects in full in definer functions, and opens only three to visitors', async () => {
    const functions = await database.query<{ name: string; path: string[] | null; isOpen: boolean }>(
      OWNER,
      `select p.oid::regprocedure::text as name, p.proconfig as path,
              has_function_privilege('anon', p.oid, 'execute') as "isOpen"
         from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('public', 'private', 'auth', 'storage') and p.prosecdef order by 1`,
    );

    expect(functions.length).toBeGreaterThan(3);
    expect(functions.filter((one) => !one.path?.includes('search_path=""'))).toEqual([]);
    // Counts of rows that no visitor may read.
    expect(functions.filter((one) => one.isOpen).map((one) => one.name.replace('public.', ''))).toEqual([
      'changelog_like_counts(uuid[])',
      'get_vote_stats(text,interval)',
      'get_vote_timeseries(text,timestamp with time zone,interval)',
    ]);
  });

  test('lets a visitor create nothing', async () => {
    await expect(database.query({ role: 'anon', claims: null }, 'create table public.mine (id int)')).rejects.toThrow(
      /permission denied/,
    );
  });
});

function dataModel(): string {
  return readFileSync(new URL('../../docs/data-model.md', import.meta.url), 'utf8');
}

/** The first column of its tables. */
function namesIn(text: string): string[] {
  const cells = text.split('\n').flatMap((line) => /^\| (`[^|]*)\|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name));
}
