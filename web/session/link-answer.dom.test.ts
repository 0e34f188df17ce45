import { beforeEach, expect, test, vi } from 'vitest';
import { aSession, type FakeBackend, fakeBackend, json, storeSession } from '../platform/testing/fake-backend.ts';
import { settleArrival } from './link-answer.tsx';
import { hideArrival, isArriving } from './link-arrival.ts';

const KEY = 'sb-localhost-auth-token';
const stored = () => window.localStorage.getItem(KEY);
const here = () => window.location.pathname + window.location.search + window.location.hash;

/** The entry as the router reads it: what `hideArrival` left in the address and in its state. */
function arriveAt(address: string) {
  window.history.replaceState({ idx: 3, usr: { from: '/kat' } }, '', address);
  hideArrival();
  const { pathname, search, hash } = window.location;
  const entry = { pathname, search, hash, state: window.history.state.usr };
  return { entry, isArriving: isArriving(entry), settle: () => settleArrival(entry) };
}

function holdVerifier() {
  window.localStorage.setItem(`${KEY}-code-verifier`, JSON.stringify('verifier'));
}

const exchanges = (backend: FakeBackend) =>
  backend.to('/auth/v1/token').filter(({ search }) => search.includes('grant_type=pkce'));

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

test.each([
  ['/auth/callback?next=%2Fkat&code=abc&sb_flow_id=f1', '/auth/callback?next=%2Fkat'],
  ['/legal?a=1&code=abc#rights', '/legal?a=1#rights'],
  ['/#access_token=aaa&refresh_token=bbb&token_type=bearer&expires_in=1', '/'],
  ['/auth/reset-password?error=x#error=access_denied&error_code=otp_expired', '/auth/reset-password'],
  ['/dashboard#message=Confirmation+link+accepted', '/dashboard'],
])('removes %s from the address before anything else runs', async (address, clean) => {
  fakeBackend();

  const { isArriving } = arriveAt(address);

  expect(here()).toBe(clean);
  expect(isArriving).toBe(true);
  expect(window.history.state).toMatchObject({ idx: 3, usr: { from: '/kat' } });
  expect(JSON.stringify(window.history.state)).not.toMatch(/aaa|bbb/);
});

test('leaves an address without an answer as it is, its entry too', async () => {
  fakeBackend();

  const { isArriving } = arriveAt('/kat?sym=BTC#chart');

  expect([here(), isArriving]).toEqual(['/kat?sym=BTC#chart', false]);
  expect(window.history.state).toEqual({ idx: 3, usr: { from: '/kat' } });
});

test('exchanges a code once, however often the page reads the result', async () => {
  const backend = fakeBackend();
  holdVerifier();
  const { settle } = arriveAt('/auth/callback?code=abc');

  const answers = await Promise.all([settle(), settle()]);

  expect([...answers, await settle()]).toEqual([{ kind: 'signed-in' }, { kind: 'signed-in' }, { kind: 'signed-in' }]);
  expect(exchanges(backend)).toHaveLength(1);
  expect(stored()).not.toBeNull();
});

test('ignores a code that this browser did not request, and keeps the user signed in', async () => {
  const backend = fakeBackend();
  storeSession();
  const { settle } = arriveAt('/auth/callback?from=mail&code=abc');

  expect(await settle()).toEqual({ kind: 'elsewhere' });

  expect(exchanges(backend)).toEqual([]);
  expect(stored()).not.toBeNull();
});

/** R-AUTH-21: identity errors keep the session, other errors of a session from the address remove it. */
test.each([
  ['identity_already_exists', true],
  ['identity_not_found', true],
  ['single_identity_not_deletable', true],
  ['bad_oauth_state', false],
  ['server_error', false],
])('keeps the session for a provider that sends back with %s: %s', async (code, stays) => {
  fakeBackend();
  storeSession();
  holdVerifier();
  const { settle } = arriveAt(`/auth/callback?error=x&error_code=${code}`);

  expect(await settle()).toEqual({ kind: 'refused', code });

  expect(stored() !== null).toBe(stays);
});

test('signs no one out for an error that answers nothing this browser began, or answers it a second time', async () => {
  fakeBackend();
  storeSession();
  const address = '/auth/callback?error=x&error_code=server_error';

  expect(await arriveAt(address).settle()).toEqual({ kind: 'refused', code: 'server_error' });
  expect(stored()).not.toBeNull();

  holdVerifier();
  await arriveAt(address).settle();
  expect(stored()).toBeNull();
  storeSession();
  await arriveAt(address).settle();
  expect(stored()).not.toBeNull();
});

test.each([
  ['flow_state_not_found', 404, false],
  ['bad_code_verifier', 400, false],
  ['over_request_rate_limit', 429, true],
  ['unexpected_failure', 500, true],
])('keeps the session for an own code that the server refuses with %s: %3$s', async (errorCode, status, stays) => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', ({ search }) =>
    search.includes('pkce') ? json({ code: status, error_code: errorCode, msg: 'x' }, status) : json(aSession()),
  );
  storeSession();
  holdVerifier();
  const { settle } = arriveAt('/auth/callback?code=abc');

  expect(await settle()).toEqual({ kind: 'elsewhere' });

  expect(stored() !== null).toBe(stays);
});

test('signs no one out for a dead link of an email, which anybody may write', async () => {
  fakeBackend();
  storeSession();
  const { settle } = arriveAt('/auth/callback?from=mail#error=access_denied&error_code=otp_expired');

  expect(await settle()).toEqual({ kind: 'refused', code: 'otp_expired' });

  expect(stored()).not.toBeNull();
});

test('uses no code offline, and signs no one out', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () => Promise.reject(new TypeError('Failed to fetch')));
  storeSession();
  holdVerifier();
  const { settle } = arriveAt('/auth/callback?code=abc');

  expect(await settle()).toEqual({ kind: 'elsewhere' });

  expect(stored()).not.toBeNull();
});
