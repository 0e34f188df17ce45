/**
 * Our own gateway on a database whose roles, accounts and files belong to another owner. Its login isn't a superuser
 * and has the rights of a hosted project's `postgres`.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Backend } from '../../../server/backend/backend.ts';
import { openEmbeddedBackend } from '../../../server/backend/embedded.ts';
import { readConfig } from '../../../server/platform/config/config.ts';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openPostgresDatabase } from '../../../server/platform/database/postgres/postgres-database.ts';
import {
  copyTestPostgres,
  createTestPostgres,
  schemaHash,
  type TestPostgres,
  type TestTemplate,
  testLimits,
  testLog,
} from '../database/database.ts';
import { noLimits } from '../servers/whole-server.ts';

export interface HostedProject {
  url: string;
  anonKey: string;
  /** As the project's own services see it. */
  admin: Database;
  /** As the product sees it: the login `postgres` of a hosted project. */
  database: Database;
  databaseUrl: string;
  /** Where its keys are stored. */
  dataDir: string;
  /** Requests that reached the project: method, path and headers, newest last. */
  requests: { method: string; path: string; headers: Headers }[];
  /** A new key signs from now on; the old one still verifies. */
  rotateKeys(): Promise<void>;
  /** Answers every request from now on; null: the project answers again. */
  answerWith(answer: ((request: Request) => Promise<Response>) | null): void;
  stop(): Promise<void>;
  close(): Promise<void>;
}

const EMBEDDED = fileURLToPath(new URL('../../../supabase/embedded/', import.meta.url));

