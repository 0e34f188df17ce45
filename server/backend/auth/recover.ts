/** POST /recover: a way back in for who forgot the password. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';

export async function recover(_c: Context, _deps: AuthDeps): Promise<Record<string, never>> {
  throw notAvailable();
}
