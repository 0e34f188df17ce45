import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { supabase, whenLoaded } from '../platform/supabase.ts';
import {
  aSession,
  CONFIG,
  type FakeBackend,
  fakeBackend,
  json,
  storeOldSession,
  storeSession,
} from '../platform/testing/fake-backend.ts';
import { reloadPage } from '../testing/fresh-page.ts';
import { GuestOnly, SignedInOnly } from './guards.tsx';
import { accessToken, useSession } from './session.ts';

const KEY = 'sb-localhost-auth-token';

/** Shows who is here, as every part of the page sees it. */
function mount() {
  function Who() {
    const { initialized, user, needsSecondFactor, signOut } = useSession();
    const who = needsSecondFactor ? 'held' : (user?.email ?? 'nobody');
    return (
      <button type="button" onClick={() => void signOut()}>
        {initialized ? who : 'unknown'}
      </button>
    );
  }
  render(<Who />);
}

const shows = (who: string) => screen.findByRole('button', { name: who });
const signOut = () => act(() => screen.getByRole('button').click());

/** What the browser tells this tab of another's change to the storage. */
function dispatchStorage(change: { key: string | null; newValue: string | null }) {
  act(() => void window.dispatchEvent(new StorageEvent('storage', change)));
}

function refuseToEnd(backend: FakeBackend, status: number) {
  backend.on('POST /auth/v1/logout', () => json({ code: status, msg: 'x' }, status));
}

test.each([401, 403, 404])('signs out without an error where the server answers %s', async (status) => {
  const backend = fakeBackend();
  refuseToEnd(backend, status);
  storeSession();
  mount();
  await shows('ada@example.com');

  signOut();

  await shows('nobody');
  expect(window.localStorage.getItem(KEY)).toBeNull();
  expect(backend.to('/rest/v1/error_logs')).toEqual([]);
});

test('shows a loader in the guards until the session is known, then the page that it opens', async () => {
  fakeBackend();
  storeOldSession();

  render(
    <MemoryRouter>
      <SignedInOnly>the dashboard</SignedInOnly>
      <GuestOnly>the form</GuestOnly>
    </MemoryRouter>,
  );

  expect(screen.getAllByText('Loading…')).toHaveLength(2);
  expect(await screen.findByText('the dashboard')).toBeTruthy();
});

test('keeps no one waiting, or signed in, for a server that does not answer', async () => {
  const backend = fakeBackend();
  storeSession();
  mount();
  await shows('ada@example.com');
  backend.on('POST /auth/v1/logout', () => new Promise(() => {}));

  signOut();

  await shows('nobody');
  expect(window.localStorage.getItem(KEY)).toBeNull();
});

test('does not end the next page’s session by a page that was left while it signed out', async () => {
  const backend = fakeBackend();
  storeSession();
  mount();
  await shows('ada@example.com');
  backend.on('POST /auth/v1/logout', () => new Promise(() => {}));
  vi.useFakeTimers();
  signOut();
  // The client library removes the session before its request; the page waits for the answer.
  await vi.waitFor(() => expect(window.localStorage.getItem(KEY)).toBeNull());
  reloadPage();
  storeSession();

  await vi.advanceTimersByTimeAsync(5000);

  expect(window.localStorage.getItem(KEY)).not.toBeNull();
});

test.each([
  ['removes the session', { key: KEY, newValue: null }],
  ['empties the storage', { key: null, newValue: null }],
])('signs this tab out when another tab %s', async (_what, change) => {
  fakeBackend();
  storeSession();
  mount();
  await shows('ada@example.com');

  window.localStorage.removeItem(KEY);
  dispatchStorage(change);

  await shows('nobody');
});

test('ignores whatever else another tab writes', async () => {
  fakeBackend();
  storeSession();
  mount();
  await shows('ada@example.com');

  dispatchStorage({ key: 'darkMode', newValue: null });
  dispatchStorage({ key: KEY, newValue: JSON.stringify(aSession()) });

  await shows('ada@example.com');
});

