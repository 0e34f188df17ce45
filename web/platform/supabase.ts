/** The one backend client. Its code arrives after the first paint: no page needs it to draw itself. */
import type { GoTrueClient } from '@supabase/auth-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { publicConfig } from './config.ts';
import { afterFirstPaint } from './first-paint.ts';

/** The parts of the backend's own client library that the site uses, joined as that library joins them. */
export interface BackendClient {
  auth: GoTrueClient;
  from: PostgrestClient['from'];
  /** Asks below the backend's address, with the caller's bearer token. */
  ask(path: string, init: RequestInit): Promise<Response>;
}

let creating: Promise<BackendClient> | null = null;

/** The shared client; a failure to load it (offline, no settings) is forgotten so that the next call tries again. */
export function supabase(): Promise<BackendClient> {
  creating ??= create().catch((error: unknown) => {
    creating = null;
    throw error;
  });
  return creating;
}

async function create(): Promise<BackendClient> {
  await afterFirstPaint();
  const [{ AuthClient }, { PostgrestClient }, config] = await Promise.all([
    import('@supabase/auth-js'),
    import('@supabase/postgrest-js'),
    publicConfig(),
  ]);
  const url = new URL(config.supabaseUrl || '/', window.location.origin);
  const base = url.href.replace(/\/$/, '');
  const key = config.supabaseAnonKey;
  const auth = new AuthClient({
    url: `${base}/auth/v1`,
    // Spelt as the library spells it: it replaces this one by the session's, and two would be sent as one wrong one.
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey: `sb-${url.hostname.split('.')[0]}-auth-token`,
    flowType: 'pkce',
    persistSession: true,
    detectSessionInUrl: true,
    autoRefreshToken: true,
  });
  const authorised: typeof fetch = async (input, init) => {
    const { data } = await auth.getSession();
    const headers = new Headers(init?.headers);
    headers.set('apikey', key);
    headers.set('authorization', `Bearer ${data.session?.access_token ?? key}`);
    return fetch(input, { ...init, headers });
  };
  const rest = new PostgrestClient(`${base}/rest/v1`, { fetch: authorised });
  return { auth, from: rest.from.bind(rest), ask: (path, init) => authorised(base + path, init) };
}

/** The client library's own key of the stored session: `sb-<host>-auth-token`. */
const SESSION_KEY = /^sb-.+-auth-token$/;

export function isSessionKey(key: string): boolean {
  return SESSION_KEY.test(key);
}

/** True while this browser holds a session; says nothing about whether the server still accepts it. */
export function hasStoredSession(): boolean {
  return storedSessionKeys().length > 0;
}

export function removeStoredSession(): void {
  for (const key of storedSessionKeys()) window.localStorage.removeItem(key);
}

function storedSessionKeys(): string[] {
  try {
    return Object.keys(window.localStorage).filter(isSessionKey);
  } catch {
    // Storage may be blocked by the browser; then nothing is stored.
    return [];
  }
}
