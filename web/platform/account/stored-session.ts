/**
 * The stored session, as long as its token needs no renewal. The accounts library would read the same from the storage
 * and request nothing, so a page need not load it for that.
 */
import type { Session } from '@supabase/auth-js';
import { isSessionKey, sessionStore, storedSessionKeys } from './session-storage.ts';

/** The library renews a token this long before it expires. */
const RENEWED_BEFORE_MS = 90_000;

/** Null without a session, or if only the library can tell: its token must be renewed, or it is malformed. */
export function freshSession(): Session | null {
  const [key, another] = storedSessionKeys();
  if (key === undefined || another !== undefined) return null;
  const session = parsed(sessionStore.getItem(key) ?? '');
  return isSession(session) && freshForMs(session) > 0 ? session : null;
}

/** How long the session can be used as it is, by this browser's clock. */
export function freshForMs({ expires_at = 0 }: Pick<Session, 'expires_at'>): number {
  return expires_at * 1000 - RENEWED_BEFORE_MS - Date.now();
}

/** The storage for the library, which returns any entry with tokens, even one that names no user. */
export const librarySessionStore = {
  ...sessionStore,
  getItem(key: string): string | null {
    const text = sessionStore.getItem(key);
    if (text === null || !isSessionKey(key) || hasUser(parsed(text))) return text;
    sessionStore.removeItem(key);
    return null;
  },
};

function isSession(value: unknown): value is Session {
  return (
    hasUser(value) &&
    [value.access_token, value.refresh_token].every((text) => typeof text === 'string') &&
    typeof value.expires_at === 'number'
  );
}

function hasUser(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value) || !isRecord(value.user)) return false;
  const { id, created_at, user_metadata, factors = [] } = value.user;
  return (
    [id, created_at].every((text) => typeof text === 'string') &&
    isRecord(user_metadata) &&
    Array.isArray(factors) &&
    factors.every(isRecord)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
