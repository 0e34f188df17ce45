/** The whole server with a victim whose texts all carry a mark, an attacker, a paying user, and all kinds of tokens. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { hashOfApiKey, newApiKey } from '../../../server/account/api-keys/api-key-store.ts';
import { openSigningKeys } from '../../../server/backend/auth/keys/keys.ts';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { createLogger } from '../../../server/platform/telemetry/log.ts';
import { insertRecords, makeRecords } from '../../../server/record/testing/record-fixtures.ts';
import { openTestDatabase, type TestDatabaseKind } from '../database/database.ts';
import { SHIPPED_MODELS, startWholeServer, type WholeServer } from '../servers/whole-server.ts';
import { type HostedProject, startHostedProject } from '../worlds/hosted-project.ts';
import { subscribe } from '../worlds/prediction-world.ts';
import type { FuzzRequest, TokenName } from './requests.ts';
import type { Sent } from './send.ts';
import { type NotedDatabase, notingDatabase } from './statements.ts';

export interface FuzzWorld {
  server: WholeServer;
  database: Database;
  noted: NotedDatabase;
  /** Texts that no answer may contain. */
  secrets: readonly string[];
  /** Lines of the server's log at level error, with the path of their request. */
  faults: string[];
  /** Fills in the names of a request. */
  fill(request: FuzzRequest): Promise<Sent>;
  /** Everything that belongs to the victim, as it is in the database now. */
  victimRows(): Promise<string>;
  close(): Promise<void>;
}

const METRICS_TOKEN = 'f1gures-0f-Nobody-But-Watchers';
export const MARK = 'zQ7victimsMarkK3';
const HASH = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** A database, or a hosted project on PostgreSQL with the server in front of it. */
export type FuzzPlace = TestDatabaseKind | 'hosted';

