/** Signing in through the sandbox providers, as a browser does it: redirects, cookies, the form. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { createClient } from '@supabase/supabase-js';
import { type IdentitySandbox, startIdentitySandbox } from '../../../../sandbox/identity/identity-sandbox.ts';
import { openProviders } from '../../../../server/backend/auth/providers/providers.ts';
import type { AccountParts } from '../../../../server/backend/backend-routes.ts';
import type { TestDatabaseKind } from '../../../support/database/database.ts';
import { type BackendTestServer, backendTestServer } from '../backend.ts';

export interface OAuthWorld {
  sandbox: IdentitySandbox;
  server: BackendTestServer;
  close(): Promise<void>;
}

/** A backend with two sandbox providers. @param accounts  beside the providers */
export async function openOAuthWorld(
  kind: TestDatabaseKind,
  accounts: Omit<Partial<AccountParts>, 'providers'> = {},
): Promise<OAuthWorld> {
  const sandbox = await startIdentitySandbox();
  const server = await backendTestServer(kind, { accounts: { ...accounts, providers: providersOf(sandbox) } });
  return {
    sandbox,
    server,
    async close() {
      await server.close();
      await sandbox.close();
    },
  };
}

export type ProviderName = 'google' | 'github';

/** Who to be at the provider's page; null: press Cancel. */
export type Who = { name?: string; email: string; isVerified?: boolean } | null;

interface Cookie {
  name: string;
  value: string;
  host: string;
  path: string;
}

export interface TestBrowser {
  /** One request with this browser's cookies; redirects are not followed. */
  request(url: string, init?: RequestInit): Promise<Response>;
  /** From any address of the way to the provider's page, through its form, and back to the site. @returns where it ends */
  signIn(start: string, who: Who): Promise<URL>;
  /** As signIn, but stops before the last step: the address of our callback, not yet requested. */
  signInUntilCallback(start: string, who: Who): Promise<URL>;
  /** Follows redirects until they lead to a page of the site. */
  follow(start: string): Promise<URL>;
}

const MAX_STEPS = 12;

/** @param site  the backend's address: everything on it outside /auth/v1 counts as a page */
export function testBrowser(site: string): TestBrowser {
  const jar: Cookie[] = [];

  function storeCookies(url: URL, answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/);
      const at = pair.indexOf('=');
      const named = new Map(attributes.map((one) => [one.split('=')[0]?.toLowerCase(), one.split('=')[1] ?? '']));
      const cookie = {
        name: pair.slice(0, at),
        value: pair.slice(at + 1),
        host: url.hostname,
        path: named.get('path') ?? '/',
      };
      const old = jar.findIndex((one) => one.name === cookie.name && one.path === cookie.path);
      if (old >= 0) jar.splice(old, 1);
      const isOver = named.get('max-age') === '0' || Date.parse(named.get('expires') ?? '') < Date.now();
      if (!isOver) jar.push(cookie);
    }
  }

  async function request(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    const cookies = jar.filter((one) => one.host === url.hostname && url.pathname.startsWith(one.path));
    const headers = new Headers(init.headers);
    if (cookies.length > 0) headers.set('cookie', cookies.map((one) => `${one.name}=${one.value}`).join('; '));
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    storeCookies(url, answer);
    return answer;
  }

  /** Until `isEnd` says so of the next address, or until a page answers. */
  async function stepsFrom(start: string, isEnd: (url: URL) => boolean) {
    let url = new URL(start);
    let init: RequestInit = {};
    const steps = {
      submit(action: URL, body: URLSearchParams) {
        url = action;
        init = { method: 'POST', body };
      },
      async go(): Promise<{ end: URL } | { page: Response; url: URL }> {
        for (let step = 0; step < MAX_STEPS; step += 1) {
          if (isEnd(url)) return { end: url };
          const answer = await request(url.href, init);
          const location = answer.headers.get('location');
          if (location === null) return { page: answer, url };
          await answer.arrayBuffer();
          url = new URL(location, url);
          init = {};
        }
        throw new Error('too many redirects');
      },
    };
    return steps;
  }

  async function throughForm(start: string, who: Who, isEnd: (url: URL) => boolean): Promise<URL> {
    const steps = await stepsFrom(start, isEnd);
    const before = await steps.go();
    if ('end' in before) return before.end;
    const html = await before.page.text();
    if (before.page.status !== 200) throw new Error(`no sign-in page: ${before.page.status} ${html.slice(0, 300)}`);
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
    const form = new URLSearchParams(
      [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        decoded(value),
      ]),
    );
    form.set('action', who === null ? 'cancel' : 'continue');
    form.set('person', 'own');
    if (who !== null) {
      form.set('name', who.name ?? 'Test Person');
      form.set('email', who.email);
      if (who.isVerified !== false) form.set('verified', 'yes');
    }
    steps.submit(new URL(decoded(action), before.url), form);
    const after = await steps.go();
    if ('end' in after) return after.end;
    throw new Error(`no way back: ${after.page.status} ${(await after.page.text()).slice(0, 300)}`);
  }

  const isPage = (url: URL) => url.origin === site && !url.pathname.startsWith('/auth/v1/');
  return {
    request,
    signIn: (start, who) => throughForm(start, who, isPage),
    signInUntilCallback: (start, who) => throughForm(start, who, (url) => url.pathname === '/auth/v1/callback'),
    async follow(start) {
      const end = await (await stepsFrom(start, isPage)).go();
      if ('end' in end) return end.end;
      throw new Error(`no page: ${end.page.status} ${await end.page.text()}`);
    },
  };
}

