/** POST /otp: a link and a code by mail, for an account that is there or is to be made. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';

export async function otp(_c: Context, _deps: AuthDeps): Promise<Record<string, never>> {
  throw notAvailable();
}
