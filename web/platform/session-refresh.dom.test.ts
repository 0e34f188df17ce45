/** How a session stays alive: by the client library, as this site sets it up (R-AUTH-25, R-AUTH-26). */
import { beforeEach, expect, test, vi } from 'vitest';
import { authFetch, supabase } from './supabase.ts';
import { aSession, FACTOR, type FakeBackend, fakeBackend, json } from './testing/fake-backend.ts';

const KEY = 'sb-localhost-auth-token';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const now = () => Date.now();

/** As the auth service tells it, by the service's own clock. */
function sessionAt(serverMs: number) {
  return { ...aSession(), expires_at: Math.floor(serverMs / 1000) + 3600 };
}

/** A session in storage that ends so long from now. */
function storeEnding(inMs: number) {
  window.localStorage.setItem(KEY, JSON.stringify({ ...aSession(), expires_at: Math.floor((now() + inMs) / 1000) }));
}

async function client() {
  const loading = supabase();
  await vi.advanceTimersByTimeAsync(100);
  return loading;
}

function show(state: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

const refreshes = (backend: FakeBackend) =>
  backend.to('/auth/v1/token').filter(({ search }) => search.includes('refresh_token'));

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: false }));

test('renews a session in the background that is about to end', async () => {
  const backend = fakeBackend();
  storeEnding(HOUR_MS);
  const { auth } = await client();

  await vi.advanceTimersByTimeAsync(HOUR_MS - 3 * 60_000);
  expect(refreshes(backend)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(3 * 60_000);

  expect(refreshes(backend)).toHaveLength(1);
  await auth.dispose();
});

test('leaves that alone in a hidden tab, and catches up when the tab is seen again', async () => {
  const backend = fakeBackend();
  storeEnding(HOUR_MS);
  const { auth } = await client();
  // Only then it follows the tab's visibility.
  await auth.initialize();

  show('hidden');
  await vi.advanceTimersByTimeAsync(3 * HOUR_MS);
  expect(refreshes(backend)).toHaveLength(0);
  show('visible');
  await vi.advanceTimersByTimeAsync(1000);

  expect(refreshes(backend)).toHaveLength(1);
  await auth.dispose();
});

test('tries a server that fails again after 200 ms, then twice as late each time', async () => {
  const backend = fakeBackend();
  const requestedMs: number[] = [];
  backend.on('POST /auth/v1/token', () => {
    requestedMs.push(now());
    return requestedMs.length < 4 ? json({ msg: 'down' }, 503) : json(aSession());
  });
  storeEnding(-1000);
  const { auth } = await client();

  await vi.advanceTimersByTimeAsync(5000);

  const [first = 0] = requestedMs;
  expect(requestedMs.map((ms) => ms - first)).toEqual([0, 200, 600, 1400]);
  expect((await auth.getSession()).data.session).not.toBeNull();
  await auth.dispose();
});

test('keeps the session while the server is unavailable, and finds it again', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () => Promise.reject(new TypeError('Failed to fetch')));
  storeEnding(-1000);
  const { auth } = await client();
  const events: string[] = [];
  auth.onAuthStateChange((event) => void events.push(event));

  await vi.advanceTimersByTimeAsync(120_000);
  expect(window.localStorage.getItem(KEY)).not.toBeNull();
  expect(events).not.toContain('SIGNED_OUT');
  backend.on('POST /auth/v1/token', () => json(aSession()));
  await vi.advanceTimersByTimeAsync(120_000);

  expect(events).toContain('TOKEN_REFRESHED');
  await auth.dispose();
});

test.each([
  ['a day ahead of', DAY_MS],
  ['a day behind', -DAY_MS],
])('renews once an hour, not endlessly, in a browser whose clock is %s the server’s', async (_how, aheadMs) => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () => json(sessionAt(now() - aheadMs)));
  const { auth, from } = await client();
  const { data } = await auth.signInWithPassword({ email: 'ada@example.com', password: 'Password1' });

  for (let call = 0; call < 20; call += 1) await from('profiles').select('*');
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(data.session?.expires_at).toBe(Math.round(now() / 1000 - 600) + 3600);
  expect(refreshes(backend)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(HOUR_MS);

  expect(refreshes(backend)).toHaveLength(1);
  await auth.dispose();
});

