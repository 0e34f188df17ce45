/** GET /authorize and /callback: to a provider and back. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';

export async function authorize(_c: Context, _deps: AuthDeps): Promise<Response> {
  throw notAvailable();
}

export async function callback(_c: Context, _deps: AuthDeps): Promise<Response> {
  throw notAvailable();
}
