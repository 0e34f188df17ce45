/** Google's id tokens, as sent by a page or an app: checks the signature with the published keys, issuer and age. */
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { IdTokenStatement, IdTokens, ProviderProfile } from './oauth-provider.ts';
import { ProviderFailure, type ProviderFetch } from './provider-call.ts';

export interface IdTokenParts {
  issuer: string;
  clientId: string;
  call: ProviderFetch;
  /** @throws ProviderFailure */
  keysAddress(): Promise<string | null>;
  toProfile(claims: unknown): ProviderProfile;
}

/** Asymmetric only: a published key must never serve as a secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** An unknown key id fetches the keys again, at most this often. */
const COOL_DOWN_MS = 30_000;
const KEYS_MAX_AGE_MS = 10 * 60 * 1000;

/** Google uses two forms of its issuer. */
const BARE_ISSUERS: Readonly<Record<string, string>> = { 'https://accounts.google.com': 'accounts.google.com' };

/** Errors caused by the token; any other means that the keys could not be fetched. */
const TOKEN_ERRORS = [
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

export function idTokenReader(parts: IdTokenParts): IdTokens {
  const { issuer, clientId } = parts;
  const bare = BARE_ISSUERS[issuer];
  const issuers = bare === undefined ? [issuer] : [issuer, bare];
  let keys: ReturnType<typeof createRemoteJWKSet> | null = null;

  async function fetchKeys(): Promise<ReturnType<typeof createRemoteJWKSet>> {
    if (keys !== null) return keys;
    const address = await parts.keysAddress();
    if (address === null) throw new ProviderFailure('google', 'keys', new Error('no address'));
    keys = createRemoteJWKSet(new URL(address), {
      cooldownDuration: COOL_DOWN_MS,
      cacheMaxAge: KEYS_MAX_AGE_MS,
      [customFetch]: (url, options) => parts.call(url, options),
    });
    return keys;
  }

  return {
    issuer,
    clientId,
    async read(token, nowMs) {
      const published = await fetchKeys();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, published, {
          algorithms: ALGORITHMS,
          issuer: issuers,
          requiredClaims: ['exp', 'sub', 'aud'],
          currentDate: new Date(nowMs),
        });
        return statementOf(payload, protectedHeader.alg, parts);
      } catch (cause) {
        if (TOKEN_ERRORS.some((kind) => cause instanceof kind) || isUnreadable(token)) return null;
        throw new ProviderFailure('google', 'keys', cause);
      }
    },
  };
}

function statementOf(payload: JWTPayload, algorithm: string, parts: IdTokenParts): IdTokenStatement | null {
  const { aud = [], nonce, at_hash: accessTokenHash, exp: expiresAtS = 0 } = payload;
  let profile: ProviderProfile;
  try {
    profile = parts.toProfile(payload);
  } catch {
    // Signed by the provider, but its claims don't describe a usable account.
    return null;
  }
  return {
    profile,
    audiences: typeof aud === 'string' ? [aud] : aud,
    nonce: typeof nonce === 'string' && nonce !== '' ? nonce : null,
    accessTokenHash: typeof accessTokenHash === 'string' && accessTokenHash !== '' ? accessTokenHash : null,
    algorithm,
    expiresAtS,
  };
}

function isUnreadable(token: string): boolean {
  try {
    decodeProtectedHeader(token);
    return false;
  } catch {
    // Then it isn't a token.
    return true;
  }
}