function decoded(html: string): string {
  return html.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&');
}

export function providersOf(sandbox: IdentitySandbox, options: { timeoutMs?: number } = {}) {
  return openProviders({ google: sandbox.google, github: sandbox.github }, options);
}

/** What the fragment of a way back says. */
export function fragmentOf(url: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}

/**
 * A client with a code challenge, as our own pages have it; its verifier lies in its own memory.
 * @param browser  whose cookies its calls carry and get
 */
export function pkceClient(server: BackendTestServer, browser?: TestBrowser): SupabaseClient {
  const stored = new Map<string, string>();
  return createClient(server.url, server.keys.anonKey, {
    ...(browser === undefined ? {} : { global: { fetch: (url, init) => browser.request(String(url), init) } }),
    auth: {
      flowType: 'pkce',
      persistSession: true,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      },
    },
  });
}

/** Where a page would be sent: the address of our /authorize. */
export async function startOf(client: SupabaseClient, provider: ProviderName, redirectTo: string): Promise<string> {
  const { data, error } = await client.auth.signInWithOAuth({
    provider,
    options: { redirectTo, skipBrowserRedirect: true },
  });
  if (error || !data.url) throw new Error('no address to begin at');
  return data.url;
}

/** Begins to link an identity in the client's session, in a fresh browser that keeps what the call gives it. */
export async function startLink(server: BackendTestServer, client: SupabaseClient, provider: ProviderName) {
  const browser = testBrowser(server.url);
  const page = pkceClient(server, browser);
  const { data } = await client.auth.getSession();
  if (data.session !== null) await page.auth.setSession(data.session);
  const options = { redirectTo: `${server.url}/account/security` };
  const { data: way, error } = await page.auth.linkIdentity({ provider, options });
  return { browser, url: way?.url ?? '', error };
}

/** The whole way of linking. @returns where it ends */
export async function linkThrough(
  server: BackendTestServer,
  client: SupabaseClient,
  provider: ProviderName,
  who: Who,
): Promise<URL> {
  const { browser, url, error } = await startLink(server, client, provider);
  if (error) throw error;
  return browser.signIn(url, who);
}

/** The whole way with a fresh browser: out, the form, back, the code for a session. */
export async function signInThrough(server: BackendTestServer, provider: ProviderName, who: Who) {
  const client = pkceClient(server);
  const start = await startOf(client, provider, `${server.url}/auth/callback`);
  const end = await testBrowser(server.url).signIn(start, who);
  const code = end.searchParams.get('code');
  if (code === null) return { client, end, session: null, error: fragmentOf(end) };
  const { data, error } = await client.auth.exchangeCodeForSession(code);
  if (error) throw error;
  return { client, end, session: data.session, error: null };
}
