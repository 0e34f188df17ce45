/** Keys are fetched when needed, and for an unknown key id (a rotation), but not more often than the cool-down. */
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, jwtVerify } from 'jose';
import { AppError } from '#domain/errors/app-error.ts';
import type { SessionMemory, TokenVerifier } from '../../platform/http/calls/caller.ts';
import type { LiveSessions } from '../auth/keys/live-sessions.ts';

/** A project that still signs with its shared secret (HS256) publishes no key, and its tokens are refused. */
const PROJECT_ALGORITHMS = ['ES256', 'RS256'];

const FETCH_TIMEOUT_MS = 5000;
const COOL_DOWN_MS = 30_000;
/** Longer than a live session is cached. */
const ENDED_REMEMBERED_MS = 60_000;
/** After a failed fetch. */
const FAILED_COOL_DOWN_MS = 1000;

export interface HostedTokensOptions {
  /** The project's address, without a slash at the end. */
  url: string;
  anonKey: string;
  sessions: LiveSessions;
}

export interface HostedTokens extends TokenVerifier, SessionMemory {
  /** Fetches the keys now. @returns how many of them can sign accepted tokens @throws AppError `backend/unavailable` */
  loadKeys(): Promise<number>;
}

/** The project is unavailable: not the token's fault. */
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
    // The library sends the anon key as bearer token while no user is signed in.
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
    sessionStatus: (sessionId) => options.sessions.statusOf(sessionId),
    // Independent of the lifetime of the project's tokens: after that, the database gives the same answer.
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

/** jose only cools down after a success; this also prevents a fetch per token from an unavailable project. */
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
