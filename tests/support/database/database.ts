/** Fresh migrated databases for tests, made quickly: each kind is migrated once, then copied. */
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import postgres from 'postgres';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import {
  IN_MEMORY,
  openPgliteDatabase,
  type PgliteDatabase,
  type PgliteOptions,
} from '../../../server/platform/database/pglite/pglite-database.ts';
import { openPostgresDatabase } from '../../../server/platform/database/postgres/postgres-database.ts';
import { createLogger } from '../../../server/platform/telemetry/log.ts';
import type { RunSql } from './database-baseline.ts';
import { withHeldAnswers } from './held-answers.ts';
import { type BorrowOptions, borrowDatabase, closable, type Lendable } from './lent-databases.ts';

export type TestDatabaseKind = 'pglite' | 'postgres';

export interface TestDatabaseOptions extends BorrowOptions {
  /** True: not shared with any other test. For tests that insert many rows before they begin. */
  isOwn?: boolean;
  /** SQL that runs as the owner after the migrations. */
  setUpSql?: string;
  /** For PGlite only; PostgreSQL has what is installed there. */
  extensions?: PgliteOptions['extensions'];
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CACHE_DIR = join(ROOT, '.cache', 'test-database');
const TEMPLATE_LOCK = 52_086_411;

export const testLog = createLogger('silent');

/** PostgreSQL only if TEST_DATABASE_URL is a superuser's address; the test command starts a server and sets it. */
export function testDatabaseKinds(): TestDatabaseKind[] {
  return testPostgresUrl() === null ? ['pglite'] : ['pglite', 'postgres'];
}

export const POSTGRES_SKIPPED = 'skipped: TEST_DATABASE_URL is not set';

export function testPostgresUrl(): string | null {
  return process.env.TEST_DATABASE_URL || null;
}

/** A migrated, empty database: a new one, or one that an earlier test returned. Closing it returns it. */
export async function openTestDatabase(kind: TestDatabaseKind, options: TestDatabaseOptions = {}): Promise<Database> {
  const { clockOffsetMs: _, setUpSql = '', isOwn = false, ...limits } = options;
  const open = () => openLendable(kind, setUpSql);
  // A benchmark's process would not end while a database stays open. A PGlite's limits are set when it opens.
  const isLent = !isOwn && process.env.VITEST === 'true' && (kind === 'postgres' || Object.keys(limits).length === 0);
  if (isLent) return withHeldAnswers(await borrowDatabase(`${kind} ${setUpSql}`, open, options));
  const database = kind === 'pglite' ? await openTestPglite(options) : await openTestPostgres(options);
  if (setUpSql !== '') await statementsOf(database)(setUpSql);
  return withHeldAnswers(database);
}

async function openLendable(kind: TestDatabaseKind, setUpSql: string): Promise<Lendable> {
  const lendable = await (kind === 'pglite' ? lendablePglite() : lendablePostgres());
  if (setUpSql !== '') await lendable.run(setUpSql);
  return lendable;
}

export async function openTestPglite(options: TestDatabaseOptions = {}): Promise<PgliteDatabase> {
  return openPgliteDatabase({
    ...testLimits(options),
    dataDir: IN_MEMORY,
    dumpFile: await pgliteTemplate(),
    extensions: options.extensions ?? {},
  });
}

/** A dump of a migrated PGlite, for tests that need their own folder or an extension. */
export async function pgliteTemplate(): Promise<string> {
  return cachedDump(`${schemaHash()}.tar`, async () => {
    const database = await openEmptyPglite();
    try {
      await migrate(database, { log: testLog });
      return await database.dump();
    } finally {
      await database.close();
    }
  });
}

/** A PGlite without our schema. Making a new one takes four times as long as loading this dump. */
export async function openEmptyPglite(dataDir = IN_MEMORY): Promise<PgliteDatabase> {
  const dumpFile = await cachedDump(`empty-${pgliteHash().digest('hex').slice(0, 20)}.tar`, dumpOfEmptyPglite);
  return openPgliteDatabase({ ...testLimits(), dataDir, dumpFile });
}

/** Without the two databases that PGlite never opens: each has 300 files, which every copy would unpack. */
async function dumpOfEmptyPglite(): Promise<Uint8Array> {
  const empty = await PGlite.create();
  await empty.exec("update pg_database set datistemplate = false where datname in ('template0', 'template1')");
  for (const name of ['template0', 'template1']) await empty.exec(`drop database ${name}`);
  const dump = await empty.dumpDataDir('none');
  await empty.close();
  return new Uint8Array(await dump.arrayBuffer());
}

async function cachedDump(name: string, make: () => Promise<Uint8Array>): Promise<string> {
  const file = join(CACHE_DIR, name);
  if (existsSync(file)) return file;
  const bytes = await make();
  mkdirSync(CACHE_DIR, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
  removeOldTemplates();
  return file;
}

/** Templates of older schemas take 30 MB each. One from the last hour may still be in use by another run. */
function removeOldTemplates(): void {
  for (const name of readdirSync(CACHE_DIR)) {
    const path = join(CACHE_DIR, name);
    // Another process may have renamed its part meanwhile.
    const madeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - madeMs > 3_600_000) rmSync(path, { force: true });
  }
}

/** One session for many borrowers, one borrower at a time. */
async function lendablePglite(): Promise<Lendable> {
  let offsetOfBorrower = (): number => 0;
  const shared = await openTestPglite({ clockOffsetMs: () => offsetOfBorrower() });
  return {
    run: statementsOf(shared),
    async lend({ clockOffsetMs = () => 0 }) {
      offsetOfBorrower = clockOffsetMs;
      return closable(shared);
    },
    destroy: () => shared.close(),
  };
}

/** Other sessions in the current database. */
const OTHERS = 'where datname = current_database() and pid <> pg_backend_pid()';

/** Borrowers with the same limits use the same sessions in turn: opening them costs more than most tests. */
async function lendablePostgres(): Promise<Lendable> {
  const { url, drop } = await createTestPostgres();
  const keeper = await openPostgresDatabase({ ...testLimits(), url, poolSize: 1 });
  const run = statementsOf(keeper);
  let offsetOfBorrower = (): number => 0;
  let cached: { limits: string; database: Database } | null = null;

  const reset = (): Promise<unknown> =>
    cached === null ? Promise.resolve() : statementsOf(cached.database)('reset all; discard temp');

  async function openCached(options: BorrowOptions): Promise<Database> {
    const limits = JSON.stringify(options);
    if (cached?.limits !== limits) {
      await cached?.database.close();
      const borrowed = testLimits({ ...options, clockOffsetMs: () => offsetOfBorrower() });
      cached = { limits, database: await openPostgresDatabase({ ...borrowed, url, poolSize: 10 }) };
    }
    return cached.database;
  }

  return {
    run,
    async lend({ clockOffsetMs = () => 0, ...options }) {
      offsetOfBorrower = clockOffsetMs;
      const handle = closable(await openCached(options));
      return {
        ...handle,
        async close() {
          await handle.close();
          // A session that was cut may still be running in the server.
          await run(
            `select pg_terminate_backend(pid, 5000) from pg_stat_activity ${OTHERS} and state is distinct from 'idle'`,
          );
          const sessions = await run(`select from pg_stat_activity ${OTHERS}`);
          // Started together, each statement takes a different idle session of the pool.
          await Promise.all(sessions.map(() => reset()));
        },
      };
    },
    async destroy() {
      await cached?.database.close();
      await keeper.close();
      await drop();
    },
  };
}

function statementsOf(database: Database): RunSql {
  return (text) => database.transaction(OWNER, (tx) => tx.query(text), { statementLimitMs: 0 });
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

/** A separate database on the test server. @param isMigrated false: empty */
export async function createTestPostgres(isMigrated = true): Promise<TestPostgres> {
  return copyTestPostgres(isMigrated ? MIGRATED : null);
}

export interface TestPostgres {
  url: string;
  drop: () => Promise<void>;
}

/** A database that is filled once per test server and copied for each test. */
export interface TestTemplate {
  /** Changes with everything that affects its content. */
  name: () => string;
  /** @param url  of an empty database, as a superuser */
  fill: (url: string) => Promise<void>;
}

const MIGRATED: TestTemplate = {
  name: () => `kat_template_${schemaHash()}`,
  async fill(url) {
    const database = await openPostgresDatabase({ ...testLimits(), url, poolSize: 1 });
    try {
      await migrate(database, { log: testLog });
    } finally {
      await database.close();
    }
  },
};

/** @param template  null: an empty database */
export async function copyTestPostgres(template: TestTemplate | null): Promise<TestPostgres> {
  const serverUrl = testPostgresUrl();
  if (serverUrl === null) throw new Error(POSTGRES_SKIPPED);
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  const name = `kat_test_${randomUUID().replaceAll('-', '')}`;
  try {
    // One at a time: a database must have no connection while it is copied.
    await admin`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const from = template === null ? 'template0' : await filledTemplate(admin, serverUrl, template);
    await admin`create database ${admin(name)} template ${admin(from)}`;
  } finally {
    await admin.end();
  }
  return { url: withDatabase(serverUrl, name), drop: () => dropDatabase(serverUrl, name) };
}

async function filledTemplate(admin: postgres.Sql, serverUrl: string, template: TestTemplate): Promise<string> {
  const name = template.name();
  const [found] = await admin`select from pg_database where datname = ${name}`;
  if (found) return name;
  const draft = `${name}_draft`;
  await admin`drop database if exists ${admin(draft)} with (force)`;
  await admin`create database ${admin(draft)} template template0`;
  await template.fill(withDatabase(serverUrl, draft));
  await untilNoOneIsConnected(admin, draft);
  await admin`alter database ${admin(draft)} rename to ${admin(name)}`;
  return name;
}

/** A closed connection's process takes a moment to exit. */
async function untilNoOneIsConnected(admin: postgres.Sql, name: string): Promise<void> {
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

/** Changes with the schema and with PGlite, because only the same PGlite version reads its dumps. */
export function schemaHash(): string {
  const hash = pgliteHash();
  for (const folder of ['supabase/embedded', 'supabase/migrations']) {
    for (const name of readdirSync(join(ROOT, folder)).sort()) {
      hash.update(name).update(readFileSync(join(ROOT, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 20);
}

function pgliteHash(): Hash {
  return createHash('sha256').update(readFileSync(join(ROOT, 'node_modules/@electric-sql/pglite/package.json')));
}

export function testLimits(options: TestDatabaseOptions = {}) {
  return {
    clockOffsetMs: options.clockOffsetMs ?? (() => 0),
    statementLimitMs: options.statementLimitMs ?? 30_000,
    callerLimitMs: options.callerLimitMs ?? 30_000,
    maxWaitMs: 60_000,
    log: testLog,
  };
}
