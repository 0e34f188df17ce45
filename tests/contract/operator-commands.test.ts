/**
 * Backup, restore, export and erasure as an operator runs them, with and without a server that holds the embedded
 * database.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountCommands } from '../../server/account/operator-commands.ts';
import { openSigningKeys } from '../../server/backend/auth/keys/keys.ts';
import { INVITE_PATH, invitationSchema, invite } from '../../server/backend/auth/mail/invite.ts';
import { rateLimits } from '../../server/backend/limits.ts';
import { diskFiles } from '../../server/backend/storage/files/disk-files.ts';
import { BACKUP_PATH, backupCommand } from '../../server/backup/backup-command.ts';
import { openOperatorPipe } from '../../server/operations/operator-pipe.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { holderOf } from '../../server/platform/database/pglite/data-lock.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { pgliteTemplate, testLimits, testLog } from '../support/database/database.ts';
import { runScript } from '../support/servers/run-script.ts';
import { type FilledUser, fillUser } from '../support/worlds/filled-user.ts';

const folder = mkdtempSync(join(tmpdir(), 'kat-operator-'));
const dataDir = join(folder, 'data');
const files = diskFiles(join(dataDir, 'storage'));
let database: PgliteDatabase;
let ann: FilledUser;

const command = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
  runScript(name, args, { DATA_DIR: dataDir, ...env });

beforeAll(async () => {
  database = await openPgliteDatabase({ ...testLimits(), dataDir, dumpFile: await pgliteTemplate() });
  ann = await fillUser(database, 'ann');
  await files.put(ann.fileVersion, Buffer.from('photo'), 'image/png');
  await openSigningKeys(dataDir);
});
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('refuses a held database when its process has no operator socket', async () => {
  const refused = { code: 1, text: expect.stringContaining(`is in use by process ${process.pid}`) };
  const answers = await Promise.all([
    command('backup', [join(folder, 'one.tar.gz')]),
    command('backup-to-postgres', ['--to', 'postgres://nobody@127.0.0.1:1/none']),
  ]);
  expect(answers).toEqual([refused, refused]);
});

test('backs up, exports and erases an account with its files through a running server', async () => {
  const socketDir = holderOf(dataDir)?.socketDir ?? '';
  const removeFile = (version: string) => files.remove(version);
  const commands = {
    [BACKUP_PATH]: backupCommand({ database, dataDir, hasBucket: false, version: 'test' }),
    ...accountCommands({ database, provider: null, removeFile }),
  };
  const pipe = await openOperatorPipe({ socketDir, database, log: testLog, commands });
  try {
    const [backup, exported, counted] = await Promise.all([
      command('backup', [join(folder, 'one.tar.gz')]),
      command('user-export', ['ANN@example.com', join(folder, 'ann.json')]),
      command('user-erase', ['ann@example.com']),
    ]);
    expect(backup).toEqual({
      code: 0,
      text: expect.stringMatching(/one\.tar\.gz: \d+ rows of \d+ tables and 2 files/),
    });
    expect(statSync(join(folder, 'one.tar.gz')).mode & 0o777).toBe(0o600);
    expect(exported).toEqual({ code: 0, text: `${join(folder, 'ann.json')}: everything about ann@example.com.` });
    expect(JSON.parse(readFileSync(join(folder, 'ann.json'), 'utf8'))).toMatchObject({
      ok: true,
      account: { id: ann.id },
    });
    expect(statSync(join(folder, 'ann.json')).mode & 0o777).toBe(0o600);
    expect(counted).toEqual({
      code: 1,
      text: expect.stringMatching(/1 {2}auth\.users\n[\s\S]*Nothing was changed. Without a terminal, pass --yes/),
    });
    expect(await database.query(OWNER, 'select 1 from auth.users')).toHaveLength(1);

    const erased = await command('user-erase', ['ann@example.com', '--yes']);
    expect(erased).toEqual({
      code: 0,
      text: expect.stringMatching(/Erased: \d+ rows and 1 files\.\nThe payment provider still has cus_ann/),
    });
    expect(await database.query(OWNER, 'select 1 from auth.users')).toEqual([]);
    expect(await files.open(ann.fileVersion)).toBeNull();
  } finally {
    await pipe.close();
  }
});

test('invites an address once a minute, and no confirmed account, through a running server', async () => {
  const limits = rateLimits();
  const commands = {
    [INVITE_PATH]: (body: unknown) =>
      invite({ database, dataDir, limits }, invitationSchema.parse(body), new Date().toISOString()),
  };
  const pipe = await openOperatorPipe({
    socketDir: holderOf(dataDir)?.socketDir ?? '',
    database,
    log: testLog,
    commands,
  });
  const env = { PUBLIC_URL: 'https://kat.example' };
  try {
    const first = await command('user-invite', ['New@Example.com'], env);
    const second = await command('user-invite', ['new@example.com'], env);
    const wrong = await command('user-invite', ['nonsense'], env);
    const mails = await database.query(OWNER, 'select kind, to_address, text_body from private.outgoing_mail');
    await database.query(OWNER, 'update auth.users set email_confirmed_at = now()');
    const member = await command('user-invite', ['new@example.com'], env);

    expect(first).toEqual({ code: 0, text: expect.stringContaining('New@Example.com is invited.') });
    expect(second).toEqual({ code: 1, text: expect.stringContaining('too many emails') });
    expect(wrong).toEqual({ code: 1, text: 'This is not an email address.' });
    expect(member).toEqual({ code: 1, text: expect.stringContaining('already has a confirmed account') });
    expect(mails).toMatchObject([
      {
        kind: 'invite',
        to_address: 'new@example.com',
        text_body: expect.stringMatching(/https:\/\/kat\.example\/auth\/reset-password#invite=[\w-]{43}\s/),
      },
    ]);
  } finally {
    await pipe.close();
  }
});

test('restores a backup table by table, and refuses a missing database, full folder or missing argument', async () => {
  const env = { DATA_DIR: join(folder, 'restored') };
  const [restored, unknown, again, without] = await Promise.all([
    command('restore', [join(folder, 'one.tar.gz')], env),
    command('user-erase', ['nobody@example.com'], { DATA_DIR: join(folder, 'nowhere') }),
    command('restore', [join(folder, 'one.tar.gz')]),
    command('user-export', ['ann@example.com']),
  ]);

  expect(restored).toEqual({
    code: 0,
    text: expect.stringMatching(/^same {2}[\s\S]*auth\.users +1 rows[\s\S]* with 2 files\./),
  });
  const photo = await diskFiles(join(folder, 'restored', 'storage')).open(ann.fileVersion);
  expect(await new Response(photo?.bytes ?? null).text()).toBe('photo');
  expect(unknown).toEqual({ code: 1, text: `There is no database in ${join(folder, 'nowhere')}.` });
  expect(again).toEqual({ code: 1, text: `The data folder ${dataDir} is not empty. Nothing was overwritten.` });
  expect(without).toEqual({ code: 2, text: expect.stringContaining('usage: npm run user -- export') });
});
