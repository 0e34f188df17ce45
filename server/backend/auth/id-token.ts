/** POST /token?grant_type=id_token: a session for a token that a provider signed. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';
import type { SessionAnswer } from './sessions.ts';

export async function byIdToken(_c: Context, _deps: AuthDeps): Promise<SessionAnswer> {
  throw notAvailable();
}
