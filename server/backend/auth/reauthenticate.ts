/** GET /reauthenticate: a code by mail that a change of password asks for. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';

export async function reauthenticate(_c: Context, _deps: AuthDeps): Promise<Record<string, never>> {
  throw notAvailable();
}
