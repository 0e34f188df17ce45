import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { OWNER, type Transaction } from '../../../platform/database/database.ts';
import { endAccess } from '../accounts/account-access.ts';
import { type AuthDeps, nowIso, requireSession } from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { ACCESS_TOKEN_S } from '../keys/token-verifier.ts';
import { type AuthUser, findUser, lockAccount, markSignedIn, type StoredUser } from '../user-store.ts';
import { deleteSessions, insertSession, type NewSession, type OpenedSession } from './session-store.ts';

export interface SessionAnswer {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: AuthUser;
  /** The provider's own tokens, once, right after signing in through it. */
  provider_token?: string;
  provider_refresh_token?: string;
}

export function openSession(
  tx: Transaction,
  c: Context,
  deps: AuthDeps,
  session: NewSession,
  nowIso: string,
): Promise<OpenedSession> {
  const origin = { userAgent: c.req.header('user-agent') ?? null, address: deps.clientAddress(c) };
  return insertSession(tx, { ...session, sessionId: randomUUID(), origin }, nowIso);
}

export async function sessionAnswer(
  c: Context,
  deps: AuthDeps,
  user: AuthUser,
  session: OpenedSession,
): Promise<SessionAnswer> {
  const issuedAtS = Math.floor(deps.clock.nowMs() / 1000);
  const expiresAtS = issuedAtS + ACCESS_TOKEN_S;
  const claims = {
    iss: issuerOf(c, deps),
    sub: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    phone: user.phone,
    session_id: session.sessionId,
    aal: session.aal,
    amr: session.amr,
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    is_anonymous: user.is_anonymous,
  };
  return {
    access_token: await deps.keys.sign(claims, issuedAtS, expiresAtS),
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_S,
    expires_at: expiresAtS,
    refresh_token: session.refreshToken,
    user,
  };
}

/** As this browser knows it. Tokens are verified by signature alone, so those with a former address stay valid. */
function issuerOf(c: Context, deps: AuthDeps): string {
  return `${deps.originOf(c)}/auth/v1`;
}

export interface SignedInAs {
  stored: StoredUser;
  session: OpenedSession;
}

/**
 * Runs in the transaction of the proof, so that no takeover of the account comes in between. Locks the account's row
 * first, so what is read stays true until the session exists.
 * @throws AuthError 400 user_banned, 404 user_not_found
 */
export async function signInAs(
  tx: Transaction,
  c: Context,
  deps: AuthDeps,
  wanted: NewSession,
  nowIso: string,
): Promise<SignedInAs> {
  await markSignedIn(tx, wanted.userId, nowIso);
  const stored = await findUser(tx, wanted.userId, nowIso);
  if (stored === null) throw new AuthError(404, 'user_not_found', 'User not found');
  requireNotBanned(stored);
  return { stored, session: await openSession(tx, c, deps, wanted, nowIso) };
}

/** @throws AuthError 400 user_banned */
export function requireNotBanned(account: Pick<StoredUser, 'isBanned'>): void {
  if (account.isBanned) throw new AuthError(400, 'user_banned', 'User is banned');
}

export async function logout(c: Context, deps: AuthDeps): Promise<void> {
  const scope = c.req.query('scope') ?? 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others')
    throw validationFailed('scope must be global, local or others');
  const signedIn = await requireSession(c, deps);
  const ended = await deps.database.transaction(OWNER, async (tx) => {
    await lockAccount(tx, signedIn.userId, nowIso(deps));
    const { userId, sessionId } = signedIn;
    if (scope === 'local') return deleteSessions(tx, 'local', signedIn);
    return endAccess(tx, 'sign-out', { userId, currentSessionId: scope === 'others' ? sessionId : null }, nowIso(deps));
  });
  deps.verifier.endSessions(ended);
}
