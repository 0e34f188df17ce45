/** Answers that contain a session: a new one after a proof of identity, or a refreshed one. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { Transaction } from '../../../platform/database/database.ts';
import type { AuthDeps } from '../auth-deps.ts';
import { ACCESS_TOKEN_S } from '../keys/token-verifier.ts';
import type { AuthUser } from '../user-store.ts';
import { insertSession, type NewSession, type OpenedSession } from './session-store.ts';

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

/**
 * The public address of the auth service, as this request's browser knows it. Our tokens are verified by signature
 * alone, so tokens with a former address stay valid until they expire.
 */
function issuerOf(c: Context, deps: AuthDeps): string {
  return `${deps.originOf(c)}/auth/v1`;
}