/** @param options.isCrowded  with enough rows that a statement without an index is slow. Default: true */
export async function openFuzzWorld(place: FuzzPlace, options = { isCrowded: true }): Promise<FuzzWorld> {
  const project = place === 'hosted' ? await startHostedProject() : null;
  const opened = project?.admin ?? (await openTestDatabase(place === 'hosted' ? 'postgres' : place));
  await opened.transaction(OWNER, (tx) => tx.query(PROCEDURES));
  await opened.query(OWNER, 'notify pgrst');
  await insertRecords(opened, makeRecords({ slots: 2 }));
  const noted = notingDatabase(project?.database ?? opened);
  const faults: string[] = [];
  const log = createLogger('error', {
    write(line) {
      // File rows are inserted here without their bytes.
      if (!line.includes('a stored object has no bytes')) faults.push(line.slice(0, 3000));
    },
  });
  const env = { DEVELOPMENT: 'clock,patient', METRICS_TOKEN, ...hostedSettings(project) };
  const server = await startWholeServer(noted.database, {
    env,
    log,
    hasCommunity: true,
    modelsDir: SHIPPED_MODELS,
  });
  const keyDir = project?.dataDir ?? server.dataDir;
  const keys = await openSigningKeys(keyDir);
  const victim = await account(opened, 'victim@example.com');
  const attacker = await account(opened, 'attacker@example.com');
  const paid = await account(opened, 'paid@example.com');
  const nowS = Math.floor(Date.now() / 1000);
  await subscribe(opened, paid, 'bobcat', nowS - 86_400, nowS + 86_400);
  await markVictim(opened, victim);
  let [readKey, keyUses] = ['', 0];
  if (options.isCrowded) await fillTables(opened, attacker);

  const other = await generateKeyPair('ES256');
  const publicText = JSON.stringify(keys.jwks.keys[0] ?? (await exportJWK(other.publicKey)));
  const sessions = new Map<string, string>();

  async function sessionOf(userId: string): Promise<string> {
    const known = sessions.get(userId);
    // Some requests rightly end sessions; the next request then needs a new one.
    const live =
      known === undefined ? [] : await opened.query(OWNER, 'select 1 from auth.sessions where id = $1', [known]);
    if (known !== undefined && live.length === 1) return known;
    const id = randomUUID();
    await opened.query(OWNER, 'insert into auth.sessions (id, user_id) values ($1, $2)', [id, userId]);
    sessions.set(userId, id);
    return id;
  }

  const claimsOf = (userId: string, sessionId: string) => ({
    sub: userId,
    aud: 'authenticated',
    role: 'authenticated',
    session_id: sessionId,
    aal: 'aal1',
    email: `${userId}@example.com`,
    phone: '',
    amr: [{ method: 'password', timestamp: nowS }],
    iss: `${project?.url ?? 'http://localhost'}/auth/v1`,
    app_metadata: {},
    user_metadata: {},
    is_anonymous: false,
  });
  const signed = (claims: JWTPayload, fromS = Math.floor(Date.now() / 1000) - 5, forS = 3600) =>
    keys.sign(claims, fromS, fromS + forS);

  async function tokenNamed(name: TokenName): Promise<string | null> {
    const claims = claimsOf(attacker, await sessionOf(attacker));
    const forVictim = { ...claims, sub: victim };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const until = { iat: nowS, exp: nowS + 3600 };
    switch (name) {
      case 'none':
        return null;
      case 'anonKey':
        return keys.anonKey;
      case 'attacker':
        return signed(claims);
      case 'paid':
        return signed(claimsOf(paid, await sessionOf(paid)));
      case 'expired':
        return signed(claims, nowS - 7200);
      case 'endedSession':
        return signed({ ...claims, session_id: randomUUID() });
      case 'noSession':
        return signed({ ...claims, session_id: 'x', sub: '' });
      case 'wrongAudience':
        return signed({ ...claims, aud: 'elsewhere' });
      case 'algNone':
        return `${part({ alg: 'none' })}.${part({ ...forVictim, ...until })}.`;
      case 'otherKey':
        return new SignJWT({ ...forVictim, ...until })
          .setProtectedHeader({ alg: 'ES256', kid: String(keys.jwks.keys[0]?.kid) })
          .sign(other.privateKey);
      case 'sharedSecret':
        return new SignJWT({ ...forVictim, role: 'service_role', ...until })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(publicText));
      case 'tampered': {
        const [head, , signature] = (await signed(claims)).split('.');
        return `${head}.${part({ ...forVictim, role: 'service_role', ...until })}.${signature}`;
      }
      case 'cut':
        return (await signed(claims)).slice(0, -20);
      case 'garbage':
        return 'not.a.token';
      case 'readKey':
        // A new key before the limits of the old one refuse every request.
        if (keyUses++ % KEY_USES === 0) readKey = await keyOf(opened, attacker);
        return readKey;
      case 'basic':
        return 'Basic YTpi';
    }
  }

  async function fill(request: FuzzRequest): Promise<Sent> {
    const token = await tokenNamed(request.token);
    const apiKey = await tokenNamed(request.apiKey);
    const names: Readonly<Record<string, string>> = {
      '@victim.id@': victim,
      '@attacker.id@': attacker,
      '@victim.email@': 'victim@example.com',
      '@attacker.refresh@': 'x'.repeat(22),
      '@token.algNone@': (await tokenNamed('algNone')) ?? '',
      '@token.otherKey@': (await tokenNamed('otherKey')) ?? '',
    };
    const filled = (text: string) => {
      let result = text;
      for (const [name, value] of Object.entries(names))
        result = result.replaceAll(name, value).replaceAll(encodeURIComponent(name), encodeURIComponent(value));
      return result;
    };
    const bearer = request.token === 'basic' ? token : `Bearer ${token}`;
    return {
      method: request.method,
      target: filled(request.target),
      headers: [
        ...(apiKey === null ? [] : [['apikey', apiKey] as const]),
        ...(token === null ? [] : [['authorization', bearer ?? ''] as const]),
        ...request.headers,
      ],
      body: request.body === null ? null : filled(request.body),
    };
  }

  return {
    server,
    database: opened,
    noted,
    secrets: [MARK, HASH, METRICS_TOKEN, keys.serviceRoleKey, ...(await refreshSecretOf(keyDir))],
    faults,
    fill,
    victimRows: () => rowsOf(opened, victim),
    async close() {
      await server.close();
      await (project ?? opened).close();
    },
  };
}

