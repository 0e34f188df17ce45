/**
 * Sign-ins that leave the page, through a mail or a provider. The callback works once; it ends in an auth code that the
 * same browser exchanges for a session, once and within five minutes.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Queries } from '../../../platform/database/database.ts';
import type { CodeChallenge } from './code-challenge.ts';

/** The provider's own tokens; stored sealed. */
export const providerTokensSchema = z.object({
  providerToken: z.nullable(z.string()),
  providerRefreshToken: z.nullable(z.string()),
});
export type ProviderTokens = z.infer<typeof providerTokensSchema>;

export interface NewFlow {
  kind: 'email' | 'oauth' | 'saml';
  /** `email`, `google`, `github`, or the id of a SAML provider. */
  provider: string;
  /** Recorded in the session's amr: `otp`, `magiclink`, `recovery`, `oauth`, `sso/saml` ... */
  method: string;
  redirectTo: string;
  challenge: CodeChallenge | null;
  /** Sent to the provider and back; only its hash is stored. */
  state: string | null;
  /** Sealed state for the callback. */
  providerState: string | null;
  linkingUserId: string | null;
}

export interface Flow extends Omit<NewFlow, 'state'> {
  id: string;
}

/** How long a user may take on a provider's page. */
const FLOW_LIFE_S = 15 * 60;
/** Longer, because mails are read later. */
const EMAIL_FLOW_LIFE_S = 24 * 60 * 60;
const AUTH_CODE_LIFE_S = 5 * 60;

const FLOW_COLUMNS = `id::text as id, kind, provider, authentication_method as method, redirect_to as "redirectTo",
  code_challenge as "codeChallenge", code_challenge_method as "codeChallengeMethod",
  provider_state as "providerState", linking_user_id::text as "linkingUserId"`;

const flowRow = z.object({
  id: z.string(),
  kind: z.enum(['email', 'oauth', 'saml']),
  provider: z.string(),
  method: z.string(),
  redirectTo: z.string(),
  codeChallenge: z.nullable(z.string()),
  codeChallengeMethod: z.nullable(z.enum(['s256', 'plain'])),
  providerState: z.nullable(z.string()),
  linkingUserId: z.nullable(z.string()),
});

export function newFlowState(): string {
  return randomBytes(32).toString('base64url');
}

export async function insertFlow(queries: Queries, flow: NewFlow, nowIso: string): Promise<string> {
  const id = randomUUID();
  const lifeS = flow.kind === 'email' ? EMAIL_FLOW_LIFE_S : FLOW_LIFE_S;
  await queries.query(
    `insert into auth.flow_state (id, kind, provider, authentication_method, redirect_to, code_challenge,
       code_challenge_method, state_hash, provider_state, linking_user_id, created_at, expires_at)
     values ($1::text::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text,
       $10::text::uuid, $11::text::timestamptz, $11::text::timestamptz + make_interval(secs => $12::float8))`,
    [
      id,
      flow.kind,
      flow.provider,
      flow.method,
      flow.redirectTo,
      flow.challenge?.challenge ?? null,
      flow.challenge?.method ?? null,
      flow.state === null ? null : hash('sha256', flow.state),
      flow.providerState,
      flow.linkingUserId,
      nowIso,
      lifeS,
    ],
  );
  return id;
}

/** Handles a provider's callback: one caller gets the flow, all later ones get null. */
export async function takeFlowByState(queries: Queries, state: string, nowIso: string): Promise<Flow | null> {
  const rows = await queries.query(
    `update auth.flow_state set state_hash = null
     where state_hash = $1::text and expires_at > $2::text::timestamptz returning ${FLOW_COLUMNS}`,
    [hash('sha256', state), nowIso],
  );
  return rows.length === 0 ? null : toFlow(rows[0]);
}

export async function findFlow(queries: Queries, id: string, nowIso: string): Promise<Flow | null> {
  const rows = await queries.query(
    `select ${FLOW_COLUMNS} from auth.flow_state where id = $1::text::uuid and expires_at > $2::text::timestamptz`,
    [id, nowIso],
  );
  return rows.length === 0 ? null : toFlow(rows[0]);
}

/** @param providerTokens  sealed, or null */
export async function issueAuthCode(
  queries: Queries,
  issued: { flowId: string; userId: string; providerTokens: string | null; sessionNotAfterIso?: string | null },
  nowIso: string,
): Promise<string> {
  const code = randomUUID();
  await queries.query(
    `update auth.flow_state set auth_code_hash = $2::text, user_id = $3::text::uuid, provider_tokens = $4::text,
       auth_code_issued_at = $5::text::timestamptz, session_not_after = $7::text::timestamptz,
       expires_at = $5::text::timestamptz + make_interval(secs => $6::float8)
     where id = $1::text::uuid`,
    [
      issued.flowId,
      hash('sha256', code),
      issued.userId,
      issued.providerTokens,
      nowIso,
      AUTH_CODE_LIFE_S,
      issued.sessionNotAfterIso ?? null,
    ],
  );
  return code;
}

export interface RedeemedCode {
  userId: string;
  method: string;
  provider: string;
  kind: Flow['kind'];
  challenge: CodeChallenge;
  providerTokens: string | null;
  /** When the organisation's own session ends; null for no limit. */
  sessionNotAfterIso: string | null;
}

const redeemedRow = z.object({
  userId: z.string(),
  method: z.string(),
  provider: z.string(),
  kind: z.enum(['email', 'oauth', 'saml']),
  challenge: z.string(),
  challengeMethod: z.enum(['s256', 'plain']),
  providerTokens: z.nullable(z.string()),
  sessionNotAfterIso: z.nullable(z.string()),
});

/** Locks the code's account before its flow is taken: takeovers of an account lock in this order too. */
export async function lockAccountOfAuthCode(queries: Queries, code: string): Promise<void> {
  await queries.query(
    `select 1 from auth.users
     where id = (select user_id from auth.flow_state where auth_code_hash = $1::text) for no key update`,
    [hash('sha256', code)],
  );
}

/** Deletes the flow, so only one of several callers gets it; a wrong verifier spends the code too. */
export async function redeemAuthCode(queries: Queries, code: string, nowIso: string): Promise<RedeemedCode | null> {
  const rows = await queries.query(
    `delete from auth.flow_state
     where auth_code_hash = $1::text and expires_at > $2::text::timestamptz and code_challenge is not null
     returning user_id::text as "userId", authentication_method as method, provider, kind, code_challenge as challenge,
       code_challenge_method as "challengeMethod", provider_tokens as "providerTokens",
       session_not_after as "sessionNotAfterIso"`,
    [hash('sha256', code), nowIso],
  );
  if (rows.length === 0) return null;
  const { challenge, challengeMethod, ...row } = redeemedRow.parse(rows[0]);
  return { ...row, challenge: { challenge, method: challengeMethod } };
}

export async function deleteExpiredFlows(queries: Queries, nowIso: string): Promise<void> {
  await queries.query('delete from auth.flow_state where expires_at <= $1::text::timestamptz', [nowIso]);
}

function toFlow(row: unknown): Flow {
  const { codeChallenge, codeChallengeMethod, ...flow } = flowRow.parse(row);
  const hasChallenge = codeChallenge !== null && codeChallengeMethod !== null;
  return { ...flow, challenge: hasChallenge ? { challenge: codeChallenge, method: codeChallengeMethod } : null };
}
