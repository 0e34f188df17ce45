import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { aSubscription } from '#domain/billing/testing/subscription-fixtures.ts';
import { fakeBackend, json, storeSession, USER } from '../platform/testing/fake-backend.ts';
import { reloadPage } from '../testing/fresh-page.ts';
import { ROUTES } from './routes.ts';
import { visit } from './testing/visit.tsx';

const here = () => window.location.pathname + window.location.search + window.location.hash;
const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });

async function signInWith(email: string, password: string) {
  await userEvent.type(await screen.findByLabelText('Email'), email);
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
}

test.each([
  ['/', /next fifty minutes/],
  ['/market-simulator-v03', 'Market Simulator'],
  ['/research', 'Research'],
  ['/ai-models', 'AI Models'],
  ['/track-record', 'Track Record'],
  ['/pricing', 'Pricing'],
  ['/gallery', 'Prediction Gallery'],
  ['/change-log', 'Change Log'],
  ['/about', 'About'],
  ['/youtube', 'YouTube'],
  ['/legal', 'Terms and Privacy'],
  ['/auth/signin', 'Sign in'],
  ['/auth/signup', 'Create your account'],
  ['/auth/forgot-password', 'Forgot password'],
  ['/auth/callback', 'Sign in'],
  ['/auth/reset-password', 'Reset password'],
  ['/checkout/success?session_id=cs_1', 'Sign in to see your payment'],
  ['/checkout/cancel', 'Payment cancelled'],
  ['/no/such/page', '404 – Page Not Found'],
])('shows a visitor at %s its one heading', async (address, name) => {
  fakeBackend();

  visit(address);

  await heading(name);
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  expect(document.title).toMatch(/Kat/);
});

test.each([
  ['/dashboard', 'Dashboard'],
  ['/account', 'Profile'],
  ['/account/subscription', 'Subscription'],
  ['/account/notifications', 'Notifications'],
  ['/account/security', 'Security'],
  ['/account/activity', 'Activity'],
  ['/account/predictions', 'Predictions'],
  ['/admin', 'Admin'],
])('sends a visitor from %s to sign-in, and shows a user its heading', async (address, name) => {
  fakeBackend();
  visit(address);
  await heading('Sign in');
  expect(window.location.pathname).toBe('/auth/signin');

  reloadPage();
  storeSession();

  visit(address);

  await heading(name);
  expect(window.location.pathname).toBe(address);
});

test('shows the switches and the log of the account in place of placeholders', async () => {
  fakeBackend();
  storeSession();

  visit('/account/notifications');
  expect(await screen.findByRole('switch', { name: 'Email notifications' })).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Notifications on this device' })).toBeTruthy();
  expect(await screen.findByRole('switch', { name: 'Any of my predictions, The outcome is known' })).toBeTruthy();
  reloadPage();

  visit('/account/activity');
  expect(await screen.findByText('No activity yet')).toBeTruthy();
});

test('returns after sign-in to the page that the visitor wanted, with query and hash', async () => {
  fakeBackend();
  visit('/account/security?tab=1#rights');
  await heading('Sign in');
  expect(window.location.pathname).toBe('/auth/signin');

  await signInWith('ada@example.com', 'Password1');

  await heading('Security');
  expect(here()).toBe('/account/security?tab=1#rights');
});

test('welcomes a new user on the home page and leads to the first steps', async () => {
  fakeBackend();
  visit('/auth/signup');
  await userEvent.type(await screen.findByLabelText('Full name'), 'Ada Lovelace');
  await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'Password1');
  await userEvent.type(screen.getByLabelText('Confirm password'), 'Password1');

  await userEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'Sign Up' }));

  const welcome = within(await screen.findByRole('region', { name: 'Welcome to Kat, Ada Lovelace' }));
  expect(here()).toBe('/');
  await userEvent.click(welcome.getByRole('link', { name: 'See the first steps' }));
  await heading('Dashboard');
});