function hostedSettings(project: HostedProject | null): Record<string, string> {
  if (project === null) return {};
  return { SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey, DATABASE_URL: project.databaseUrl };
}

async function account(database: Database, email: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    OWNER,
    `insert into auth.users (email, email_confirmed_at, encrypted_password, raw_user_meta_data)
     values ($1, now(), $2, '{}') returning id`,
    [email, HASH],
  );
  if (row === undefined) throw new Error('no account was made');
  await database.query(
    OWNER,
    `insert into auth.identities (provider_id, user_id, provider, identity_data)
     values ($1::text, $1::text::uuid, 'email', jsonb_build_object('sub', $1::text, 'email', $2::text))`,
    [row.id, email],
  );
  return row.id;
}

const KEY_USES = 6;

/** Creates a key of the read API, and returns its secret text. */
async function keyOf(database: Database, userId: string): Promise<string> {
  const key = newApiKey();
  await database.query(
    OWNER,
    `insert into public.api_keys (user_id, name, prefix, key_hash)
     values ($1::text::uuid, 'fuzz', left($2::text, 10), decode($3::text, 'hex'))`,
    [userId, key, hashOfApiKey(key)],
  );
  return key;
}

async function markVictim(database: Database, id: string): Promise<void> {
  const nowS = Math.floor(Date.now() / 1000);
  await subscribe(database, id, 'lion', nowS - 86_400, nowS + 86_400);
  await database.transaction(OWNER, (tx) =>
    tx.query(`
      update public.profiles set full_name = '${MARK}', bio = '${MARK}', phone = '${MARK}', location = '${MARK}' where id = '${id}';
      update auth.users set raw_user_meta_data = '{"full_name": "${MARK}"}' where id = '${id}';
      update public.stripe_customers set customer_id = 'cus_${MARK}' where user_id = '${id}';
      update public.stripe_subscriptions set customer_id = 'cus_${MARK}' where subscription_id = 'sub_${id}';
      insert into public.user_activity (user_id, activity_type, activity_data) values ('${id}', 'account_created', '{"a": "${MARK}"}');
      insert into public.error_logs (user_id, error_message) values ('${id}', '${MARK}');
      insert into public.payment_methods (payment_method_id, user_id, brand) values ('pm_${MARK}', '${id}', '${MARK}');
      insert into public.user_predictions (user_id, cryptocurrency, model, data)
        select '${id}', 'BTC', 'kat1', jsonb_agg(jsonb_build_object('time', n, 'note', '${MARK}')) from generate_series(1, 200) n;
      insert into storage.objects (bucket_id, name, owner_id, version, user_metadata)
        values ('avatars', '${id}/secret-${MARK}.png', '${id}', '${randomUUID()}', '{"a": "${MARK}"}');
      insert into auth.sessions (user_id, user_agent) values ('${id}', '${MARK}');
      insert into auth.mfa_factors (user_id, friendly_name, factor_type, secret) values ('${id}', '${MARK}', 'totp', '${MARK}');
    `),
  );
}

