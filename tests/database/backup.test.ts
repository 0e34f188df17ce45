/** A backup restores everything on either kind of database, or reports why not and leaves nothing. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { makeScheduled } from '../../server/backup/backup-schedule.ts';
import { makeBackup } from '../../server/backup/make-backup.ts';
import { moveDatabase } from '../../server/backup/move-database.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { atOneMoment, sumOf, tablesOf } from '../../server/backup/table-store.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { openPostgresDatabase } from '../../server/platform/database/postgres/postgres-database.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import {
  createTestPostgres,
  openEmptyPglite,
  openTestPglite,
  POSTGRES_SKIPPED,
  testDatabaseKinds,
  testLimits,
  testLog,
} from '../support/database/database.ts';
import { type FilledUser, fillUser } from '../support/worlds/filled-user.ts';

const HAS_POSTGRES = testDatabaseKinds().includes('postgres');

const folder = mkdtempSync(join(tmpdir(), 'kat-backup-'));
const dataDir = join(folder, 'data');
const file = join(folder, 'kept', 'one.tar.gz');
let database: PgliteDatabase;
let user: FilledUser;

const sumsOf = (one: Database) =>
  atOneMoment(one, async (tx) => {
    const sums: Record<string, string> = {};
    for (const table of await tablesOf(tx)) sums[table.name] = (await sumOf(tx, table)).hash;
    return sums;
  });
const generated = makeRecords({ slots: 2 });
const records = (from: number, to: number) => ({
  bodies: generated.bodies.slice(from, to),
  texts: generated.texts.slice(from, to),
  hashes: generated.hashes.slice(from, to),
  candles: generated.candles,
});
const optionsOf = (name: string) => ({
  database,
  dataDir,
  file: join(folder, name),
  hasBucket: false,
  version: 'test',
  nowMs: 0,
});
const restoring = (from: string, name: string) => {
  const target = join(folder, name);
  const openDatabase = () => openEmptyPglite(target);
  return { file: from, dataDir: target, openDatabase, log: testLog };
};

const manifestOf = z.object({
  manifest: z.object({ tables: z.array(z.object({ name: z.string(), hash: z.string() })) }),
});
const tablesIn = (archive: string) =>
  manifestOf.parse(JSON.parse(execFileSync('tar', ['-xzOf', archive, 'manifest.json'], { encoding: 'utf8' }))).manifest
    .tables;

beforeAll(async () => {
  database = await openTestPglite();
  user = await fillUser(database, 'ann');
  await insertRecords(database, records(0, generated.bodies.length / 2));
  mkdirSync(join(dataDir, 'storage'), { recursive: true });
  writeFileSync(join(dataDir, 'keys.json'), '{"keys":[]}', { mode: 0o600 });
  writeFileSync(join(dataDir, 'storage', user.fileVersion), 'photo');
  writeFileSync(join(dataDir, 'payments.jsonl'), '{"whole":1}\n{"hal');
  writeFileSync(join(dataDir, 'payments-control.json'), 'of this moment');
  writeFileSync(join(dataDir, 'database.lock'), 'of this moment');
  await makeBackup({ ...optionsOf(''), file });
});
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a backup', () => {
  test('is one file for its owner only, with nothing left beside it', () => {
    expect(readdirSync(join(folder, 'kept'))).toEqual(['one.tar.gz']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('overwrites no file, and refuses a place inside the data folder', async () => {
    await expect(makeBackup({ ...optionsOf(''), file })).rejects.toThrow('already');
    await expect(makeBackup(optionsOf('data/inside.tar.gz'))).rejects.toThrow('outside the data folder');
  });

  test('keeps the newest two daily files, and leaves other files unchanged', async () => {
    const dir = join(folder, 'daily');
    const parts = { database, dataDir, hasBucket: false, version: 'test', dir, retained: 2 };
    mkdirSync(join(dir, '.kat-backup-killed'), { recursive: true });
    utimesSync(join(dir, '.kat-backup-killed'), 0, 0);
    writeFileSync(join(dir, 'mine.tar.gz'), '');
    for (const day of [20, 21, 22]) await makeScheduled(parts, Date.UTC(2026, 10, day, 3));

    expect(readdirSync(dir).sort()).toEqual([
      'kat-daily-20261121T030000Z.tar.gz',
      'kat-daily-20261122T030000Z.tar.gz',
      'mine.tar.gz',
    ]);
  });

  test('is refused while a stored file is missing', async () => {
    rmSync(join(dataDir, 'storage', user.fileVersion));
    const created = makeBackup(optionsOf('torn.tar.gz')).finally(() =>
      writeFileSync(join(dataDir, 'storage', user.fileVersion), 'photo'),
    );
    await expect(created).rejects.toThrow('would be incomplete');
    expect(existsSync(join(folder, 'torn.tar.gz'))).toBe(false);
  });

  test('restores every row, file and sequence, and the record still refuses changes', async () => {
    const before = await sumsOf(database);
    const { tables } = await restoreBackup(restoring(file, 'restored'));
    const restored = await openPgliteDatabase({ ...testLimits(), dataDir: join(folder, 'restored') });
    try {
      expect(await sumsOf(restored)).toEqual(before);
      expect(tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(45);
      expect(await migrate(restored, { log: testLog })).toEqual([]);
      const next = (one: Database) =>
        one.query(
          OWNER,
          "insert into private.votes (currency, direction, created_at) values ('btc', 'up', now()) returning id",
        );
      expect(await next(restored)).toEqual(await next(database));
      await expect(restored.query(OWNER, 'delete from private.track_records')).rejects.toThrow('never changed');
      const orphan = 'insert into private.quota_locks values (gen_random_uuid())';
      await expect(restored.query(OWNER, orphan)).rejects.toThrow('foreign key');
    } finally {
      await restored.close();
    }
    const files = readdirSync(join(folder, 'restored'), { recursive: true }).filter(
      (name) => !String(name).startsWith('database'),
    );
    expect(files.sort()).toEqual(['keys.json', 'payments.jsonl', 'storage', `storage/${user.fileVersion}`]);
    expect(readFileSync(join(folder, 'restored', 'payments.jsonl'), 'utf8')).toBe('{"whole":1}\n');
    expect(statSync(join(folder, 'restored', 'storage', user.fileVersion)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a row is another', 'sed -i s/example.com/example.org/ tables/*.ndjson', 'a different checksum'],
    ['a file is missing', 'rm data/keys.json', 'data/keys.json is missing'],
    ['a file is too many', 'echo x > data/more', 'is not part of it'],
    ['its manifest is another', `sed -i 's/"rows": 3/"rows": 2/' manifest.json`, 'its manifest does not match'],
  ])('is refused when %s', async (_what, change, reason) => {
    const opened = mkdtempSync(join(folder, 'opened-'));
    execFileSync('tar', ['-xzf', file, '-C', opened]);
    execFileSync('sh', ['-c', change], { cwd: opened });
    const changed = `${opened}.tar.gz`;
    execFileSync('tar', ['-czf', changed, '-C', opened, '.']);

    await expect(restoreBackup(restoring(changed, 'refused'))).rejects.toThrow(reason);
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });

  test('is refused when truncated, and when its target folder is not empty', async () => {
    const cut = join(folder, 'cut.tar.gz');
    writeFileSync(cut, readFileSync(file).subarray(0, statSync(file).size / 2));

    await expect(restoreBackup(restoring(cut, 'refused'))).rejects.toThrow('damaged');
    await expect(restoreBackup(restoring(file, 'data'))).rejects.toThrow('not empty');
  });

  test('is refused when made by a newer version, and leaves nothing', async () => {
    const newer = join(folder, 'newer.tar.gz');
    const known = await database.query(OWNER, 'select name from private.schema_migrations');
    await database.query(
      OWNER,
      "insert into private.schema_migrations (name, checksum) values ('migrations/20991231000000_x.sql', 'x')",
    );
    await makeBackup({ ...optionsOf(''), file: newer }).finally(() =>
      database.query(OWNER, 'delete from private.schema_migrations where name <> all ($1::text[])', [
        known.map(({ name }) => name),
      ]),
    );

    await expect(restoreBackup(restoring(newer, 'refused'))).rejects.toThrow('a newer version made it');
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });
});

describe.skipIf(!HAS_POSTGRES)(`moving to PostgreSQL${HAS_POSTGRES ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  test('moves every row with triggers and references in force, and refuses a target with data', async () => {
    const target = await createTestPostgres(false);
    const postgres = await openPostgresDatabase({ ...testLimits(), url: target.url, poolSize: 3 });
    try {
      const before = await sumsOf(database);
      await moveDatabase(database, postgres, testLog);
      expect(await sumsOf(postgres)).toEqual(before);
      expect(await sumsOf(database)).toEqual(before);
      expect(await migrate(postgres, { log: testLog })).toEqual([]);
      // Only what follows the last record of the chain is accepted.
      await insertRecords(postgres, records(generated.bodies.length / 2, generated.bodies.length));
      await expect(postgres.query(OWNER, 'update private.track_records set sym = sym')).rejects.toThrow(
        'never changed',
      );
      await expect(postgres.query(OWNER, 'truncate private.track_misses')).rejects.toThrow('never changed');
      await expect(postgres.query(OWNER, 'insert into private.quota_locks values (gen_random_uuid())')).rejects.toThrow(
        'foreign key',
      );

      await expect(moveDatabase(database, postgres, testLog)).rejects.toThrow('not empty');

      const back = join(folder, 'back.tar.gz');
      await makeBackup({ ...optionsOf(''), database: postgres, file: back });
      expect(Object.fromEntries(tablesIn(back).map(({ name, hash }) => [name, hash]))).toEqual(await sumsOf(postgres));
    } finally {
      await postgres.close();
      await target.drop();
    }
  });
});
