/** Who is here: one store that follows the backend client, so every component and every tab agrees. */
import type { AuthChangeEvent, User } from '@supabase/auth-js';
import { useSyncExternalStore } from 'react';
import { reportError } from '../platform/error-log.ts';
import { queryClient } from '../platform/query-client.ts';
import { hasStoredSession, isSessionKey, removeStoredSession, supabase } from '../platform/supabase.ts';

export interface SessionUser {
  id: string;
  email: string | null;
  emailConfirmed: boolean;
  fullName: string | null;
  /** ISO 8601. */
  createdAt: string;
}

interface SessionState {
  /** False until it is known whether someone is signed in. */
  initialized: boolean;
  user: SessionUser | null;
}

export interface Session extends SessionState {
  signOut(): Promise<void>;
}

/** Of pre-rendered pages, and until it is known. */
const UNKNOWN: SessionState = { initialized: false, user: null };
let state = UNKNOWN;
let isStarted = false;
const listeners = new Set<() => void>();

/** Follows the session from the first render that asks on. `initialized` turns true once and stays. */
export function useSession(): Session {
  const current = useSyncExternalStore(subscribe, snapshot, () => UNKNOWN);
  return { ...current, signOut };
}

/** The bearer token, refreshed when it is about to expire; null for a visitor or when the server cannot be reached. */
export async function accessToken(): Promise<string | null> {
  try {
    const { data } = await (await supabase()).auth.getSession();
    return data.session?.access_token ?? null;
  } catch (error) {
    reportError(error, { where: 'access token' });
    return null;
  }
}

/**
 * Ends this browser's session. The page is signed out whatever the server says (the client library ignores 401, 403
 * and 404), and the stored session is removed even where the library could not be loaded to do it.
 */
export async function signOut(): Promise<void> {
  try {
    const { error } = await (await supabase()).auth.signOut({ scope: 'local' });
    if (error) throw error;
  } catch (error) {
    reportError(error, { where: 'sign out' });
  }
  removeStoredSession();
  apply(null);
}

function snapshot(): SessionState {
  return state;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!isStarted) start();
  return () => listeners.delete(listener);
}

function start(): void {
  isStarted = true;
  // A visitor without a stored session and without an answer in the address needs no client to be known as one.
  if (!hasStoredSession() && !mayHoldSession(window.location)) apply(null);
  window.addEventListener('storage', (event) => {
    if (event.key !== null && isSessionKey(event.key) && event.newValue === null) apply(null);
  });
  follow().catch((error: unknown) => {
    reportError(error, { where: 'session' });
    apply(null);
  });
}

async function follow(): Promise<void> {
  const client = await supabase();
  client.auth.onAuthStateChange((event, session) => onChange(event, session?.user ?? null));
}

function onChange(event: AuthChangeEvent, user: User | null): void {
  if (event === 'SIGNED_OUT') apply(null);
  else apply(user);
}

function mayHoldSession(address: Location): boolean {
  return /[?&#](code|access_token)=/.test(address.search + address.hash);
}

function apply(user: User | null): void {
  const next = user === null ? null : toSessionUser(user);
  if (state.user !== null && state.user.id !== next?.id) queryClient.clear();
  if (state.initialized && isSame(state.user, next)) return;
  state = { initialized: true, user: next };
  for (const listener of listeners) listener();
}

function isSame(a: SessionUser | null, b: SessionUser | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function toSessionUser(user: User): SessionUser {
  const name: unknown = user.user_metadata.full_name ?? user.user_metadata.name;
  return {
    id: user.id,
    email: user.email ?? null,
    emailConfirmed: user.email_confirmed_at != null,
    fullName: typeof name === 'string' && name !== '' ? name : null,
    createdAt: user.created_at,
  };
}
