/** The one backend client. Its code loads after the first paint: no page needs it to draw. */
import type { GoTrueClient } from '@supabase/auth-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { SHED_HEADER } from '#domain/errors/shed.ts';
import { pageState } from '../page-state.ts';
import { waitsForSecondFactor } from './account/assurance.ts';
import { hasStoredSession } from './account/session-storage.ts';
import { freshSession, librarySessionStore } from './account/stored-session.ts';
import { serverMessage } from './calls/server-message.ts';
import { retryingFetch } from './calls/shed-retry.ts';
import { inTime } from './calls/time-limit.ts';
import { publicConfig } from './config.ts';
import { afterFirstPaint } from './first-paint.ts';

/** The parts of the backend's client library that the site uses, combined as that library combines them. */
export interface BackendClient extends Tables {
  auth: GoTrueClient;
}

export interface Tables {
  from: PostgrestClient['from'];
  rpc: PostgrestClient['rpc'];
  /** Requests a path below the backend's address, with the caller's bearer token unless `init` has another. */
  request(path: string, init: RequestInit): Promise<Response>;
}

interface ClientState {
  creating: Promise<BackendClient> | null;
  opening: Promise<Tables> | null;
  loaded: BackendClient | null;
  waiting: Set<(client: BackendClient) => void>;
  /** Aborts when the page ends: what it still loads then makes no more calls. */
  ended: AbortController;
}

const clientState = pageState<ClientState>(
  () => ({ creating: null, opening: null, loaded: null, waiting: new Set(), ended: new AbortController() }),
  ({ creating, ended }) => {
    ended.abort();
    // Otherwise its refresh timer and listeners would outlive the page.
    void creating?.then(({ auth }) => auth.dispose()).catch(() => undefined);
  },
);

/** The shared client; a failure to load it (offline, no settings) is dropped so that the next call tries again. */
export function supabase(): Promise<BackendClient> {
  return clientOf(clientState());
}

function clientOf(page: ClientState): Promise<BackendClient> {
  page.creating ??= create(page).catch((error: unknown) => {
    page.creating = null;
    throw error;
  });
  return page.creating;
}

/**
 * The tables, queried as the signed-in user or a visitor. The large accounts library loads only if a stored session must
 * be renewed.
 */
export function tables(): Promise<Tables> {
  return tablesOf(clientState());
}

function tablesOf(page: ClientState): Promise<Tables> {
  page.opening ??= open(page).catch((error: unknown) => {
    page.opening = null;
    throw error;
  });
  return page.opening;
}

export interface TableAnswer {
  data: unknown;
  count: number | null;
  error: { message: string; code: string } | null;
}

/**
 * One call of the tables within the time limit. @param failed  message when the server sends none
 * @throws Error with a message for users; the signal's reason
 */
export async function callTables(
  failed: string,
  signal: AbortSignal,
  call: (client: Tables, limited: AbortSignal) => PromiseLike<TableAnswer>,
): Promise<TableAnswer> {
  const answer = await inTime(signal, async (limited) => call(await tables(), limited)).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new Error(failed, { cause });
  });
  if (answer.error === null) return answer;
  throw new Error(serverMessage(answer.error, failed), { cause: answer.error });
}

/** Calls back once the client is loaded: immediately, or after another call loads it. Does not load it. */
export function whenLoaded(listener: (client: BackendClient) => void): void {
  const { loaded, waiting } = clientState();
  if (loaded === null) waiting.add(listener);
  else listener(loaded);
}

async function create(page: ClientState): Promise<BackendClient> {
  await afterFirstPaint();
  const [{ AuthClient }, { base, host, key }, opened] = await Promise.all([
    import('@supabase/auth-js'),
    backend(),
    tablesOf(page),
  ]);
  const auth = new AuthClient({
    url: `${base}/auth/v1`,
    // Capitalized as in the library, which replaces it by the session's token; two headers would be merged into one.
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey: `sb-${host}-auth-token`,
    storage: librarySessionStore,
    fetch: authFetch,
    flowType: 'pkce',
    persistSession: true,
    // A link's code has left the URL before this library loads: session/link-answer.tsx passes it in.
    detectSessionInUrl: false,
    autoRefreshToken: true,
  });
  page.loaded = { auth, ...opened };
  for (const resolve of page.waiting) resolve(page.loaded);
  page.waiting.clear();
  return page.loaded;
}

