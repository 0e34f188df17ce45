/** POST /sso and the SAML endpoints: sign-in through an organisation. */
import type { Context } from 'hono';
import type { AuthDeps } from './auth-deps.ts';
import { notAvailable } from './not-available.ts';

export async function startSso(_c: Context, _deps: AuthDeps): Promise<Response> {
  throw notAvailable();
}

export async function samlConsume(_c: Context, _deps: AuthDeps): Promise<Response> {
  throw notAvailable();
}

export async function samlMetadata(_c: Context, _deps: AuthDeps): Promise<Response> {
  throw notAvailable();
}
