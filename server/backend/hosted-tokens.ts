/**
 * Verifies the access tokens of a hosted project with its public keys. They are fetched when first needed, again when a
 * token names a key that is not known (so a rotation is followed), and never more often than the cool-down allows.
 */
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, jwtVerify } from 'jose';
import { AppError } from '#domain/errors/app-error.ts';
import type { SessionMemory, TokenVerifier } from '../platform/http/calls/caller.ts';
import type { LiveSessions } from './auth/keys/live-sessions.ts';

/** A project that still signs with its shared secret (HS256) publishes no key, and its tokens are refused. */
const PROJECT_ALGORITHMS = ['ES256', 'RS256'];

const FETCH_TIMEOUT_MS = 5000;
/** Between two fetches of the keys. */
const COOL_DOWN_MS = 30_000;
/** Longer than a yes about a session is remembered. */
const ENDED_REMEMBERED_MS = 60_000;
/** After a fetch that failed. */
const FAILED_COOL_DOWN_MS = 1000;

export interface HostedTokensOptions {
  /** The project's address, without a slash at the end. */
  url: string;
  anonKey: string;
  sessions: LiveSessions;
}

export interface HostedTokens extends TokenVerifier, SessionMemory {
  /** Fetches the keys now. @returns how many of them can sign tokens that are taken here @throws AppError `backend/unavailable` */
  loadKeys(): Promise<number>;
}

/** The project could not be asked: no fault of the token. */
class KeysOutOfReach extends Error {
  override readonly name = 'KeysOutOfReach';
}

export function hostedTokens(options: HostedTokensOptions): HostedTokens {
  const issuer = `${options.url}/auth/v1`;
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cooldownDuration: COOL_DOWN_MS,
    cacheMaxAge: 10 * 60 * 1000,
    headers: { apikey: options.anonKey },
    [customFetch]: keyFetcher(),
  });

  async function verify(token: string): Promise<Readonly<Record<string, unknown>>> {
    // The library sends the anon key as bearer token while nobody is signed in.
    if (token === options.anonKey) return { role: 'anon' };
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: PROJECT_ALGORITHMS,
        issuer,
        audience: 'authenticated',
        requiredClaims: ['exp', 'sub', 'role', 'session_id'],
      });
      return payload;
    } catch (cause) {
      throw refusal(cause);
    }
  }

  return {
    verify,
    sessionStanding: (sessionId) => options.sessions.standingOf(sessionId),
    // However long the project's tokens live: after that the database is asked, and says the same.
    endSessions: (sessionIds) => options.sessions.end(sessionIds, ENDED_REMEMBERED_MS),
    forgetUser: (userId) => options.sessions.forgetUser(userId),
    async loadKeys() {
      try {
        await keys.reload();
      } catch (cause) {
        throw refusal(cause);
      }
      const known = keys.jwks()?.keys ?? [];
      return known.filter((key) => key.kty === 'RSA' || (key.kty === 'EC' && key.crv === 'P-256')).length;
    },
  };
}

/** jose cools down after a success alone; this keeps a project that is away from being asked for every token too. */
function keyFetcher(): FetchImplementation {
  let failedAtMs = Number.NEGATIVE_INFINITY;
  return async (url, init) => {
    if (performance.now() - failedAtMs < FAILED_COOL_DOWN_MS) throw new KeysOutOfReach('failed a moment ago');
    try {
      const answer = await fetch(url, init);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      JSON.parse(text);
      return new Response(text);
    } catch (cause) {
      failedAtMs = performance.now();
      throw new KeysOutOfReach("the project's keys could not be fetched", { cause });
    }
  };
}

function refusal(cause: unknown): unknown {
  if (cause instanceof KeysOutOfReach || cause instanceof errors.JWKSInvalid)
    return new AppError('backend/unavailable', { cause });
  if (!(cause instanceof errors.JOSEError)) return cause;
  const reason = cause instanceof errors.JWTExpired ? 'expired' : 'invalid';
  return new AppError('auth/bad-token', { details: { reason }, cause });
}
