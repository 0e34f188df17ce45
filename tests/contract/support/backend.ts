/** A started backend for contract tests: real HTTP on a free port, driven by the official client library. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Hono } from 'hono';
import type { Clock } from '#domain/time/clock.ts';
import { type OpenedKeys, openSigningKeys } from '../../../server/backend/auth/keys/keys.ts';
import { type SessionVerifier, tokenVerifier } from '../../../server/backend/auth/keys/token-verifier.ts';
import { openPasswords, type Passwords } from '../../../server/backend/auth/passwords/passwords.ts';
import {
  type AccountParts,
  type BackendDeps,
  backendRoutes,
  NO_ACCOUNT_PARTS,
} from '../../../server/backend/backend-routes.ts';
import { DEFAULT_LIMITS, type RateLimits, rateLimits } from '../../../server/backend/limits.ts';
import { openCatalogue } from '../../../server/backend/rest/catalogue.ts';
import { diskFiles } from '../../../server/backend/storage/files/disk-files.ts';
import type { ObjectFiles } from '../../../server/backend/storage/files/object-files.ts';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import type { RateLimit } from '../../../server/platform/http/guards/rate-limit.ts';
import { listen, stopServer } from '../../../server/platform/http/listen.ts';
import { createLogger, type Logger } from '../../../server/platform/telemetry/log.ts';
import {
  openTestDatabase,
  type TestDatabaseKind,
  type TestDatabaseOptions,
  testLog,
} from '../../support/database/database.ts';

export interface BackendTestServer {
  url: string;
  database: Database;
  keys: OpenedKeys;
  /** The path of the key file. */
  dataDir: string;
  verifier: SessionVerifier;
  /** The product's. */
  clock: Clock;
  /** Moves it forward. */
  advance(ms: number): void;
  /** A fresh browser: no one is signed in. */
  visitor(): SupabaseClient;
  /** Passes row-level security. */
  service(): SupabaseClient;
  /** A fresh browser with a new account, signed in. */
  user(): Promise<{ client: SupabaseClient; id: string; email: string; password: string; accessToken: string }>;
  /** The same, who has answered the mail of the sign-up. */
  confirmedUser(): ReturnType<BackendTestServer['user']>;
  /** How many passwords were hashed or compared so far. */
  hashes(): number;
  /** A raw request with the anon key. */
  request(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface BackendTestOptions {
  /** Limits under test; all others are out of the way. */
  limits?: Partial<Record<keyof typeof DEFAULT_LIMITS, RateLimit>>;
  /** SQL run as the owner once the product's migrations are applied. */
  setUpSql?: string;
  /** Of bcrypt; by default the least there is, because most tests only need many accounts. */
  passwordCost?: number;
  /** Where stored objects lie; by default in a folder of the test. */
  files?: ObjectFiles;
  /** How people may sign in; by default with password and mail alone. */
  accounts?: Partial<AccountParts>;
  /** Whom rate limits count, other origins that may call, our own public address: as in backendRoutes. */
  gateway?: Partial<Pick<BackendDeps, 'clientAddress' | 'allowedOrigins' | 'publicUrl'>>;
  /** Further routes on the same origin, beside the backend's. */
  mount?(parts: MountedParts): Hono;
  /** Default: silent. */
  log?: Logger;
  /** Time limits of its statements, and whether other tests may have it. */
  database?: Pick<TestDatabaseOptions, 'statementLimitMs' | 'callerLimitMs' | 'isOwn'>;
}

export interface MountedParts {
  database: Database;
  clock: Clock;
  verifier: SessionVerifier;
  limits: RateLimits;
  passwords: Passwords;
  files: ObjectFiles;
}

export const JSON_TYPE = { 'content-type': 'application/json' };

const PASSWORD = 'Password1';
const LEAST_COST = 4;
const NO_LIMIT: RateLimit = { points: 1_000_000, perS: 1 };

export async function backendTestServer(
  kind: TestDatabaseKind,
  options: BackendTestOptions = {},
): Promise<BackendTestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kat-backend-'));
  let offsetMs = 0;
  const { setUpSql } = options;
  const database = await openTestDatabase(kind, {
    ...options.database,
    ...(setUpSql === undefined ? {} : { setUpSql }),
    clockOffsetMs: () => offsetMs,
  });
  const clock = { nowMs: () => Date.now() + offsetMs };
  const keys = await openSigningKeys(dataDir);
  const verifier = tokenVerifier(keys, database, clock);
  const catalogue = await openCatalogue(database);
  const files = options.files ?? diskFiles(join(dataDir, 'storage'));
  const unlimited = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, NO_LIMIT]));
  const limits = rateLimits({ ...unlimited, ...options.limits });
  const log = options.log ?? createLogger('silent');
  const passwords = countedPasswords(sharedPasswords(options.passwordCost ?? LEAST_COST));
  const app = backendRoutes({
    database,
    clock,
    publicUrl: null,
    ...options.gateway,
    log,
    keys,
    verifier,
    limits,
    passwords,
    catalogue,
    files,
    accounts: { ...NO_ACCOUNT_PARTS, ...options.accounts },
  });
  if (options.mount !== undefined)
    app.route('/', options.mount({ database, clock, verifier, limits, passwords, files }));
  const server = await listen(app.fetch, { host: '127.0.0.1', port: 0 }, testLog);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: SupabaseClient[] = [];
  let accounts = 0;

  function clientOf(key: string): SupabaseClient {
    const client = createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
    clients.push(client);
    return client;
  }

  async function user() {
    accounts += 1;
    const email = `user${accounts}@example.com`;
    const client = clientOf(keys.anonKey);
    const { data, error } = await client.auth.signUp({ email, password: PASSWORD });
    if (error || !data.session) throw new Error(`sign-up failed: ${error?.message}`);
    const { session } = data;
    return { client, id: session.user.id, email, password: PASSWORD, accessToken: session.access_token };
  }

  return {
    url,
    database,
    keys,
    dataDir,
    verifier,
    clock,
    advance(ms) {
      offsetMs += ms;
    },
    visitor: () => clientOf(keys.anonKey),
    service: () => clientOf(keys.serviceRoleKey),
    hashes: passwords.count,
    user,
    async confirmedUser() {
      const created = await user();
      await database.query(OWNER, 'update auth.users set email_confirmed_at = now() where id = $1::text::uuid', [
        created.id,
      ]);
      return created;
    },
    request: (path, init = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { apikey: keys.anonKey, ...Object.fromEntries(new Headers(init.headers)) },
      }),
    async close() {
      for (const client of clients) await client.removeAllChannels();
      await stopServer(server);
      await catalogue.close();
      files.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const passwordsByCost = new Map<number, Passwords>();

/** One hashing thread per cost for all servers of this process. An idle one keeps no process alive. */
function sharedPasswords(cost: number): Passwords {
  const opened = passwordsByCost.get(cost) ?? openPasswords({ log: testLog, cost });
  passwordsByCost.set(cost, opened);
  return opened;
}

function countedPasswords(passwords: Passwords) {
  let count = 0;
  return {
    hash(...call: Parameters<Passwords['hash']>) {
      count += 1;
      return passwords.hash(...call);
    },
    matches(...call: Parameters<Passwords['matches']>) {
      count += 1;
      return passwords.matches(...call);
    },
    count: () => count,
  };
}
