/**
 * The session is created over HTTP and stored where the site keeps it: the form and the dashboard would be two more
 * pages to load. Tests of the form itself use `signIn`.
 */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import * as z from 'zod/mini';
import { PASSWORD } from '../browser/site-driver.ts';

const configSchema = z.object({ supabaseUrl: z.string(), supabaseAnonKey: z.string() });
const sessionSchema = z.looseObject({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() });

/** Each context has a separate session, so that one can sign out while another stays signed in. */
export async function signedInContext(
  browser: Browser,
  url: string,
  email: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const { supabaseUrl, supabaseAnonKey } = configSchema.parse(await (await fetch(`${url}/config.json`)).json());
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: supabaseAnonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!answer.ok) throw new Error(`${email} cannot sign in: ${await answer.text()}`);
  const session = sessionSchema.parse(await answer.json());
  const host = new URL(supabaseUrl || url).hostname.split('.')[0];
  const stored = { ...session, expires_at: Math.floor(Date.now() / 1000) + session.expires_in };
  const localStorage = [{ name: `sb-${host}-auth-token`, value: JSON.stringify(stored) }];
  return browser.newContext({ ...options, storageState: { cookies: [], origins: [{ origin: url, localStorage }] } });
}
