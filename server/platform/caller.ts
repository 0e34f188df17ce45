/** Who sent a request: read from its bearer token once, at the border. */
import { AppError } from '#domain/errors/app-error.ts';
import type { DatabaseCaller } from './database.ts';

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
   * A signed-in user whose session is still alive: our own functions and the chart API refuse a revoked one at once.
   * @throws AppError `auth/not-signed-in`, `auth/bad-token`, `auth/session-ended`
   */
  requireUser(request: Request): Promise<Caller & { userId: string }>;
}

/** Verified claims of an access token, or of the anon and service keys. */
export interface TokenVerifier {
  /** @throws AppError `auth/bad-token` */
  verify(token: string): Promise<Readonly<Record<string, unknown>>>;
  /** False once the session was signed out or its user removed or banned. */
  isSessionLive(sessionId: string): Promise<boolean>;
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

  async function requireUser(request: Request): Promise<Caller & { userId: string }> {
    const caller = await read(request);
    if (caller.userId === null) throw new AppError('auth/not-signed-in');
    if (caller.sessionId === null || !(await verifier.isSessionLive(caller.sessionId)))
      throw new AppError('auth/session-ended');
    return { ...caller, userId: caller.userId };
  }

  return { read, requireUser };
}
