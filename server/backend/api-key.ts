/** The header `apikey`: the anon key, the service key, or any valid token signed here. */
import { isAppError } from '#domain/errors/app-error.ts';
import type { TokenVerifier } from '../platform/http/calls/caller.ts';
import type { SigningKeys } from './auth/keys/keys.ts';

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
