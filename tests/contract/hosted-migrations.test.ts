/**
 * Our migrations, run by a login that is no superuser on a database with a hosted project's roles, accounts and
 * files.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openTestDatabase, POSTGRES_SKIPPED, testDatabaseKinds, testLog } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startHostedProject } from '../support/worlds/hosted-project.ts';

const FILES = readdirSync(new URL('../../supabase/migrations/', import.meta.url)).sort();
const USER_ID = '00000000-0000-4000-8000-0000000000aa';
const isHere = testDatabaseKinds().includes('postgres');

describe.skipIf(!isHere)(`migrations of a hosted project${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const project = openedForTests(() => startHostedProject({ isFresh: true }));
  const again = (database: Database) => migrate(database, { log: testLog, isHosted: true });

  /** A separate project, for a test that changes which migrations are recorded. */
  async function ownCopy(): Promise<Database> {
    const copy = await startHostedProject();
    onTestFinished(() => copy.close());
    return copy.database;
  }

  test('applies the migrations with a login that is no superuser, except those only our backend needs', async () => {
    const [login] = await project().database.query(OWNER, 'select rolsuper from pg_roles where rolname = current_user');
    const applied = await project().database.query(OWNER, 'select name from private.schema_migrations order by name');

    expect(login).toEqual({ rolsuper: false });
    expect(applied).toEqual(FILES.map((file) => ({ name: `migrations/${file}` })));
    expect(await again(project().database)).toEqual([]);
  });

  test('grants visitors and users the same rights as on our own backend', async () => {
    const own = await openTestDatabase('postgres');

    const rights = await rightsIn(project().database);

    expect(rights.length).toBeGreaterThan(20);
    expect(rights).toEqual(await rightsIn(own));
    await own.close();
  });

  test("works for the project's own services, which have no right to our tables", async () => {
    await project().admin.transaction(OWNER, (tx) =>
      tx.query(`
        create role kat_auth_service nologin bypassrls;
        grant usage on schema auth to kat_auth_service;
        grant select, insert, update on auth.users, auth.mfa_factors to kat_auth_service;
      `),
    );

    await project().admin.transaction(OWNER, (tx) =>
      tx.query(`
        set local role kat_auth_service;
        insert into auth.users (id, email) values ('${USER_ID}', 'before@example.com');
        update auth.users set email = 'after@example.com' where id = '${USER_ID}';
        insert into auth.mfa_factors (user_id, factor_type, status, secret) values ('${USER_ID}', 'totp', 'verified', 'x');
      `),
    );

    const profiles = await project().admin.query(
      OWNER,
      'select email, two_factor_enabled from public.profiles where id = $1',
      [USER_ID],
    );
    expect(profiles).toEqual([{ email: 'after@example.com', two_factor_enabled: true }]);
    await project().admin.query(OWNER, 'drop owned by kat_auth_service');
    await project().admin.query(OWNER, 'drop role kat_auth_service');
  });

  test("records the migrations in the project's own tool as well", async () => {
    const recorded = await project().database.query(
      OWNER,
      "select version || '_' || name || '.sql' as file from supabase_migrations.schema_migrations order by version",
    );

    expect(recorded.map((row) => row.file)).toEqual(FILES);
  });

  test("skips migrations that the project's own tool applied", async () => {
    const database = await ownCopy();
    await database.query(OWNER, 'delete from private.schema_migrations');

    expect(await again(database)).toEqual([]);
    const [known] = await database.query(OWNER, 'select count(*) as n from private.schema_migrations');
    expect(known).toEqual({ n: FILES.length });
  });
});

/** Every right of the three roles to tables, columns and functions outside the project's own schemas. */
async function rightsIn(database: Database): Promise<unknown[]> {
  const tables = await database.query(
    OWNER,
    `select n.nspname || '.' || c.relname as name, r.role, p.privilege,
            has_table_privilege(r.role, c.oid, p.privilege) as whole,
            case when p.privilege in ('select', 'insert', 'update') then
              (select string_agg(a.attname, ',' order by a.attname) from pg_attribute a
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                  and has_column_privilege(r.role, c.oid, a.attnum, p.privilege)) end as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      cross join (values ('anon'), ('authenticated')) as r (role)
      cross join (values ('select'), ('insert'), ('update'), ('delete'), ('truncate'), ('trigger')) as p (privilege)
      where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v') and c.relname <> 'schema_migrations'
      order by 1, 2, 3`,
  );
  const functions = await database.query(
    OWNER,
    `select p.oid::regprocedure::text as name, r.role, p.prosecdef as definer
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      cross join (values ('anon'), ('authenticated'), ('service_role')) as r (role)
      where n.nspname in ('public', 'private') and has_function_privilege(r.role, p.oid, 'execute')
      order by 1, 2`,
  );
  return [...tables.filter((row) => row.whole === true || row.columns !== null), ...functions];
}
