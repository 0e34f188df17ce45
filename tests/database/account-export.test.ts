/** The download leaves out no table that holds something of a user's, also of those that are added later. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXPORT_SECTIONS, TABLES_WITHOUT_SECTION } from '../../server/account/export-store.ts';
import { type Database, OWNER } from '../../server/platform/database.ts';
import { openTestDatabase } from '../support/database.ts';
import { describeEachDatabase } from '../support/each-database.ts';

/** Tables that refer to accounts, directly or through others, and those with a column that names somebody. */
const PERSONAL_TABLES = `
  with recursive personal as (
    select 'auth.users'::regclass::oid as id
    union
    select c.conrelid from pg_constraint c join personal p on c.confrelid = p.id where c.contype = 'f')
  select id::regclass::text as name from personal
  union
  select c.oid::regclass::text from pg_class c
    join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
   where n.nspname in ('public', 'private', 'auth', 'storage') and c.relkind in ('r', 'p') and not a.attisdropped
     and a.attname in ('user_id', 'owner_id', 'email', 'to_address', 'customer_id', 'subscription_id', 'ip', 'ip_address')
  order by 1`;

describeEachDatabase('the download of an account', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  test('has a list or a word for every table that holds something of a user’s', async () => {
    const rows = await database.query<{ name: string }>(OWNER, PERSONAL_TABLES);
    const known = new Set([...EXPORT_SECTIONS.map(({ table }) => table), ...Object.keys(TABLES_WITHOUT_SECTION)]);
    const names = rows.map(({ name }) => (name.includes('.') ? name : `public.${name}`));

    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});