test('renews a token that the server refuses after the clock was set back, and sends the request once more', async () => {
  const backend = fakeBackend();
  const fresh = { ...aSession(), access_token: `${aSession().access_token}2` };
  backend.on('POST /auth/v1/token', () => json(fresh));
  backend.on('GET /rest/v1/profiles', ({ headers }) =>
    headers.get('authorization') === `Bearer ${fresh.access_token}`
      ? json([{ id: 1 }])
      : json({ code: 'PGRST303', message: 'JWT expired' }, 401),
  );
  storeEnding(DAY_MS);
  const { auth, from } = await client();

  const answers = await Promise.all([1, 2, 3].map(() => from('profiles').select('*')));

  expect(answers.map(({ data }) => data)).toEqual([[{ id: 1 }], [{ id: 1 }], [{ id: 1 }]]);
  expect(refreshes(backend)).toHaveLength(1);
  await auth.dispose();
});

test('ends a session here with the next refusal that was ended elsewhere', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () =>
    json({ code: 400, error_code: 'refresh_token_not_found', msg: 'Invalid Refresh Token' }, 400),
  );
  backend.on('POST /functions/v1/get-quota', () => json({ code: 'auth/session-ended', error: 'over' }, 401));
  storeEnding(HOUR_MS);
  const { auth, request } = await client();
  const events: string[] = [];
  auth.onAuthStateChange((event) => void events.push(event));

  const { status } = await request('/functions/v1/get-quota', { method: 'POST' });

  expect(status).toBe(401);
  expect(events).toContain('SIGNED_OUT');
  expect(window.localStorage.getItem(KEY)).toBeNull();
  await auth.dispose();
});

test('checks a session again whose factor was removed elsewhere, with another left', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () => json(aSession({ factors: [FACTOR] })));
  backend.on('POST /functions/v1/get-quota', () => json({ code: 'auth/second-factor-needed', error: 'x' }, 403));
  window.localStorage.setItem(KEY, JSON.stringify(aSession({ factors: [FACTOR] }, 'aal2')));
  const { auth, request } = await client();

  await request('/functions/v1/get-quota', { method: 'POST' });
  await request('/functions/v1/get-quota', { method: 'POST' });

  expect(refreshes(backend)).toHaveLength(1);
  const bearers = backend.to('/functions/v1/get-quota').map(({ headers }) => headers.get('authorization'));
  expect(bearers[1]).toBe('Bearer anon-key');
  await auth.dispose();
});

test('ends no session for too many requests', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () => json({ code: 429, error_code: 'over_request_rate_limit', msg: 'x' }, 429));
  backend.on('GET /rest/v1/profiles', () => json({ code: 'PGRST303', message: 'JWT expired' }, 401));
  storeEnding(HOUR_MS);
  const { auth, from } = await client();

  await from('profiles').select('*');

  expect(window.localStorage.getItem(KEY)).not.toBeNull();
  await auth.dispose();
});

test('ends a sign-in without an answer after 15 seconds', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () => new Promise(() => {}));
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const answer = authFetch('http://localhost:3000/auth/v1/token', { method: 'POST' });
  await vi.waitFor(() => expect(backend.to('/auth/v1/token')).toHaveLength(1));

  limit.abort(new DOMException('too late', 'TimeoutError'));

  await expect(answer).rejects.toThrow('too late');
  expect(timeout).toHaveBeenCalledWith(15_000);
  expect(backend.to('/auth/v1/token')[0]?.signal).toMatchObject({ aborted: true });
});

test('requires an email address or a phone number with the password', async () => {
  fakeBackend();
  const { auth } = await client();

  // @ts-expect-error: the library's own check, for who calls it without its types
  const { error } = await auth.signInWithPassword({ password: 'Password1' });

  expect(error?.message).toBe('You must provide either an email or phone number and a password');
  await auth.dispose();
});