/** @param options.isFresh  migrated now, by a separate login; else copied from one that an earlier test migrated */
export async function startHostedProject(options = { isFresh: false }): Promise<HostedProject> {
  const { adminUrl, databaseUrl, remove } = await (options.isFresh ? freshProject() : copiedProject());
  const admin = await openPostgresDatabase({ ...testLimits(), url: adminUrl, poolSize: 5 });
  const database = await openPostgresDatabase({ ...testLimits(), url: databaseUrl, poolSize: 5 });

  const dataDir = await mkdtemp(join(tmpdir(), 'kat-project-'));
  const requests: HostedProject['requests'] = [];
  let instead: ((request: Request) => Promise<Response>) | null = null;
  let app = new Hono();
  const listener = getRequestListener((request, env) => {
    requests.push({ method: request.method, path: new URL(request.url).pathname, headers: request.headers });
    return instead?.(request) ?? app.fetch(request, env);
  });
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let backend = await openGateway();

  async function openGateway(): Promise<Backend> {
    const config = readConfig({ PUBLIC_URL: url, DATA_DIR: dataDir, DATABASE_URL: adminUrl });
    const clock = { nowMs: () => Date.now() };
    const limits = noLimits();
    const opened = await openEmbeddedBackend({ config, clock, log: testLog, database: admin, limits, passwordCost: 4 });
    app = new Hono().route('/', opened.routes);
    return opened;
  }

  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((done) => server.close(done));
  };
  return {
    url,
    anonKey: backend.anonKey,
    admin,
    database,
    databaseUrl,
    dataDir,
    requests,
    async rotateKeys() {
      await addSigningKey(join(dataDir, 'keys.json'));
      await backend.close();
      backend = await openGateway();
    },
    answerWith(answer) {
      instead = answer;
    },
    stop,
    async close() {
      await stop();
      await backend.close();
      await database.close();
      await admin.close();
      await remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface ProjectDatabase {
  /** Address that logs in as a superuser. */
  adminUrl: string;
  /** Address that logs in as the product. */
  databaseUrl: string;
  remove(): Promise<void>;
}

async function freshProject(): Promise<ProjectDatabase> {
  const { url, drop } = await createTestPostgres(false);
  const login = `kat_project_${randomUUID().slice(0, 8)}`;
  await migrateProject(url, login);
  return {
    adminUrl: url,
    databaseUrl: loginUrl(url, login),
    async remove() {
      await asSuperuser(url, `drop owned by ${login} cascade; drop role ${login};`);
      await drop();
    },
  };
}

/** One login for all copies, because the template's objects name it as their owner. */
async function copiedProject(): Promise<ProjectDatabase> {
  const login = `kat_project_${templateHash()}`;
  const template: TestTemplate = {
    name: () => `kat_project_template_${templateHash()}`,
    fill: (url) => migrateProject(url, login),
  };
  const { url, drop }: TestPostgres = await copyTestPostgres(template);
  // A copy has the rights within the database, but not those on the database.
  await asSuperuser(url, `grant create on database ${nameOf(url)} to ${login}`);
  return { adminUrl: url, databaseUrl: loginUrl(url, login), remove: drop };
}

function templateHash(): string {
  const files = ['./hosted-project.ts', '../../../server/platform/database/migrate.ts'];
  const hash = createHash('sha256').update(schemaHash());
  for (const file of files) hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 20);
}

async function migrateProject(adminUrl: string, login: string): Promise<void> {
  const admin = await openPostgresDatabase({ ...testLimits(), url: adminUrl, poolSize: 1 });
  try {
    await makeProject(admin, nameOf(adminUrl), login);
  } finally {
    await admin.close();
  }
  const database = await openPostgresDatabase({ ...testLimits(), url: loginUrl(adminUrl, login), poolSize: 1 });
  try {
    await migrate(database, { log: testLog, isHosted: true });
  } finally {
    await database.close();
  }
}

async function asSuperuser(url: string, text: string): Promise<void> {
  const admin = await openPostgresDatabase({ ...testLimits(), url, poolSize: 1 });
  try {
    await admin.transaction(OWNER, (tx) => tx.query(text));
  } finally {
    await admin.close();
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

function loginUrl(adminUrl: string, login: string): string {
  const url = new URL(adminUrl);
  url.username = login;
  url.password = 'pass';
  return url.href;
}

/** Creates a hosted project's own objects, and the login's rights on them. */
async function makeProject(admin: Database, databaseName: string, login: string): Promise<void> {
  for (const name of (await readdir(EMBEDDED)).sort()) {
    const text = await readFile(join(EMBEDDED, name), 'utf8');
    await admin.transaction(OWNER, (tx) => tx.query(text));
  }
  const [version] = await admin.query(OWNER, "select current_setting('server_version_num')::int as n");
  const withSet = Number(version?.n) >= 160_000 ? ' with set true' : '';
  const [known] = await admin.query(OWNER, 'select 1 from pg_roles where rolname = $1', [login]);
  await admin.transaction(OWNER, (tx) =>
    tx.query(`
      drop schema private cascade;
      ${HOSTED_TYPES}
      ${known === undefined ? `create role ${login} login createrole bypassrls password 'pass';` : ''}
      grant anon, authenticated, service_role to ${login}${withSet};
      grant create on database ${databaseName} to ${login};
      grant all on schema public to ${login};
      grant usage on schema auth, storage to ${login};
      grant all on all tables in schema auth, storage to ${login};
      -- A hosted project lets its login write policies on these two; here that takes their owner.
      alter table storage.objects owner to ${login};
      alter table storage.buckets owner to ${login};
      -- As there: what the login makes in public is open until a migration closes it.
      alter default privileges for role ${login} in schema public grant all on tables to anon, authenticated, service_role;
      alter default privileges for role ${login} in schema public grant all on sequences to anon, authenticated, service_role;
      alter default privileges for role ${login} in schema public grant execute on functions to anon, authenticated, service_role;
    `),
  );
}

/** Columns of a hosted project's own tables that have other types than ours; ours hold the same as text. */
const HOSTED_TYPES = `
  create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
  alter table auth.sessions drop constraint sessions_aal_check, alter column aal drop default, alter column aal drop not null;
  alter table auth.sessions alter column aal type auth.aal_level using aal::auth.aal_level, alter column aal set default 'aal1';
  -- Our own gateway, which plays the project, sends text.
  create cast (text as inet) with inout as assignment;
  alter table auth.sessions drop constraint sessions_ip_check, alter column ip type inet using ip::inet,
    alter column refreshed_at type timestamp using refreshed_at at time zone 'UTC',
    alter column created_at drop not null, alter column updated_at drop not null;
  create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
  create type auth.factor_status as enum ('unverified', 'verified');
  alter table auth.mfa_factors drop constraint mfa_factors_factor_type_check, drop constraint mfa_factors_status_check,
    alter column status drop default, alter column secret drop not null;
  alter table auth.mfa_factors alter column factor_type type auth.factor_type using factor_type::auth.factor_type,
    alter column status type auth.factor_status using status::auth.factor_status;
  alter table auth.mfa_factors alter column status set default 'unverified';`;

async function addSigningKey(path: string): Promise<void> {
  const file: { signing: unknown[] } = JSON.parse(await readFile(path, 'utf8'));
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  file.signing.unshift({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256' });
  await writeFile(path, JSON.stringify(file), { mode: 0o600 });
}
