import type { Context } from 'hono';
import { OWNER, SqlError, type Transaction } from '../../../platform/database/database.ts';
import {
  type AuthDeps,
  liveCallerId,
  normalEmail,
  nowIso,
  phoneDisabled,
  readObject,
  textField,
} from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { type Flow, findFlow } from '../sessions/flow-store.ts';
import { arrive, errorForRedirect, redirectSignedIn, redirectWithError } from '../sessions/redirect-answer.ts';
import { type SessionAnswer, sessionAnswer, signInAs } from '../sessions/sessions.ts';
import { proveAddress } from './address-proof.ts';
import { agreeToEmailChange, emailExists, ONE_MORE_CONFIRMATION } from './email-change.ts';
import {
  lockAccountOfLink,
  lockAccountsOfCode,
  type OneTimeToken,
  spendToken,
  type TokenPurpose,
  takeLink,
  tryCode,
} from './one-time-token-store.ts';

/** The purposes that each `type` accepts. Pages send `email` when either of the two mails will do. */
const PURPOSES_OF_TYPE: ReadonlyMap<string, readonly TokenPurpose[]> = new Map<string, readonly TokenPurpose[]>([
  ['signup', ['confirmation']],
  ['magiclink', ['magiclink']],
  ['email', ['confirmation', 'magiclink']],
  ['recovery', ['recovery']],
  ['invite', ['invite']],
  ['email_change', ['email_change_current', 'email_change_new']],
]);

/** `{msg, code}` after the first of two confirmations of a changed address. */
export type VerifyAnswer = SessionAnswer | { msg: string; code: string };

/** @throws AuthError 403 otp_expired for any invalid code or link; 400 validation_failed; 422 email_exists */
export async function verifyPost(c: Context, deps: AuthDeps): Promise<VerifyAnswer> {
  await deps.limits.verifyPerAddress.consume(deps.clientAddress(c));
  const tried = readTried(await readObject(c));
  if (tried.kind === 'code') await deps.limits.codesPerAccount.consume(tried.email);
  const callerId = await liveCallerId(c, deps);
  const now = nowIso(deps);
  const outcome = await settle(deps, tried, callerId, now, async (tx, proven) => {
    if (proven.isOneMoreNeeded) return null;
    const { userId } = proven.token;
    // As on a hosted project: the proof is always recorded as a one-time code.
    return signInAs(tx, c, deps, { userId, proof: { method: 'otp' } }, now);
  });
  if (outcome === null) throw new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
  if (tried.kind === 'code') await deps.limits.codesPerAccount.forgive(tried.email);
  if (outcome.result === null) return { msg: ONE_MORE_CONFIRMATION, code: '200' };
  const { session, stored } = outcome.result;
  return sessionAnswer(c, deps, stored.user, session);
}

/** 303 to the allowed `redirect_to`: with a session, a code to exchange, a message, or an error. */
export async function verifyGet(c: Context, deps: AuthDeps): Promise<Response> {
  // A mail scanner's request, or a browser's prefetch, must not use up the link.
  if (c.req.method === 'HEAD') return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  if (/prefetch|prerender/i.test(c.req.header('sec-purpose') ?? ''))
    return new Response(null, { status: 503, headers: { 'cache-control': 'no-store' } });
  const redirectTo = deps.redirects.resolve(deps.originOf(c), c.req.query('redirect_to'));
  try {
    return await followLink(c, deps, redirectTo);
  } catch (error) {
    return redirectWithError(redirectTo, errorForRedirect(error), 303);
  }
}

async function followLink(c: Context, deps: AuthDeps, redirectTo: string): Promise<Response> {
  await deps.limits.verifyPerAddress.consume(deps.clientAddress(c));
  const type = c.req.query('type') ?? '';
  const tried = readLink(c.req.query('token') ?? c.req.query('token_hash') ?? '', type);
  const now = nowIso(deps);
  const outcome = await settle(deps, tried, null, now, async (tx, { token, flow, isOneMoreNeeded }) => {
    if (isOneMoreNeeded) return { kind: 'one-more' as const, isForCode: flow !== null };
    const flowRedirect = { redirectTo, flow, method: 'otp', providerTokens: null, type };
    return { kind: 'in' as const, flowRedirect, arrival: await arrive(tx, c, deps, flowRedirect, token, now) };
  });
  if (outcome === null) throw new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
  const { result } = outcome;
  return result.kind === 'one-more'
    ? redirectWithMessage(redirectTo, ONE_MORE_CONFIRMATION, result)
    : redirectSignedIn(c, deps, result.flowRedirect, result.arrival, 303);
}