async function open(page: ClientState): Promise<Tables> {
  await afterFirstPaint();
  const [{ PostgrestClient }, { base, key }] = await Promise.all([import('@supabase/postgrest-js'), backend()]);
  const authorised = authorisedFetch(key, page);
  const rest = new PostgrestClient(`${base}/rest/v1`, {
    fetch: async (input, init) => withoutRetries(await authorised(input, init)),
  });
  return {
    from: rest.from.bind(rest),
    rpc: rest.rpc.bind(rest),
    request: (path, init) => authorised(base + path, init),
  };
}

async function backend(): Promise<{ base: string; host: string; key: string }> {
  const config = await publicConfig();
  const url = new URL(config.supabaseUrl || '/', window.location.origin);
  return { base: url.href.replace(/\/$/, ''), host: url.hostname.split('.')[0] ?? '', key: config.supabaseAnonKey };
}

/** A server error that the tables library does not retry. */
const OVERLOADED = 529;

/** The tables library retries every read that gets a 503; a shed read has already had its retries. */
function withoutRetries(response: Response): Response {
  const { body, headers } = response;
  return headers.has(SHED_HEADER) ? new Response(body, { status: OVERLOADED, headers }) : response;
}

/** The session's token, renewed if needed; null for a visitor, and for a session that waits for its second factor. */
export function sessionToken(): Promise<string | null> {
  return tokenOf(clientState());
}

async function tokenOf(page: ClientState): Promise<string | null> {
  const fresh = page.loaded === null ? freshSession() : null;
  if (fresh !== null) return waitsForSecondFactor(fresh) ? null : fresh.access_token;
  if (page.loaded === null && !hasStoredSession()) return null;
  return usableToken((await clientOf(page)).auth);
}

/** `fetch` with the API key and the session's token; only the key if no token is usable yet. */
function authorisedFetch(key: string, page: ClientState): typeof fetch {
  return async (input, init) => {
    const token = new Headers(init?.headers).has('authorization') ? null : await tokenOf(page);
    const send = (bearer: string) => {
      const headers = new Headers(init?.headers);
      headers.set('apikey', key);
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${bearer}`);
      page.ended.signal.throwIfAborted();
      return retryingFetch(input, { ...init, headers });
    };
    const response = await send(token ?? key);
    if (token === null || (response.status !== 401 && response.status !== 403)) return response;
    const { auth } = await clientOf(page);
    // This session's factor was removed elsewhere, and another remains: the page must request that one.
    if (response.status === 403 && (await requiresSecondFactor(response))) await auth.refreshSession();
    if (response.status !== 401) return response;
    const newer = await tokenAfterRefusal(auth, token);
    return newer === null ? response : send(newer);
  };
}

async function requiresSecondFactor(response: Response): Promise<boolean> {
  const text = await response.clone().text();
  return text.includes('"auth/second-factor-needed"');
}

async function usableToken(auth: GoTrueClient): Promise<string | null> {
  const { data } = await auth.getSession();
  return data.session === null || waitsForSecondFactor(data.session) ? null : data.session.access_token;
}

/**
 * The clocks differ, or the session was ended elsewhere; it is then removed here too, and the page is notified.
 * @returns a token for one more try, or null
 */
async function tokenAfterRefusal(auth: GoTrueClient, refused: string): Promise<string | null> {
  const current = await usableToken(auth);
  if (current !== null && current !== refused) return current;
  const { error } = await auth.refreshSession();
  if (error !== null && isOver(error)) await auth.signOut({ scope: 'local' });
  return error === null ? usableToken(auth) : null;
}

/** True if the session was refused for good; not offline, not rate-limited, not a race with another tab. */
function isOver({ status }: { status?: number | undefined }): boolean {
  return status === 400 || status === 401 || status === 403;
}

/** A session expires by this browser's clock: a browser a day ahead of the server's would refresh tokens endlessly. */
export const authFetch: typeof fetch = async (input, init) => {
  const never = new AbortController().signal;
  const response = await inTime(never, (signal) => retryingFetch(input, { ...init, signal }));
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  if (!response.ok || !isJson) return response;
  const { status, headers } = response;
  return new Response(withoutEnd(await response.text()), { status, headers });
};

/** Without `expires_at` the library counts `expires_in` from now. */
function withoutEnd(text: string): string {
  if (!text.includes('"expires_at"')) return text;
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || !('access_token' in answer)) return text;
  return JSON.stringify({ ...answer, expires_at: undefined });
}
