import { AppError } from '#domain/errors/app-error.ts';
import type { DatabaseCaller } from '../../database/database.ts';

export interface Caller extends DatabaseCaller {
  role: 'anon' | 'authenticated' | 'service_role';
  userId: string | null;
  sessionId: string | null;
}

export const ANONYMOUS: Caller = { role: 'anon', claims: null, userId: null, sessionId: null };

export interface CallerReader {
  /** Anonymous without a token or with the anon key. @throws AppError `auth/bad-token` */
  read(request: Request): Promise<Caller>;
  /**
   * A signed-in user with a live session: our functions and the chart API refuse a revoked session immediately. If the
   * account has a second factor, the session must have passed it.
   * @param options.isOneFactorEnough for actions of users who have lost their second factor
   * @throws AppError `auth/not-signed-in`, `auth/bad-token`, `auth/session-ended`, `auth/second-factor-needed`
   */
  requireUser(request: Request, options?: { isOneFactorEnough?: boolean }): Promise<SignedInCaller>;
}

export type SignedInCaller = Caller & { userId: string; sessionId: string };

/** A session's current state in the database, because a token may predate it. */
export interface SignInStatus {
  /** False once the session was signed out or its user removed or banned. */
  isLive: boolean;
  hasSecondFactor: boolean;
  isRaised: boolean;
}

/** Verified claims of an access token, or of the anon and service keys. */
export interface TokenVerifier {
  /** @throws AppError `auth/bad-token` */
  verify(token: string): Promise<Readonly<Record<string, unknown>>>;
  sessionStatus(sessionId: string): Promise<SignInStatus>;
}

/** This process's cache of sessions, updated by code that changes them here, after the change is committed. */
export interface SessionMemory {
  endSessions(sessionIds: readonly string[]): void;
  /** The user's factors have changed, so all of the user's sessions are read from the database again. */
  forgetUser(userId: string): void;
}

export function bearerOf(request: Request): string | null {
  const match = /^Bearer ([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(request.headers.get('authorization') ?? '');
  return match?.[1] ?? null;
}

export function callerReader(verifier: TokenVerifier): CallerReader {
  async function read(request: Request): Promise<Caller> {
    if (!request.headers.has('authorization')) return ANONYMOUS;
    const token = bearerOf(request);
    if (token === null) throw new AppError('auth/bad-token');
    const claims = await verifier.verify(token);
    if (claims.role === 'anon') return ANONYMOUS;
    if (claims.role === 'service_role') return { role: 'service_role', claims, userId: null, sessionId: null };
    if (claims.role !== 'authenticated' || typeof claims.sub !== 'string') throw new AppError('auth/bad-token');
    const sessionId = typeof claims.session_id === 'string' ? claims.session_id : null;
    return { role: 'authenticated', claims, userId: claims.sub, sessionId };
  }

  async function requireUser(request: Request, options: { isOneFactorEnough?: boolean } = {}): Promise<SignedInCaller> {
    const caller = await read(request);
    const { userId, sessionId } = caller;
    if (userId === null) throw new AppError('auth/not-signed-in');
    if (sessionId === null) throw new AppError('auth/session-ended');
    const { isLive, hasSecondFactor, isRaised } = await verifier.sessionStatus(sessionId);
    if (!isLive) throw new AppError('auth/session-ended');
    // Neither an old token nor a session that has since been lowered is enough.
    const isShown = isRaised && caller.claims?.aal === 'aal2';
    if (hasSecondFactor && !isShown && options.isOneFactorEnough !== true)
      throw new AppError('auth/second-factor-needed');
    return { ...caller, userId, sessionId };
  }

  return { read, requireUser };
}
