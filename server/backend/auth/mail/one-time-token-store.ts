/**
 * Mailed codes and links in the database: hashes only. Each account and purpose has one open token. A newer one
 * replaces it, and its use deletes it, so only one of several callers succeeds. Lock order, here and wherever both are
 * written: the account's row first, then its tokens.
 */
import { hash, randomBytes, randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import type { Queries } from '../../../platform/database/database.ts';
import type { SigningKeys } from '../keys/keys.ts';

export const TOKEN_PURPOSES = [
  'confirmation',
  'magiclink',
  'recovery',
  'invite',
  'email_change_current',
  'email_change_new',
  'reauthentication',
] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

/** The mails state this lifetime too. */
export const TOKEN_LIFE_S = 60 * 60;
/** Five guesses at a million codes; then a new mail is needed. The link stays valid, because it can't be guessed. */
const MAX_WRONG_CODES = 5;
/** Marks links whose sign-in returns a code to exchange, with the hosted service's prefix. */
const PKCE_PREFIX = 'pkce_';

export interface OneTimeToken {
  id: string;
  userId: string;
  purpose: TokenPurpose;
  /** The address it was mailed to. */
  email: string;
  flowId: string | null;
}

export interface NewToken {
  /** Null: no account. The same statement runs and writes nothing. */
  userId: string | null;
  purpose: TokenPurpose;
  email: string;
  code: string;
  /** Null if the mail has only a code. */
  linkToken: string | null;
  flowId: string | null;
}

const COLUMNS = 'id::text as id, user_id::text as "userId", purpose, email, flow_id::text as "flowId"';

const tokenRow = z.object({
  id: z.string(),
  userId: z.string(),
  purpose: z.enum(TOKEN_PURPOSES),
  email: z.string(),
  flowId: z.nullable(z.string()),
});
const triedRow = z.extend(tokenRow, { codeHash: z.string() });

/** The account's column for the time of the request. */
const SENT_AT: Readonly<Record<TokenPurpose, string>> = {
  confirmation: 'confirmation_sent_at',
  magiclink: 'recovery_sent_at',
  recovery: 'recovery_sent_at',
  invite: 'invited_at',
  email_change_current: 'email_change_sent_at',
  email_change_new: 'email_change_sent_at',
  reauthentication: 'reauthentication_sent_at',
};

export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

export function newLinkToken(options: { isPkce: boolean }): string {
  return `${options.isPkce ? PKCE_PREFIX : ''}${randomBytes(32).toString('base64url')}`;
}

export async function putToken(
  queries: Queries,
  keys: Pick<SigningKeys, 'keyedHash'>,
  token: NewToken,
  nowIso: string,
): Promise<void> {
  await queries.query(
    `with put as (
       insert into auth.one_time_tokens as t
         (user_id, purpose, email, code_hash, link_hash, flow_id, created_at, expires_at)
       select u.id, $2::text, $3::text, $4::text, $5::text, $6::text::uuid, $7::text::timestamptz,
         $7::text::timestamptz + make_interval(secs => $8::float8)
       from auth.users u where u.id = $1::text::uuid
       on conflict (user_id, purpose) do update set id = gen_random_uuid(), email = excluded.email,
         code_hash = excluded.code_hash, link_hash = excluded.link_hash, flow_id = excluded.flow_id, wrong_tries = 0,
         created_at = excluded.created_at, expires_at = excluded.expires_at
       returning t.user_id)
     update auth.users set ${SENT_AT[token.purpose]} = $7::text::timestamptz where id in (select user_id from put)`,
    [
      token.userId,
      token.purpose,
      token.email,
      codeHash(keys, token.email, token.code),
      token.linkToken === null ? null : hash('sha256', token.linkToken),
      token.flowId,
      nowIso,
      TOKEN_LIFE_S,
    ],
  );
}

/**
 * Counts before the comparison and holds the row lock, so simultaneous guesses take turns. The count must be committed:
 * throw nothing inside the transaction because of a null.
 * @param email trimmed and in lower case. @returns null for a wrong, spent or expired code
 */
export async function tryCode(
  queries: Queries,
  keys: Pick<SigningKeys, 'keyedHash'>,
  tried: { email: string; code: string; purposes: readonly TokenPurpose[] },
  nowIso: string,
): Promise<OneTimeToken | null> {
  const rows = await queries.query(
    `update auth.one_time_tokens set wrong_tries = wrong_tries + 1
     where lower(email) = $1::text and purpose = any($2::text[]) and expires_at > $3::text::timestamptz
       and wrong_tries < $4::int
     returning ${COLUMNS}, code_hash as "codeHash"`,
    [tried.email, tried.purposes, nowIso, MAX_WRONG_CODES],
  );
  const wanted = codeHash(keys, tried.email, tried.code);
  const right = rows.map((row) => triedRow.parse(row)).find((row) => row.codeHash === wanted);
  if (right === undefined) return null;
  const { codeHash: _compared, ...token } = right;
  return token;
}

/** @returns false when another caller was faster */
export async function spendToken(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query('delete from auth.one_time_tokens where id = $1::text::uuid returning 1', [id]);
  return rows.length === 1;
}

/** Uses a link: one caller gets the token, all later ones get null. */
export async function takeLink(
  queries: Queries,
  link: { token: string; purposes: readonly TokenPurpose[] },
  nowIso: string,
): Promise<OneTimeToken | null> {
  const rows = await queries.query(
    `delete from auth.one_time_tokens
     where link_hash = $1::text and purpose = any($2::text[]) and expires_at > $3::text::timestamptz
     returning ${COLUMNS}`,
    [hash('sha256', link.token), link.purposes, nowIso],
  );
  return rows.length === 0 ? null : tokenRow.parse(rows[0]);
}

/** Locks the accounts that a code mailed to this address may belong to. */
export async function lockAccountsOfCode(
  queries: Queries,
  email: string,
  purposes: readonly TokenPurpose[],
): Promise<void> {
  await queries.query(
    `select 1 from auth.users where id in (
       select user_id from auth.one_time_tokens where lower(email) = $1::text and purpose = any($2::text[]))
     order by id for no key update`,
    [email, purposes],
  );
}

export async function lockAccountOfLink(queries: Queries, linkToken: string): Promise<void> {
  await queries.query(
    `select 1 from auth.users
     where id = (select user_id from auth.one_time_tokens where link_hash = $1::text) for no key update`,
    [hash('sha256', linkToken)],
  );
}

export async function deleteTokensOf(queries: Queries, userId: string): Promise<void> {
  await queries.query('delete from auth.one_time_tokens where user_id = $1::text::uuid', [userId]);
}

/** Deletes expired rows; locked rows are left for the next run. */
export async function deleteExpiredTokens(queries: Queries, nowIso: string): Promise<void> {
  await queries.query(
    `delete from auth.one_time_tokens where id in (
       select id from auth.one_time_tokens where expires_at <= $1::text::timestamptz for update skip locked)`,
    [nowIso],
  );
}

/** Keyed: six digits alone can be found by trying them all; without the server's secret the hash reveals nothing. */
function codeHash(keys: Pick<SigningKeys, 'keyedHash'>, email: string, code: string): string {
  return keys.keyedHash('one-time code', `${email.toLowerCase()}\n${code}`);
}
