import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from 'react-hot-toast/headless';
import { beforeEach, expect, test } from 'vitest';
import { aSession, fakeBackend, json, storeSession } from '../platform/testing/fake-backend.ts';
import { visit } from './testing/visit.tsx';

const DEAD = '#error=access_denied&error_code=otp_expired&error_description=Written+by+anybody';
const OVER = 'This link has expired or was already used. Request a new one.';
const TOKENS = '#access_token=aaa&refresh_token=bbb&expires_in=3600&expires_at=1&token_type=bearer&type=signup';
const here = () => window.location.pathname + window.location.search + window.location.hash;
const UNVERIFIED = { email_confirmed_at: null } as unknown as { email_confirmed_at: string };

/** This browser has requested an email, and can exchange its code. */
function storeVerifier(): void {
  window.localStorage.setItem('sb-localhost-auth-token-code-verifier', JSON.stringify('verifier'));
}

beforeEach(() => {
  // The library's queue outlives our modules: a toast of the test before would still be on the page.
  toast.remove();
});

test.each(['/', '/legal', '/kat'])(
  'explains a dead link at %s in our own text and clears the address',
  async (path) => {
    fakeBackend();

    visit(`${path}${DEAD}`);

    await screen.findByText(OVER);
    expect(here()).toBe(path);
    expect(document.body.textContent).not.toContain('Written by anybody');
  },
);

test('explains a dead link at a guarded page, and sign-in does not remember it', async () => {
  fakeBackend();

  visit(`/dashboard${DEAD}`);

  await screen.findByText(OVER);
  await screen.findByRole('heading', { level: 1, name: 'Sign in' });
  expect(window.history.state.usr).toEqual({ from: '/dashboard' });
});

test('explains a code that this browser cannot exchange, and removes it but nothing else from the address', async () => {
  const backend = fakeBackend();

  visit('/legal?a=1&code=abc#rights');

  await screen.findByText('This link only works in the browser that requested it. Sign in here.');
  expect(here()).toBe('/legal?a=1#rights');
  expect(backend.to('/auth/v1/token')).toEqual([]);
});

test('takes over no session from the address, and clears it', async () => {
  fakeBackend();

  visit(`/${TOKENS}`);

  await waitFor(() => expect(here()).toBe('/'));
  expect(window.localStorage.getItem('sb-localhost-auth-token')).toBeNull();
});

test('names the second of two links after the first of a change of address', async () => {
  fakeBackend();

  visit('/#message=Confirmation+link+accepted');

  await screen.findByText('Confirmed. Now open the link in the email we sent to your other address.');
  expect(here()).toBe('/');
});

test.each([true, false])(
  'names the second link of a change of address at its own target, signed in: %s',
  async (isSignedIn) => {
    fakeBackend();
    if (isSignedIn) storeSession();

    visit('/auth/callback?from=change#message=Confirmation+link+accepted');

    await screen.findByText('Confirmed. Now open the link in the email we sent to your other address.');
    await waitFor(() => expect(here()).toBe(isSignedIn ? '/account' : '/auth/callback?from=change'));
  },
);

test('leads from a dead link of a change of address to the profile', async () => {
  fakeBackend();
  storeSession();

  visit(`/auth/callback?from=change${DEAD}`);

  await screen.findByText(OVER);
  expect(screen.getByRole('link', { name: 'Go to your profile' }).getAttribute('href')).toBe('/account');
});

test('goes on to the dashboard, signed in, from a confirmation link in the browser that signed up', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/token', () => json(aSession()));
  storeVerifier();

  visit('/auth/callback?from=mail&code=abc');

  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
  expect(here()).toBe('/dashboard');
});

test.each([`?from=mail&code=abc`, `?from=mail${TOKENS}`])(
  'says that the address is confirmed for a link opened in another browser: %s',
  async (answer) => {
    fakeBackend();

    visit(`/auth/callback${answer}`);

    await screen.findByText('Your address is confirmed. Sign in.');
    expect(here()).toBe('/auth/callback?from=mail');
    expect(screen.getByRole('main').querySelector('a[href="/auth/signin"]')).not.toBeNull();
  },
);

test('reports a dead confirmation link, and offers a new one whose code can be typed', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/resend', () => json({}));
  backend.on('POST /auth/v1/verify', () => json(aSession()));
  visit(`/auth/callback?from=mail${DEAD}`);
  await screen.findByText(OVER);
  expect(here()).toBe('/auth/callback?from=mail');

  await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Send a new one' }));
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }));

  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
});

test.each([
  [UNVERIFIED, OVER],
  [{}, /Your email is verified\. There’s nothing left to do/],
])('shows a signed-in user the state of the address after a dead confirmation link', async (user, message) => {
  const backend = fakeBackend();
  backend.on('GET /auth/v1/user', () => json(aSession(user).user));
  storeSession(user);

  visit(`/auth/callback?from=mail${DEAD}`);

  await screen.findByText(message);
  await userEvent.click(screen.getByRole('link', { name: 'Go to the dashboard' }));
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
});

test.each([
  '/auth/callback',
  '/auth/callback?next=%2Fkat&code=abc',
  '/auth/callback?next=%2Fkat#error=access_denied&error_code=bad_oauth_state',
])('reports a provider’s redirect that signs no one in: %s', async (address) => {
  const backend = fakeBackend();

  visit(address);

  await screen.findByText('Authentication failed. Please try again.');
  await waitFor(() =>
    expect(backend.errors().map(({ error_message }) => error_message)).toContain(
      'Authentication failed. Please try again.',
    ),
  );
  await screen.findByRole('heading', { level: 1, name: 'Sign in' });
  expect(here()).toBe('/auth/signin');
});

test.each([
  [`/auth/reset-password${DEAD}`, OVER],
  ['/auth/reset-password?code=abc', /only works once, in the browser that requested it/],
])('hides the form for another signed-in account after an expired password link: %s', async (address, message) => {
  fakeBackend();
  storeSession();

  visit(address);

  await screen.findByText(message);
  expect(here()).toBe('/auth/reset-password');
  expect(screen.queryByLabelText('New password')).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Set a new password for ada@example.com' }));
  await screen.findByLabelText('New password');
});

test('leads from a password link to the form in the browser that requested it', async () => {
  fakeBackend();
  storeVerifier();

  visit('/auth/reset-password?code=abc');

  await screen.findByLabelText('New password');
  expect(here()).toBe('/auth/reset-password');
});
