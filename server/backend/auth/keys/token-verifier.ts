import { errors } from 'jose';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { SessionMemory, TokenVerifier } from '../../../platform/http/calls/caller.ts';
import type { Bus } from '../../../platform/processes/bus.ts';
import type { SigningKeys } from './keys.ts';
import { liveSessions, type SessionState, sharedSessions } from './live-sessions.ts';
import { rememberVerified } from './verified-tokens.ts';

export const ACCESS_TOKEN_S = 60 * 60;

export interface SessionVerifier extends TokenVerifier, SessionMemory {
  sessionState(sessionId: string): Promise<SessionState>;
  /** False once the session was signed out or its user deleted or banned. */
  isSessionLive(sessionId: string): Promise<boolean>;
}

export function tokenVerifier(keys: SigningKeys, database: Database, clock: Clock, bus?: Bus): SessionVerifier {
  const sessions = sharedSessions(liveSessions(database, clock), bus);

  const verifySigned = rememberVerified((token) => keys.verify(token, clock.nowMs()), clock);

  async function verify(token: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const claims = await verifySigned(token);
      if (claims.role === 'authenticated' && claims.aud !== 'authenticated')
        throw new errors.JWTClaimValidationFailed('unexpected "aud" claim value', claims, 'aud');
      return claims;
    } catch (cause) {
      if (!(cause instanceof errors.JOSEError)) throw cause;
      const reason = cause instanceof errors.JWTExpired ? 'expired' : 'invalid';
      throw new AppError('auth/bad-token', { details: { reason }, cause });
    }
  }

  return {
    verify,
    sessionStatus: (sessionId) => sessions.statusOf(sessionId),
    isSessionLive: async (sessionId) => (await sessions.stateOf(sessionId)) === 'live',
    sessionState: (sessionId) => sessions.stateOf(sessionId),
    endSessions: (sessionIds) => sessions.end(sessionIds, ACCESS_TOKEN_S * 1000),
    forgetUser: (userId) => sessions.forgetUser(userId),
  };
}

export interface ApiKeyDeps {
  keys: Pick<SigningKeys, 'anonKey'>;
  verifier: Pick<TokenVerifier, 'verify'>;
}

export async function hasApiKey(request: Request, deps: ApiKeyDeps): Promise<boolean> {
  const key = request.headers.get('apikey');
  if (key === null) return false;
  if (key === deps.keys.anonKey) return true;
  try {
    await deps.verifier.verify(key);
    return true;
  } catch (error) {
    // A key that fails verification counts as missing; any other error is a bug.
    if (isAppError(error) && error.code === 'auth/bad-token') return false;
    throw error;
  }
}
