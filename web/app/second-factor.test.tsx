import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { supabase } from '../platform/supabase.ts';
import {
  aSession,
  FACTOR,
  type FakeBackend,
  fakeBackend,
  json,
  storeSession,
} from '../platform/testing/fake-backend.ts';
import { accessToken } from '../session/session.ts';
import { visit } from './testing/visit.tsx';

const TABLET = { ...FACTOR, id: '33333333-3333-4333-8333-333333333333', friendly_name: '' };
const WITH_FACTOR = { factors: [FACTOR] };
const here = () => window.location.pathname + window.location.search + window.location.hash;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const press = (name: string) => userEvent.click(within(screen.getByRole('main')).getByRole('button', { name }));
const stored = () => window.localStorage.getItem('sb-localhost-auth-token');

/** A backend whose account has an app that shows 123456. */
function guardedBackend(): FakeBackend {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () => json(aSession(WITH_FACTOR)));
  for (const { id } of [FACTOR, TABLET]) {
    backend.on(`POST /auth/v1/factors/${id}/challenge`, () => json({ id: 'challenge', type: 'totp', expires_at: 1 }));
    backend.on(`POST /auth/v1/factors/${id}/verify`, ({ body }) =>
      isRight(body)
        ? json(aSession(WITH_FACTOR, 'aal2'))
        : json({ code: 422, error_code: 'mfa_verification_failed', msg: 'Invalid TOTP code entered' }, 422),
    );
  }
  return backend;
}

function isRight(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'code' in body && body.code === '123456';
}

async function typeCode(code: string) {
  await userEvent.type(screen.getByLabelText('Code'), code);
  await press('Verify');
}

test('requests the code after the password, explains a wrong one, and leads from the right one to the page before', async () => {
  const backend = guardedBackend();
  visit('/account/security?tab=1#rights');
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'Password1');
  await press('Sign In');

  await heading('Second factor');
  const field = screen.getByLabelText('Code');
  expect(field).toMatchObject({ inputMode: 'numeric', autocomplete: 'one-time-code' });
  expect(document.activeElement).toBe(field);
  expect(screen.getByRole('form', { name: 'Second factor' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Account menu' })).toBeNull();
  await typeCode('000000');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This code is wrong. Enter the one your app shows now. Each code works only once.',
  );
  expect(field).toHaveProperty('value', '000000');
  expect(backend.requests.filter(({ path }) => path.startsWith('/functions/'))).toEqual([]);

  await userEvent.clear(field);
  await typeCode('123 456');
  await heading('Security');
  expect(here()).toBe('/account/security?tab=1#rights');
});

test('refuses five digits at the field without a request', async () => {
  const backend = guardedBackend();
  storeSession(WITH_FACTOR);
  visit('/auth/signin');
  await heading('Second factor');

  await typeCode('12345');

  const field = screen.getByLabelText('Code');
  const note = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(note?.textContent).toBe('Please enter the 6 digits from your app');
  expect(document.activeElement).toBe(field);
  expect(backend.requests.filter(({ path }) => path.includes('/factors/'))).toEqual([]);
});

test.each(['/dashboard', '/account/predictions'])('requests it again after a reload at %s', async (address) => {
  guardedBackend();
  storeSession(WITH_FACTOR);

  visit(address);

  await heading('Second factor');
  await typeCode('123456');
  await waitFor(() => expect(here()).toBe(address));
});

test('does not request it again in a session that has shown both factors', async () => {
  guardedBackend();
  storeSession(WITH_FACTOR, 'aal2');

  visit('/auth/signin');

  await heading('Dashboard');
});

test('requests nothing for a factor that was never set up completely', async () => {
  guardedBackend();
  storeSession({ factors: [{ ...FACTOR, status: 'unverified' }] });

  visit('/auth/signin');

  await heading('Dashboard');
});

test('counts the browser as a visitor in every call until then', async () => {
  const backend = guardedBackend();
  storeSession(WITH_FACTOR);

  visit('/auth/signin');
  await heading('Second factor');
  await (await supabase()).from('profiles').select('*');

  expect(await accessToken()).toBeNull();
  expect(backend.to('/rest/v1/profiles').map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer anon-key',
  ]);
});

test.each([
  ['/auth/callback?next=%2Flegal%3Fa%3D1', '/legal?a=1'],
  ['/legal', '/legal'],
])('requests it after a provider’s redirect, or a link, to %s and then goes on', async (address, expected) => {
  guardedBackend();
  window.localStorage.setItem('sb-localhost-auth-token-code-verifier', JSON.stringify('verifier'));

  visit(`${address}${address.includes('?') ? '&' : '?'}code=abc`);

  await heading('Second factor');
  expect(screen.queryByText('Authentication failed. Please try again.')).toBeNull();
  expect(window.location.search).not.toContain('code=');
  await typeCode('123456');
  await waitFor(() => expect(here()).toBe(expected));
});

