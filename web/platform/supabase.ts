/** The one backend client. Its code arrives after the first paint: no page needs it to draw itself. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { publicConfig } from './config.ts';
import { afterFirstPaint } from './first-paint.ts';

let creating: Promise<SupabaseClient> | null = null;

/** The shared client; a failure to load it (offline, no settings) is forgotten so that the next call tries again. */
export function supabase(): Promise<SupabaseClient> {
  creating ??= create().catch((error: unknown) => {
    creating = null;
    throw error;
  });
  return creating;
}

async function create(): Promise<SupabaseClient> {
  await afterFirstPaint();
  const [{ createClient }, config] = await Promise.all([import('@supabase/supabase-js'), publicConfig()]);
  const url = new URL(config.supabaseUrl || '/', window.location.origin).href.replace(/\/$/, '');
  return createClient(url, config.supabaseAnonKey, {
    auth: { flowType: 'pkce', persistSession: true, detectSessionInUrl: true, autoRefreshToken: true },
  });
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