test('checks that the user is still signed in when a page returns from the background', async () => {
  fakeBackend();
  storeSession();
  mount();
  await shows('ada@example.com');

  window.localStorage.removeItem(KEY);
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));

  await shows('nobody');
});

test('finds its session again on a site that could not be reached at first', async () => {
  const backend = fakeBackend();
  let isUp = false;
  backend.on('GET /config.json', () => (isUp ? json(CONFIG) : json({}, 503)));
  storeOldSession();
  mount();
  await shows('nobody');

  isUp = true;

  await shows('ada@example.com');
});

test('shows a sign-in after a first failure immediately', async () => {
  const backend = fakeBackend();
  let isUp = false;
  backend.on('GET /config.json', () => (isUp ? json(CONFIG) : json({}, 503)));
  mount();
  await shows('nobody');
  await expect(supabase()).rejects.toThrow();

  isUp = true;
  const { auth } = await supabase();
  await auth.signInWithPassword({ email: 'ada@example.com', password: 'Password1' });

  await shows('ada@example.com');
});

test('knows a user from the storage, without the client, until the session must be renewed', async () => {
  const backend = fakeBackend();
  storeSession();
  const loaded = vi.fn();
  whenLoaded(loaded);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  mount();
  await shows('ada@example.com');
  const token = await accessToken();
  await vi.advanceTimersByTimeAsync(3_500_000);
  const before = [loaded.mock.calls.length, backend.to('/auth/v1/token').length];

  await vi.advanceTimersByTimeAsync(20_000);

  await vi.waitFor(() => expect(backend.to('/auth/v1/token')).toHaveLength(1));
  expect(before).toEqual([0, 0]);
  expect(token).toContain('.');
  expect(loaded).toHaveBeenCalledOnce();
  await shows('ada@example.com');
});

test('keeps a user whose session can’t be renewed because the site is unreachable', async () => {
  const backend = fakeBackend();
  backend.on('GET /config.json', () => json({}, 503));
  storeSession();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  mount();
  await shows('ada@example.com');

  await vi.advanceTimersByTimeAsync(3_520_000);

  await vi.waitFor(() => expect(backend.to('/config.json').length).toBeGreaterThan(0));
  await shows('ada@example.com');
});

test.each([
  ['is no JSON', 'one'],
  ['lacks its refresh token', JSON.stringify({ ...aSession(), refresh_token: undefined })],
  ['lacks its end', JSON.stringify({ ...aSession(), expires_at: undefined })],
])('leaves a stored session to the client that %s', async (_what, stored) => {
  fakeBackend();
  window.localStorage.setItem(KEY, stored);
  const loaded = vi.fn();
  whenLoaded(loaded);

  mount();

  await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce());
});

test.each([
  ['user', { user: undefined }],
  ['user’s details', { user: { id: 'x', created_at: '2026-01-01T00:00:00Z' } }],
  ['readable second factor', { user: { ...aSession().user, factors: [null] } }],
])('treats a stored session without a %s as none, and removes it', async (_what, change) => {
  const backend = fakeBackend();
  window.localStorage.setItem(KEY, JSON.stringify({ ...aSession(), ...change }));

  mount();

  await shows('nobody');
  expect(window.localStorage.getItem(KEY)).toBeNull();
  expect(await accessToken()).toBeNull();
  expect(backend.to('/rest/v1/error_logs')).toEqual([]);
});

test('loads no accounts for a visitor, and still follows a sign-in in another tab', async () => {
  const backend = fakeBackend();
  mount();
  await shows('nobody');
  expect(backend.to('/config.json')).toHaveLength(0);

  storeSession();
  dispatchStorage({ key: KEY, newValue: JSON.stringify(aSession()) });

  await shows('ada@example.com');
});

test('keeps a user signed in for the life of the page where the browser stores nothing', async () => {
  fakeBackend();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  mount();
  await shows('nobody');
  const { auth } = await supabase();

  await auth.signInWithPassword({ email: 'ada@example.com', password: 'Password1' });

  await shows('ada@example.com');
  expect((await auth.getSession()).data.session).not.toBeNull();
  signOut();
  await shows('nobody');
});
