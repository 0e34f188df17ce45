/** The current session: one store that follows the backend client, so every component and every tab agrees. */
import type { Session as AuthSession, User } from '@supabase/auth-js';
import { reconnectDelayMs } from '#domain/time/backoff.ts';
import { within } from '#domain/time/deadline.ts';
import { pageState, timersUntil } from '../page-state.ts';
import { type SecondFactor, secondFactorsOf, waitsForSecondFactor } from '../platform/account/assurance.ts';
import { hasStoredSession, isSessionKey, removeStoredSession } from '../platform/account/session-storage.ts';
import { freshForMs, freshSession } from '../platform/account/stored-session.ts';
import { reportError } from '../platform/error-log.ts';
import { queryClient } from '../platform/query-client.ts';
import { sessionToken, supabase, whenLoaded } from '../platform/supabase.ts';
import { usePrerenderedStore } from '../ui/browser/prerendered-store.ts';
import { preparePayments } from './payment-customer.ts';

export interface SessionUser {
  id: string;
  email: string | null;
  emailConfirmed: boolean;
  fullName: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** A session that is held until the user shows one of these factors or a recovery code. */
export interface PendingSession {
  email: string | null;
  /** Never empty. */
  factors: readonly SecondFactor[];
}

interface SessionState {
  /** False until it is known whether a user is signed in. */
  initialized: boolean;
  user: SessionUser | null;
  /** While set, `user` is null: guards treat the session as signed out. */
  pending: PendingSession | null;
  /** A session is stored, but what reads it has not loaded: `user` is null without a sign-out. */
  isUnreachable: boolean;
  /** The user was signed out, but not by this page: it owes them a reason. */
  hasEnded: boolean;
}

export interface Session extends SessionState {
  needsSecondFactor: boolean;
  signOut(): Promise<void>;
}

/** For pre-rendered pages, and until the session is known. */
const UNKNOWN: SessionState = {
  initialized: false,
  user: null,
  pending: null,
  isUnreachable: false,
  hasEnded: false,
};
/** Sign-out waits at most this long for the server. */
const SIGN_OUT_WAIT_MS = 3000;

interface SessionStore {
  current: SessionState;
  isStarted: boolean;
  isFollowing: boolean;
  isSigningOut: boolean;
  /** Ends when the stored session must be renewed. */
  renewal: ReturnType<typeof setTimeout> | undefined;
  listeners: Set<() => void>;
  ended: AbortController;
}

const store = pageState<SessionStore>(
  () => ({
    current: UNKNOWN,
    isStarted: false,
    isFollowing: false,
    isSigningOut: false,
    renewal: undefined,
    listeners: new Set(),
    ended: new AbortController(),
  }),
  ({ ended, renewal }) => {
    clearTimeout(renewal);
    ended.abort();
  },
);

/** Follows the session from the first render that uses it. `initialized` turns true once and stays so. */
export function useSession(): Session {
  const current = usePrerenderedStore(subscribe, snapshot, UNKNOWN);
  return { ...current, needsSecondFactor: current.pending !== null, signOut };
}

/**
 * The bearer token, refreshed if needed; null for a visitor, without the second factor, and if the server is
 * unreachable.
 */
export async function accessToken(): Promise<string | null> {
  if (!hasStoredSession()) return null;
  try {
    return await sessionToken();
  } catch (error) {
    reportError(error, { where: 'access token' });
    return null;
  }
}

/** The header that authorizes a call by the signed-in user; empty for a visitor. */
export async function bearerHeader(): Promise<Record<string, string>> {
  const token = await accessToken();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/**
 * The page is signed out whatever the server answers (the library ignores 401, 403 and 404), even if the library can't
 * load.
 */
export async function signOut(): Promise<void> {
  const page = store();
  page.isSigningOut = true;
  const request = signOutOnServer().catch((error: unknown) => reportError(error, { where: 'sign out' }));
  await within(request, SIGN_OUT_WAIT_MS);
  // The page may have ended during the wait: a session stored now belongs to a later one.
  if (page.ended.signal.aborted) return;
  removeStoredSession();
  apply(page, null);
  page.isSigningOut = false;
}

async function signOutOnServer(): Promise<void> {
  const { error } = await (await supabase()).auth.signOut({ scope: 'local' });
  if (error) throw error;
}

function snapshot(): SessionState {
  return store().current;
}

function subscribe(listener: () => void): () => void {
  const page = store();
  page.listeners.add(listener);
  if (!page.isStarted) start(page);
  return () => page.listeners.delete(listener);
}

function start(page: SessionStore): void {
  page.isStarted = true;
  const { signal } = page.ended;
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === null) check(page);
    else if (isSessionKey(key)) newValue === null ? apply(page, null) : check(page);
  };
  window.addEventListener('storage', onStorage, { signal });
  // A suspended page missed what other tabs did meanwhile.
  const onVisible = () => {
    if (document.visibilityState === 'visible' && page.current.initialized) check(page);
  };
  document.addEventListener('visibilitychange', onVisible, { signal });
  whenLoaded(({ auth }) => auth.onAuthStateChange((_event, session) => apply(page, session)));
  check(page);
}

/** The storage identifies visitors and users. The client is loaded, and followed, once the session must be renewed. */
function check(page: SessionStore): void {
  clearTimeout(page.renewal);
  const session = freshSession();
  if (!hasStoredSession()) apply(page, null);
  else if (page.isFollowing) return;
  else if (session === null) follow(page, 0);
  else {
    apply(page, session);
    page.renewal = setTimeout(() => check(page), freshForMs(session));
  }
}

/** For pages where a user is about to sign in: the client is loaded by the time the form is sent. Never rejects. */
export async function prepareAccounts(): Promise<void> {
  // A network failure shows when the form is sent.
  await supabase().catch(() => undefined);
}

/** Until the client loads, no other user is known than before; loading is retried while a session is stored. */
function follow(page: SessionStore, attempt: number): void {
  page.isFollowing = true;
  supabase().catch((error: unknown) => {
    if (page.ended.signal.aborted) return;
    reportError(error, { where: 'session' });
    if (page.current.user === null || !hasStoredSession()) apply(page, null, hasStoredSession());
    if (!hasStoredSession()) page.isFollowing = false;
    else timersUntil(page.ended.signal)(reconnectDelayMs(attempt, Math.random), () => follow(page, attempt + 1));
  });
}

function apply(page: SessionStore, session: AuthSession | null, isUnreachable = false): void {
  if (page.ended.signal.aborted) return;
  const state = page.current;
  const known = session === null ? { user: null, pending: null } : read(session);
  const isOver = session === null && !page.isSigningOut && (state.user !== null || state.hasEnded);
  const next = { initialized: true, ...known, isUnreachable, hasEnded: isOver };
  if (state.user !== null && state.user.id !== next.user?.id) queryClient.clear();
  if (state.initialized && isSame(state, next)) return;
  page.current = next;
  for (const listener of page.listeners) listener();
  if (session !== null && next.user !== null) preparePayments(session);
}

function isSame(a: SessionState, b: SessionState): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function read(session: AuthSession): Pick<SessionState, 'user' | 'pending'> {
  const { user } = session;
  if (waitsForSecondFactor(session))
    return { user: null, pending: { email: user.email ?? null, factors: secondFactorsOf(session) } };
  return { user: toSessionUser(user), pending: null };
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
