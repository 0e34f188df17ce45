/** Answers that carry a session: a new one after a password, or one that goes on after a refresh. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { Transaction } from '../../platform/database.ts';
import type { AuthDeps } from './auth-deps.ts';
import { insertSession, type OpenedSession } from './session-store.ts';
import { ACCESS_TOKEN_S } from './token-verifier.ts';
import type { AuthUser } from './user-store.ts';

export interface SessionAnswer {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: AuthUser;
}

export function openSession(
  tx: Transaction,
  c: Context,
  deps: AuthDeps,
  userId: string,
  nowIso: string,
): Promise<OpenedSession> {
  const origin = { userAgent: c.req.header('user-agent') ?? null, address: deps.clientAddress(c) };
  return insertSession(tx, { sessionId: randomUUID(), userId, origin }, nowIso);
}

/** @param signedInAtS when the password was given, epoch seconds */
export async function sessionAnswer(
  deps: AuthDeps,
  user: AuthUser,
  session: OpenedSession,
  signedInAtS: number,
): Promise<SessionAnswer> {
  const issuedAtS = Math.floor(deps.clock.nowMs() / 1000);
  const expiresAtS = issuedAtS + ACCESS_TOKEN_S;
  const claims = {
    iss: deps.issuer,
    sub: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    phone: user.phone,
    session_id: session.sessionId,
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: signedInAtS }],
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