/** Enough rows, of others and of the attacker, that a statement without an index is slow. */
async function fillTables(database: Database, attacker: string): Promise<void> {
  const sql = `
      insert into auth.users (email, encrypted_password) select 'crowd' || n || '@example.com', 'x' from generate_series(1, 2000) n;
      insert into public.user_activity (user_id, activity_type, activity_data)
        select id, 'account_created', '{"a": 1}' from auth.users on conflict do nothing;
      insert into public.alerts (user_id, kind, subject, facts, made_at)
        select '${attacker}', 'band-broken', 's' || n, jsonb_build_object('n', n, 'text', repeat('ab ', 100)), now() from generate_series(1, 5000) n;
      insert into public.error_logs (error_message, error_stack) select 'e' || n, repeat('at x ', 50) from generate_series(1, 5000) n;
      insert into public.user_predictions (user_id, cryptocurrency, model, data)
        select '${attacker}', 'BTC', 'kat1', (select jsonb_agg(jsonb_build_object('time', m, 'open', 1.5, 'close', 2.5)) from generate_series(1, 200) m)
          from generate_series(1, 200) n;
      insert into storage.objects (bucket_id, name, owner_id, version, metadata)
        select 'avatars', id || '/' || n || '.png', id, gen_random_uuid(),
               '{"eTag": "e", "size": 1, "mimetype": "image/png", "cacheControl": "no-cache", "lastModified": "2026-01-01T00:00:00Z"}'
          from auth.users, generate_series(1, 10) n;
      insert into private.outgoing_mail (kind, to_address, subject, state, next_try_at, created_at, sent_at)
        select 'confirmation', 'crowd' || n || '@example.com', 's', 'sent', now(), now(), now() from generate_series(1, 10000) n;
      analyze;
    `;
  // Inserting this many rows takes longer than a request's statement may.
  await database.transaction(OWNER, (tx) => tx.query(sql), { statementLimitMs: 0 });
}

/** Leaves out what any visitor may cause: a mail to the victim, and its time. */
async function rowsOf(database: Database, id: string): Promise<string> {
  const owned: readonly [string, string][] = [
    ['public.profiles', 'id'],
    ['public.account_events', 'user_id'],
    ['public.user_activity', 'user_id'],
    ['public.onboarding_marks', 'user_id'],
    ['public.watched_pairs', 'user_id'],
    ['public.paper_trades', 'user_id'],
    ['public.error_logs', 'user_id'],
    ['public.user_predictions', 'user_id'],
    ['public.prediction_outcomes', 'user_id'],
    ['public.prediction_shares', 'user_id'],
    ['public.stripe_customers', 'user_id'],
    ['public.payment_methods', 'user_id'],
    ['public.billing_checkouts', 'user_id'],
    ['private.prediction_reservations', 'user_id'],
    ['auth.identities', 'user_id'],
    ['auth.sessions', 'user_id'],
    ['auth.mfa_factors', 'user_id'],
    ['storage.objects', 'owner_id'],
  ];
  const found: unknown[] = [];
  for (const [table, column] of owned)
    found.push(
      await database.query(OWNER, `select to_jsonb(t) as row from ${table} t where t.${column}::text = $1 order by 1`, [
        id,
      ]),
    );
  const [user] = await database.query(
    OWNER,
    `select email, phone, encrypted_password, email_change, banned_until, raw_app_meta_data, raw_user_meta_data,
            email_confirmed_at, (select count(*) from storage.objects where name like $1::text || '/%') as files
       from auth.users where id = $1::text::uuid`,
    [id],
  );
  return JSON.stringify([found, user]);
}

async function refreshSecretOf(dataDir: string): Promise<string[]> {
  const file: { refreshSecret: string; signing: { d: string }[] } = JSON.parse(
    await readFile(`${dataDir}/keys.json`, 'utf8'),
  );
  return [file.refreshSecret, ...file.signing.map((key) => key.d)];
}

const PROCEDURES = `
create function public.fuzz_add(a integer, b integer default 10) returns integer
  language sql stable set search_path = '' as 'select a + b';
create function public.fuzz_echo(p_data jsonb, p_list text[], p_at timestamptz) returns jsonb
  language sql stable set search_path = ''
  as $$ select jsonb_build_object('data', p_data, 'list', to_jsonb(p_list), 'at', p_at) $$;
create function public.fuzz_rows(p_to integer) returns table (id integer, plan text)
  language sql stable set search_path = '' as $$ select i, 'p' || i from generate_series(1, least(p_to, 500)) as i $$;
grant execute on function public.fuzz_add, public.fuzz_echo, public.fuzz_rows to anon, authenticated;
`;
