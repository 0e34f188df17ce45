/** A backend with one organisation, whose provider is a real peer on loopback; and the browser that goes between them. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { type SandboxSamlProvider, startSamlProvider } from '../../../../sandbox/identity/testing/saml-provider.ts';
import { samlProviders } from '../../../../server/backend/auth/extensions/organisations/saml-providers.ts';
import type { TestDatabaseKind } from '../../../support/database/database.ts';
import { type BackendTestOptions, type BackendTestServer, backendTestServer } from '../backend.ts';
import { type TestBrowser, testBrowser } from './oauth.ts';

export const PROVIDER_ID = '21648a9d-8d5a-4555-a9d1-d6375dc14e92';
export const OTHER_PROVIDER_ID = '6c2d6f3a-0f0e-4a44-9c6b-2d2a4b9f7c11';
export const BACK = 'https://app.example/welcome';

export interface SamlWorld {
  server: BackendTestServer;
  provider: SandboxSamlProvider;
  /** The form that the provider made the browser send; null where it made none. */
  visit(url: string): Promise<URLSearchParams>;
  /** Where the browser is sent after that form. */
  consume(form: URLSearchParams): Promise<{ status: number; location: URL; headers: Headers }>;
  /** A visitor in the browser that sends the form: it keeps what ties a sign-in without a code to it. */
  visitor(): SupabaseClient;
  /** One request of that browser. */
  request: TestBrowser['request'];
  /** From start to the page it ends on. */
  signIn(client: SupabaseClient): Promise<URL>;
  /** A fresh browser whose sign-ins end in a code. */
  pkceVisitor(): SupabaseClient;
  close(): Promise<void>;
}

export async function samlWorld(
  kind: TestDatabaseKind,
  options: Pick<BackendTestOptions, 'log'> = {},
): Promise<SamlWorld> {
  let offsetMs = 0;
  const clock = { nowMs: () => Date.now() + offsetMs };
  const provider = await startSamlProvider({ clock });
  const shared = { entryPoint: provider.entryPoint, certificates: [provider.certificate] };
  const saml = samlProviders([
    {
      ...shared,
      id: PROVIDER_ID,
      domains: ['example.org', 'example.net'],
      entityId: provider.entityId,
      attributeMapping: { email: null, name: null },
    },
    {
      ...shared,
      id: OTHER_PROVIDER_ID,
      domains: ['other.example'],
      entityId: 'https://other.example/entity',
      attributeMapping: { email: 'contact', name: 'label' },
    },
  ]);
  const server = await backendTestServer(kind, {
    ...options,
    accounts: { saml, redirectAllowList: ['https://app.example'] },
  });
  const browser = testBrowser(server.url);
  const { advance } = server;
  server.advance = (ms) => {
    offsetMs += ms;
    advance(ms);
  };

  async function visit(url: string): Promise<URLSearchParams> {
    const page = await (await fetch(url)).text();
    const inputs = [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
    const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    return new URLSearchParams(inputs.map(([, name = '', value = '']) => [name, plain(value)]));
  }

  async function consume(form: URLSearchParams) {
    const answer = await browser.request(`${server.url}/auth/v1/sso/saml/acs`, { method: 'POST', body: form });
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
    return { status: answer.status, location: new URL(location), headers: answer.headers };
  }

  return {
    server,
    provider,
    visit,
    consume,
    async signIn(client) {
      const { data, error } = await client.auth.signInWithSSO({
        providerId: PROVIDER_ID,
        options: { redirectTo: BACK },
      });
      if (error) throw error;
      return (await consume(await visit(data.url))).location;
    },
    visitor: () =>
      createClient(server.url, server.keys.anonKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { fetch: (url, init) => browser.request(String(url), init) },
      }),
    request: browser.request,
    pkceVisitor: () =>
      createClient(server.url, server.keys.anonKey, {
        auth: { flowType: 'pkce', persistSession: true, autoRefreshToken: false, storage: memoryStorage() },
      }),
    async close() {
      await server.close();
      await provider.close();
    },
  };
}

function memoryStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

/** What the page learns from its address. */
export function errorIn(location: URL): { code: string | null; description: string | null } {
  const fragment = new URLSearchParams(location.hash.slice(1));
  return { code: fragment.get('error_code'), description: fragment.get('error_description') };
}