type Tried =
  | { kind: 'code'; email: string; code: string; purposes: readonly TokenPurpose[] }
  | { kind: 'link'; token: string; purposes: readonly TokenPurpose[] };

interface Proven {
  token: OneTimeToken;
  flow: Flow | null;
  isOneMoreNeeded: boolean;
}

/**
 * One transaction for the proof and `andThen`. @returns null when wrong, spent or expired; the attempt stays counted
 */
async function settle<T>(
  deps: AuthDeps,
  tried: Tried,
  callerId: string | null,
  now: string,
  andThen: (tx: Transaction, proven: Proven) => Promise<T>,
): Promise<{ result: T } | null> {
  try {
    const settled = await deps.database.transaction(OWNER, async (tx) => {
      const token = await take(tx, deps, tried, now);
      const proof = token === null ? null : await accept(tx, token, callerId, now);
      if (token === null || proof === null) return null;
      const flow = token.flowId === null ? null : await findFlow(tx, token.flowId, now);
      const proven = { token, flow, isOneMoreNeeded: proof.isOneMoreNeeded };
      return { endedSessionIds: proof.endedSessionIds, result: await andThen(tx, proven) };
    });
    if (settled !== null) deps.verifier.endSessions(settled.endedSessionIds);
    return settled;
  } catch (error) {
    // Only a change of address writes a unique value.
    if (error instanceof SqlError && error.code === '23505') throw emailExists();
    throw error;
  }
}

async function take(tx: Transaction, deps: AuthDeps, tried: Tried, now: string): Promise<OneTimeToken | null> {
  if (tried.kind === 'link') {
    await lockAccountOfLink(tx, tried.token);
    return takeLink(tx, tried, now);
  }
  await lockAccountsOfCode(tx, tried.email, tried.purposes);
  const token = await tryCode(tx, deps.keys, tried, now);
  return token !== null && (await spendToken(tx, token.id)) ? token : null;
}

async function accept(
  tx: Transaction,
  token: OneTimeToken,
  callerId: string | null,
  now: string,
): Promise<{ endedSessionIds: readonly string[]; isOneMoreNeeded: boolean } | null> {
  if (token.purpose === 'email_change_current' || token.purpose === 'email_change_new') {
    const step = await agreeToEmailChange(tx, token, now);
    return step === null ? null : { endedSessionIds: [], isOneMoreNeeded: step === 'one-more' };
  }
  const proven = await proveAddress(tx, token, callerId, now);
  return proven === null ? null : { ...proven, isOneMoreNeeded: false };
}

function readTried(body: Record<string, unknown>): Tried {
  const type = textField(body, 'type') ?? '';
  const code = (textField(body, 'token') ?? '').trim();
  const hash = textField(body, 'token_hash') ?? '';
  const email = textField(body, 'email') ?? '';
  const phone = textField(body, 'phone') ?? '';
  if (phone !== '' && email === '') throw phoneDisabled();
  if ((code === '') === (hash === '')) throw validationFailed('Verify requires either a token or a token hash');
  if (hash !== '') {
    if (email !== '' || phone !== '') throw validationFailed('Only the token_hash and type should be provided');
    return readLink(hash, type);
  }
  if (email === '' || phone !== '')
    throw validationFailed('Only an email address or phone number should be provided on verify');
  const address = normalEmail(email);
  if (address === null) throw validationFailed('Unable to validate email address: invalid format');
  return { kind: 'code', email: address, code, purposes: purposesOf(type) };
}

function readLink(token: string, type: string): Tried {
  if (token === '') throw validationFailed('Verify requires a token or a token hash');
  return { kind: 'link', token, purposes: purposesOf(type) };
}

function purposesOf(type: string): readonly TokenPurpose[] {
  if (type === '') throw validationFailed('Verify requires a verification type');
  if (type === 'sms' || type === 'phone_change') throw phoneDisabled();
  const purposes = PURPOSES_OF_TYPE.get(type);
  if (purposes === undefined) throw validationFailed('Invalid email verification type');
  return purposes;
}

/** @param options.isForCode  the page expects a code in the query (PKCE), so the message goes there too */
function redirectWithMessage(redirectTo: string, message: string, options: { isForCode: boolean }): Response {
  const url = new URL(redirectTo);
  if (options.isForCode) url.searchParams.set('message', message);
  url.hash = new URLSearchParams({ message }).toString();
  return new Response(null, { status: 303, headers: { location: url.href, 'cache-control': 'no-store' } });
}
