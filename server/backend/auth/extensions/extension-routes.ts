/**
 * Calls that the auth protocol specifies and no page of ours makes: wallets, organisations, id tokens and
 * reauthentication. The rest of `auth/` uses this folder only through this list and `requireNonce`.
 */
import type { Context, Hono } from 'hono';
import type { AuthDeps } from '../auth-deps.ts';
import type { SessionAnswer } from '../sessions/sessions.ts';
import { byIdToken } from './id-token.ts';
import { samlConsume, samlMetadata, startSso } from './organisations/sso.ts';
import { reauthenticate } from './reauthenticate.ts';
import { byWeb3 } from './wallets/web3.ts';

/** By `grant_type` of POST /token. */
export const EXTENSION_GRANTS: ReadonlyMap<string, (c: Context, deps: AuthDeps) => Promise<SessionAnswer>> = new Map([
  ['id_token', byIdToken],
  ['web3', byWeb3],
]);

/** A browser follows these from an organisation's page, without an api key header. */
export function addExtensionRedirects(app: Hono, deps: AuthDeps): void {
  app.post('/sso/saml/acs', (c) => samlConsume(c, deps));
  app.get('/sso/saml/metadata', (c) => samlMetadata(c, deps));
}

export function addExtensionCalls(app: Hono, deps: AuthDeps): void {
  app.get('/reauthenticate', async (c) => c.json(await reauthenticate(c, deps)));
  app.post('/sso', (c) => startSso(c, deps));
}
