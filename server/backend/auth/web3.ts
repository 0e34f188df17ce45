/** POST /token?grant_type=web3: a session for a message that a wallet signed. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';
import type { SessionAnswer } from './sessions.ts';

export async function byWeb3(_c: Context, _deps: AuthDeps): Promise<SessionAnswer> {
  throw notAvailable();
}
