/** Fresh migrated databases for tests, quickly: each kind is migrated once and copied from then on. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import type { Database } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import {
  IN_MEMORY,
  openPgliteDatabase,
  type PgliteDatabase,
  type PgliteOptions,
} from '../../server/platform/database/pglite-database.ts';
import { openPostgresDatabase } from '../../server/platform/database/postgres-database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';

export type TestDatabaseKind = 'pglite' | 'postgres';

export interface TestDatabaseOptions {
  /** Default: the real time. */
  clockOffsetMs?: () => number;
  /** Default 5 s. */
  statementLimitMs?: number;
  /** Of visitors and users. Default 5 s: machines that run tests are slow, and the limit has its own test. */
  callerLimitMs?: number;
  /** Of PGlite; PostgreSQL has what is installed there. */
  extensions?: PgliteOptions['extensions'];
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE_DIR = join(ROOT, '.cache', 'test-database');
const TEMPLATE_LOCK = 52_086_411;

export const testLog = createLogger('silent');

/** PostgreSQL only where TEST_DATABASE_URL names a superuser's address; the test command starts one and sets it. */
export function testDatabaseKinds(): TestDatabaseKind[] {
  return testPostgresUrl() === null ? ['pglite'] : ['pglite', 'postgres'];
}

export const POSTGRES_SKIPPED = 'skipped: TEST_DATABASE_URL is not set';

export function testPostgresUrl(): string | null {
  return process.env.TEST_DATABASE_URL || null;
}

/** Migrated and empty. Closing it removes it. */
export async function openTestDatabase(kind: TestDatabaseKind, options: TestDatabaseOptions = {}): Promise<Database> {
  return kind === 'pglite' ? openTestPglite(options) : openTestPostgres(options);
}

export async function openTestPglite(options: TestDatabaseOptions = {}): Promise<PgliteDatabase> {
  return openPgliteDatabase({
    ...testLimits(options),
    dataDir: IN_MEMORY,
    dumpFile: await pgliteTemplate(),
    extensions: options.extensions ?? {},
  });
}

/** A dump of a migrated PGlite, for tests that need a folder of their own or an extension. */
export async function pgliteTemplate(): Promise<string> {
  const file = join(CACHE_DIR, `${schemaHash()}.tar`);
  if (existsSync(file)) return file;
  const database = await openPgliteDatabase({ ...testLimits(), dataDir: IN_MEMORY });
  try {
    await migrate(database, { log: testLog });
    mkdirSync(CACHE_DIR, { recursive: true });
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, await database.dump());
    renameSync(draft, file);
    removeOldTemplates();
  } finally {
    await database.close();
  }
  return file;
}

/** Templates of older schemas take 40 MB each. One of the last hour may still be read by another run. */
function removeOldTemplates(): void {
  for (const name of readdirSync(CACHE_DIR)) {
    const path = join(CACHE_DIR, name);
    if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { force: true });
  }
}

async function openTestPostgres(options: TestDatabaseOptions): Promise<Database> {
  const { url, drop } = await createTestPostgres();
  const database = await openPostgresDatabase({ ...testLimits(options), url, poolSize: 10 });
  return {
    ...database,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** A database of its own on the test server. @param isMigrated false: empty */
export async function createTestPostgres(isMigrated = true): Promise<{ url: string; drop: () => Promise<void> }> {
  const serverUrl = testPostgresUrl();
  if (serverUrl === null) throw new Error(POSTGRES_SKIPPED);
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  const name = `kat_test_${randomUUID().replaceAll('-', '')}`;
  try {
    // One at a time: a database that is being copied may have no connection.
    await admin`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const template = isMigrated ? await postgresTemplate(admin, serverUrl) : 'template0';
    await admin`create database ${admin(name)} template ${admin(template)}`;
  } finally {
    await admin.end();
  }
  return { url: withDatabase(serverUrl, name), drop: () => dropDatabase(serverUrl, name) };
}

async function postgresTemplate(admin: postgres.Sql, serverUrl: string): Promise<string> {
  const name = `kat_template_${schemaHash()}`;
  const [found] = await admin`select from pg_database where datname = ${name}`;
  if (found) return name;
  const draft = `${name}_draft`;
  await admin`drop database if exists ${admin(draft)} with (force)`;
  await admin`create database ${admin(draft)} template template0`;
  const database = await openPostgresDatabase({ ...testLimits(), url: withDatabase(serverUrl, draft), poolSize: 1 });
  try {
    await migrate(database, { log: testLog });
  } finally {
    await database.close();
  }
  await untilNobodyIsConnected(admin, draft);
  await admin`alter database ${admin(draft)} rename to ${admin(name)}`;
  return name;
}

/** A closed connection's process takes a moment to go. */
async function untilNobodyIsConnected(admin: postgres.Sql, name: string): Promise<void> {
  await admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name}`;
}

async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    await admin`drop database if exists ${admin(name)} with (force)`;
  } finally {
    await admin.end();
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Changes with the schema and with PGlite, whose dumps only its own version reads. */
function schemaHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['supabase/embedded', 'supabase/migrations']) {
    for (const name of readdirSync(join(ROOT, folder)).sort()) {
      hash.update(name).update(readFileSync(join(ROOT, folder, name)));
    }
  }
  hash.update(readFileSync(join(ROOT, 'node_modules/@electric-sql/pglite/package.json')));
  return hash.digest('hex').slice(0, 20);
}

export function testLimits(options: TestDatabaseOptions = {}) {
  return {
    clockOffsetMs: options.clockOffsetMs ?? (() => 0),
    statementLimitMs: options.statementLimitMs ?? 5000,
    callerLimitMs: options.callerLimitMs ?? 5000,
    maxWaitMs: 15_000,
    log: testLog,
  };
}
