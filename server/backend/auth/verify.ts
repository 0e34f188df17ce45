/** POST and GET /verify: the code or the link of a mail. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';
import type { SessionAnswer } from './sessions.ts';

export async function verifyPost(_c: Context, _deps: AuthDeps): Promise<SessionAnswer | Record<string, unknown>> {
  throw notAvailable();
}

export async function verifyGet(_c: Context, _deps: AuthDeps): Promise<Response> {
  throw notAvailable();
}