test('shows no welcome to a user who only returns to the home page', async () => {
  fakeBackend();
  storeSession();
  visit('/');

  await heading(/next fifty minutes/);
  await screen.findByRole('link', { name: 'Dashboard' });
  expect(screen.queryByText(/^Welcome to Kat/)).toBeNull();
});

test('leads from sign-in to the dashboard when no page was wanted', async () => {
  fakeBackend();
  visit('/auth/signin');

  await signInWith('ada@example.com', 'Password1');

  await heading('Dashboard');
});

test.each([
  ['/auth/signin?next=%2Flegal%3Fa%3D1%23b', '/legal?a=1#b'],
  ['/auth/signin?next=%2F%2Fevil.example', '/dashboard'],
  ['/auth/signin?next=%2F%5Cevil.example', '/dashboard'],
  ['/auth/signin?next=javascript%3Aalert(1)', '/dashboard'],
  ['/auth/signin?next=https%3A%2F%2Fevil.example%2F', '/dashboard'],
  ['/auth/signup', '/dashboard'],
])('sends a signed-in user at %s to %s', async (address, expected) => {
  fakeBackend();
  storeSession();

  visit(address);

  await waitFor(() => expect(here()).toBe(expected));
});

test('shows the navigation of a visitor, and of a user who then signs out of a server that refuses', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/logout', () => json({ msg: 'no such session' }, 403));
  storeSession();
  visit('/legal');
  // The legal page has its own header.
  const banner = within((await screen.findByRole('link', { name: 'Kat, home' })).closest('header') ?? expect.fail());
  await banner.findByRole('link', { name: 'Dashboard' });
  expect(banner.queryByRole('link', { name: 'Sign In' })).toBeNull();

  await userEvent.click(banner.getByRole('button', { name: 'Account menu' }));
  await userEvent.click(banner.getByRole('button', { name: 'Sign Out' }));

  await banner.findByRole('link', { name: 'Sign In' });
  expect(banner.getByRole('link', { name: 'Sign Up' })).toBeTruthy();
  expect(banner.queryByRole('link', { name: 'Dashboard' })).toBeNull();
  expect(Object.keys(window.localStorage).filter((key) => key.includes('auth-token'))).toEqual([]);
  expect(backend.errors().filter(({ context }) => context.where === 'sign out')).toEqual([]);
});

test('keeps no one signed in while the server is down', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/logout', () => json({ msg: 'down' }, 500));
  storeSession();
  visit('/legal');

  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }));
  await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));

  await screen.findByRole('link', { name: 'Sign In' });
  expect(Object.keys(window.localStorage).filter((key) => key.includes('auth-token'))).toEqual([]);
});

test('signs out when another tab signs out', async () => {
  fakeBackend();
  storeSession();
  visit('/dashboard');
  await heading('Dashboard');
  const key = 'sb-localhost-auth-token';

  window.localStorage.removeItem(key);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue: null })));

  await heading('Sign in');
  expect(window.history.state.usr).toEqual({ from: '/dashboard' });
  expect(screen.getByText('Your session has ended.')).toBeDefined();
  // The form gives the reason: a toast would repeat it.
  expect(screen.queryByText('Your session has ended. Sign in to continue.')).toBeNull();
});

test('reports on a public page that the session has ended elsewhere', async () => {
  fakeBackend();
  storeSession();
  visit('/legal');
  await screen.findByRole('button', { name: 'Account menu' });
  const key = 'sb-localhost-auth-token';

  window.localStorage.removeItem(key);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue: null })));

  expect(await screen.findByText('Your session has ended. Sign in to continue.')).toBeDefined();
  await screen.findByRole('link', { name: 'Sign In' });
});

test('gives no reason to a user who signs out', async () => {
  fakeBackend();
  storeSession();
  visit('/dashboard');

  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }));
  await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
  await screen.findByRole('link', { name: 'Sign In' });

  await userEvent.click(screen.getByRole('link', { name: 'Sign In' }));
  await heading('Sign in');
  expect(screen.queryByText('Your session has ended.')).toBeNull();
});

