/** POST /resend: a mail once more. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';

export async function resend(_c: Context, _deps: AuthDeps): Promise<Record<string, never>> {
  throw notAvailable();
}
