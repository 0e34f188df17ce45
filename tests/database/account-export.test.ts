/** The export leaves out no table with a user's data, including tables added later. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXPORT_SECTIONS, exportRows, TABLES_WITHOUT_SECTION } from '../../server/account/export/export-store.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

/** Tables that refer to accounts, directly or through others, and those with a column that names a person. */
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

// Runs on both kinds, because the tables come from the catalogues and the indexes from query plans.
describeEachDatabase('the export of an account', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  test("has a section or an explanation for every table with a user's data", async () => {
    const rows = await database.query<{ name: string }>(OWNER, PERSONAL_TABLES);
    const known = new Set([...EXPORT_SECTIONS.map(({ table }) => table), ...Object.keys(TABLES_WITHOUT_SECTION)]);
    const names = rows.map(({ name }) => (name.includes('.') ? name : `public.${name}`));

    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test("finds the user's rows of every table through an index", async () => {
    const read: string[] = [];
    for (const section of EXPORT_SECTIONS) {
      // PostgreSQL reads small tables whole, unless sequential scans are disabled where there is another way.
      const plan = await database.transaction(OWNER, async (tx) => {
        await tx.query('set local enable_seqscan = off');
        const lines: string[] = [];
        const query = async (text: string, params?: readonly unknown[]) => {
          const rows = await tx.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, params);
          lines.push(...rows.map((row) => row['QUERY PLAN']));
          return [];
        };
        await exportRows({ query }, section, randomUUID()).next();
        return lines.join('\n');
      });
      expect(plan).toContain('Scan');
      if (new RegExp(`Seq Scan on ${section.table.split('.')[1]} `).test(plan)) read.push(section.table);
    }

    expect(read).toEqual([]);
  });
});