test('requests the code before a link to a new password', async () => {
  guardedBackend();
  window.localStorage.setItem('sb-localhost-auth-token-code-verifier', JSON.stringify('verifier/recovery'));

  visit('/auth/reset-password?code=abc');

  await heading('Second factor');
  expect(here()).toBe('/auth/reset-password');
  await typeCode('123456');
  await screen.findByLabelText('New password');
});

test('follows each step when another tab signs in and then shows the code', async () => {
  guardedBackend();
  visit('/dashboard');
  await heading('Sign in');
  const otherTab = new BroadcastChannel('sb-localhost-auth-token');
  const emit = (event: string, session: unknown) => {
    window.localStorage.setItem('sb-localhost-auth-token', JSON.stringify(session));
    otherTab.postMessage({ event, session });
  };

  emit('SIGNED_IN', aSession(WITH_FACTOR));
  await heading('Second factor');
  emit('MFA_CHALLENGE_VERIFIED', aSession(WITH_FACTOR, 'aal2'));

  await heading('Dashboard');
  otherTab.close();
});

test('offers a choice between several apps', async () => {
  const backend = guardedBackend();
  storeSession({ factors: [FACTOR, TABLET] });
  visit('/auth/signin');
  await heading('Second factor');

  await userEvent.selectOptions(screen.getByLabelText('App'), 'Authenticator 2');
  await typeCode('123456');

  await heading('Dashboard');
  expect(backend.to(`/auth/v1/factors/${TABLET.id}/verify`)).toHaveLength(1);
});

test('signs out on Cancel, and announces it on the form of sign-in', async () => {
  const backend = guardedBackend();
  storeSession(WITH_FACTOR);
  visit('/auth/signin');
  await heading('Second factor');

  await press('Cancel');

  const title = await heading('Sign in');
  await waitFor(() => expect(document.activeElement).toBe(title));
  expect(stored()).toBeNull();
  expect(backend.to('/auth/v1/logout')).toHaveLength(1);
});

describe('recovery codes', () => {
  async function toRecovery(backend: FakeBackend) {
    storeSession(WITH_FACTOR);
    visit('/auth/signin');
    await heading('Second factor');
    await press('Use a recovery code');
    await heading('Lost your authenticator app?');
    return backend;
  }
  const spend = async (code: string) => {
    await userEvent.type(screen.getByLabelText('Recovery code'), code);
    await press('Sign in without the app');
  };

  test('opens the account, with the token of the session that waits', async () => {
    const backend = await toRecovery(guardedBackend());
    const token = JSON.parse(stored() ?? '').access_token;
    backend.on('POST /functions/v1/recover-second-factor', () => json({ ok: true }));
    backend.on('POST /auth/v1/token', () => json(aSession({ factors: [] })));
    expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'));

    await spend('7K2M x4qp 9tha');

    await heading('Dashboard');
    const [call] = backend.to('/functions/v1/recover-second-factor');
    expect(call?.body).toEqual({ code: '7k2mx4qp9tha' });
    expect(call?.headers.get('authorization')).toBe(`Bearer ${token}`);
    await screen.findByText('Your authenticator app was removed. Set up a new one under Security.');
  });

  test.each([
    [json({ ok: false, reason: 'account/wrong-recovery-code', message: 'x' }), /wrong or was already used/],
    [json({ ok: false, reason: 'request/too-many', message: 'x' }), /^Too many requests\./],
    [json({ code: 'auth/session-ended', error: 'x' }, 401), /has expired\. Cancel and sign in again\./],
    [json({ error: 'x' }, 500), 'We couldn’t check the recovery code. Please try again.'],
  ])('explains a refused code and keeps the typed text', async (answer, message) => {
    const backend = await toRecovery(guardedBackend());
    backend.on('POST /functions/v1/recover-second-factor', () => answer);

    await spend('aaaa-bbbb-cccc');

    expect((await screen.findByRole('alert')).textContent).toMatch(message);
    expect(screen.getByLabelText('Recovery code')).toHaveProperty('value', 'aaaa-bbbb-cccc');
    expect(screen.getByRole('button', { name: 'Sign in without the app' })).toHaveProperty('disabled', false);
  });

  test('offers the way back to the code of the app', async () => {
    await toRecovery(guardedBackend());

    await press('Use a code from the app');

    await heading('Second factor');
    expect(document.activeElement).toBe(screen.getByLabelText('Code'));
  });
});