test("opens and closes the navigation's groups by keys, and returns the focus to their button", async () => {
  fakeBackend();
  visit('/legal');
  const group = await screen.findByRole('button', { name: 'Research' });

  group.focus();
  await userEvent.keyboard('{Enter}');
  expect(group.getAttribute('aria-expanded')).toBe('true');
  await userEvent.tab();
  await userEvent.keyboard('{Escape}');

  expect(group.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(group);
});

test('hides the navigation in the pop-out window', async () => {
  fakeBackend();

  visit('/popout');

  await screen.findByRole('main');
  expect(screen.queryByRole('banner')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Toggle theme' })).toBeNull();
});

test('toggles the theme from the navigation', async () => {
  fakeBackend();
  visit('/legal');

  await userEvent.click(await screen.findByRole('button', { name: 'Toggle theme' }));

  expect(window.localStorage.getItem('darkMode')).toMatch(/true|false/);
});

test('reports a page that fails, and offers a way back', async () => {
  const backend = fakeBackend();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const legal = ROUTES.find(({ path }) => path === '/legal') ?? expect.fail('no legal page');
  vi.spyOn(legal, 'Page', 'get').mockReturnValue(() => {
    throw new Error('drawing failed');
  });

  visit('/legal');

  await heading('We couldn’t show this page');
  expect(screen.getByRole('link', { name: 'Back to the home page' })).toBeTruthy();
  await waitFor(() => expect(backend.to('/rest/v1/error_logs')).toHaveLength(1));
  expect(backend.to('/rest/v1/error_logs')[0]?.body).toMatchObject({ error_message: 'Error: drawing failed' });
});

test('shows Loading…, then Done, then plan and quota on the dashboard', async () => {
  const backend = fakeBackend();
  backend.on('GET /rest/v1/stripe_user_subscriptions', () =>
    json([aSubscription({ cancel_at_period_end: true, current_period_end: 1_900_000_000 })]),
  );
  backend.on('POST /functions/v1/get-quota', () => json({ ok: true, remaining_daily: '4', remaining_monthly: 'na' }));
  storeSession();
  visit('/dashboard');

  await screen.findByText('Done');
  const plan = within(await screen.findByRole('region', { name: 'Current plan' }));
  expect(await plan.findByText('Bobcat')).toBeTruthy();
  expect(plan.getByText('Active')).toBeTruthy();
  expect(plan.getByText('Ends on')).toBeTruthy();
  const quota = within(screen.getByRole('region', { name: 'Predictions left' }));
  expect((await quota.findByText('4')).parentElement?.textContent).toBe('4 of 10');
  expect(quota.getByText('0').parentElement?.textContent).toBe('0 of 60');
  expect(screen.getByRole('link', { name: /Saved predictions/ }).getAttribute('href')).toBe(
    '/account/predictions#predictions',
  );
  expect(screen.queryByRole('link', { name: /^Admin/ })).toBeNull();
});

test('shows an admin the link to /admin and its page, and others Not authorized.', async () => {
  const backend = fakeBackend();
  storeSession();
  visit('/admin');
  await screen.findByText('Not authorized.');

  backend.on('GET /rest/v1/profiles', () => json({ id: USER.id, role: 'admin', full_name: null, avatar_url: null }));
  reloadPage();
  visit('/dashboard');

  await userEvent.click(await screen.findByRole('link', { name: /^Admin/ }));
  await heading('Admin Dashboard');
});

test('offers a retry on /admin when the profile does not load', async () => {
  const backend = fakeBackend();
  backend.on('GET /rest/v1/profiles', () => json({ message: 'x' }, 400));
  storeSession();
  visit('/admin');

  await screen.findByText('We couldn’t load your profile');
  expect(screen.queryByText('Not authorized.')).toBeNull();
  backend.on('GET /rest/v1/profiles', () => json({ id: USER.id, role: 'admin', full_name: null, avatar_url: null }));
  // The footer has a Retry button too, once its links did not load.
  await userEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'Retry' }));
  await heading('Admin Dashboard');
});
