/**
 * `npm run admin:grant` on a database that a server holds, on one that no server holds, and its messages for
 * mistakes.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOperatorPipe, PIPE_NAME } from '../../server/operations/operator-pipe.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { holderOf } from '../../server/platform/database/pglite/data-lock.ts';
import { openPgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { openPostgresDatabase } from '../../server/platform/database/postgres/postgres-database.ts';
import {
  createTestPostgres,
  POSTGRES_SKIPPED,
  pgliteTemplate,
  testDatabaseKinds,
  testLimits,
  testLog,
} from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { runScript } from '../support/servers/run-script.ts';

const HAS_POSTGRES = testDatabaseKinds().includes('postgres');
const WITHOUT = HAS_POSTGRES ? '' : ` (${POSTGRES_SKIPPED})`;

const grant = (env: Record<string, string>, ...args: string[]) => runScript('admin-grant', args, env);

const roleOf = async (database: Database, id: string) =>
  (await database.query(OWNER, 'select role from public.profiles where id = $1::text::uuid', [id]))[0]?.role;
const auditOf = (database: Database, id: string) =>
  database.query(
    OWNER,
    `select action, actor_id, details from private.audit_log where subject = $1::text order by id`,
    [id],
  );

test('works on the embedded database with and without a server, and otherwise names its holder', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-grant-'));
  const env = { DATA_DIR: dataDir };
  const open = async () => openPgliteDatabase({ ...testLimits(), dataDir, dumpFile: await pgliteTemplate() });
  let database = await open();
  try {
    const { id } = await createDatabaseUser(database, 'chief@example.com');
    const socketDir = holderOf(dataDir)?.socketDir ?? '';
    expect(statSync(socketDir).mode & 0o777).toBe(0o700);

    expect(await grant(env, 'chief@example.com')).toEqual({
      code: 1,
      text: `The data folder ${dataDir} is in use by process ${process.pid}. Stop that process first, or set DATA_DIR to another folder.`,
    });

    const pipe = await openOperatorPipe({ socketDir, database, log: testLog });
    expect(await grant(env, 'Chief@Example.com')).toEqual({
      code: 0,
      text: 'chief@example.com is an admin now.\nIts address is not confirmed, so someone else may have created this account.',
    });
    expect(await roleOf(database, id)).toBe('admin');
    expect(await grant(env, 'nobody@example.com')).toEqual({
      code: 1,
      text: 'There is no account nobody@example.com. Create it on the site first, then run this again.',
    });
    await pipe.close();
    expect(existsSync(join(socketDir, PIPE_NAME))).toBe(false);
    await database.query(OWNER, 'update auth.users set email_confirmed_at = now()');
    await database.close();

    expect(await grant(env, 'chief@example.com')).toEqual({
      code: 0,
      text: 'chief@example.com is already an admin; nothing was changed.',
    });
    expect(await grant(env, id, '--revoke')).toEqual({ code: 0, text: 'chief@example.com is no longer an admin.' });

    database = await open();
    expect(await roleOf(database, id)).toBe('user');
    expect(await auditOf(database, id)).toEqual([
      { action: 'role.grant', actor_id: null, details: { before: 'user', after: 'admin', by: 'command' } },
      { action: 'role.revoke', actor_id: null, details: { before: 'admin', after: 'user', by: 'command' } },
    ]);
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test.skipIf(!HAS_POSTGRES)(
  `works through DATABASE_URL, and requires an id when several accounts share one address${WITHOUT}`,
  async () => {
    const { url, drop } = await createTestPostgres();
    const database = await openPostgresDatabase({ ...testLimits(), url, poolSize: 1 });
    try {
      const first = await createDatabaseUser(database, 'chief@example.com');
      expect(await grant({ DATABASE_URL: url }, 'chief@example.com')).toMatchObject({ code: 0 });
      expect(await roleOf(database, first.id)).toBe('admin');

      await database.query(OWNER, "insert into auth.users (email, is_sso_user) values ('chief@example.com', true)");
      const several = await grant({ DATABASE_URL: url }, 'chief@example.com', '--revoke');
      expect(several.code).toBe(1);
      expect(several.text).toContain(
        'Several accounts have the address chief@example.com. Use the id of one of them instead:',
      );
      expect(several.text).toContain(first.id);
      expect(await roleOf(database, first.id)).toBe('admin');
    } finally {
      await database.close();
      await drop();
    }
  },
);

test.skipIf(!HAS_POSTGRES)(`refuses a database that no server has prepared${WITHOUT}`, async () => {
  const { url, drop } = await createTestPostgres(false);
  const answer = await grant({ DATABASE_URL: url }, 'chief@example.com');
  await drop();

  expect(answer).toEqual({
    code: 1,
    text: 'This database is from another version. Start the server once to update it.',
  });
});

test.each([
  [[], 'Name the account’s email address.'],
  [['a@example.com', 'b@example.com'], 'Name only one account.'],
  [['a@example.com', '--force'], "Unknown option '--force'"],
])('refuses %j and prints its usage', async (args, message) => {
  const { code, text } = await grant({ DATA_DIR: join(tmpdir(), 'kat-grant-none') }, ...args);

  expect(code).toBe(2);
  expect(text).toContain(message);
  expect(text).toContain('usage: npm run admin:grant -- EMAIL [--revoke]');
});

test('creates no database where none exists', async () => {
  const dataDir = join(tmpdir(), 'kat-grant-none');
  const { code, text } = await grant({ DATA_DIR: dataDir }, 'a@example.com');

  expect([code, text]).toEqual([
    1,
    `There is no database in ${dataDir} yet. Start the server once, and create the account on the site.`,
  ]);
  expect(existsSync(dataDir)).toBe(false);
});
