/** The identities an account signs in with: linking one more, and unlinking. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';

export async function authorizeIdentity(_c: Context, _deps: AuthDeps): Promise<Response> {
  throw notAvailable();
}

export async function deleteIdentity(_c: Context, _deps: AuthDeps): Promise<Record<string, never>> {
  throw notAvailable();
}
