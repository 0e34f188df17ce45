/** The sign-in methods of an account: what is listed, linking and unlinking, and a change of the address. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../../platform/query-client.ts';
import {
  aSession,
  type FakeBackend,
  fakeBackend,
  json,
  storeSession,
  USER,
} from '../../../platform/testing/fake-backend.ts';
import { fakeLocation } from '../../../platform/testing/fake-location.ts';
import { LinkAnswers } from '../../../session/link-answer.tsx';
import { setProfileZone } from '../../../ui/browser/time-zone.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { alertText, press } from '../testing/security-panel.tsx';
import { SignInMethodsPanel } from './sign-in-methods-panel.tsx';

const EMAIL = anIdentity('email', { email: USER.email });
const GOOGLE = anIdentity('google', { email: 'ada@gmail.example' });
const WALLET = anIdentity('web3', { chain: 'solana', address: 'So1ana' });

function anIdentity(provider: string, data: object) {
  return {
    identity_id: `id-${provider}`,
    id: provider,
    user_id: USER.id,
    provider,
    identity_data: data,
    created_at: '2026-11-01T09:00:00Z',
    last_sign_in_at: '2026-11-20T09:30:00Z',
  };
}

let backend: FakeBackend;
let user: Record<string, unknown>;

beforeEach(() => {
  backend = fakeBackend();
  user = { ...USER, identities: [EMAIL, GOOGLE] };
  backend.on('GET /auth/v1/user', () => json(user));
  storeSession();
});

function Address() {
  const { pathname, search, hash } = useLocation();
  return <output aria-label="Address">{pathname + search + hash}</output>;
}

function mount(address = '/account') {
  setProfileZone('Europe/Berlin');
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <LinkAnswers />
        <SignInMethodsPanel userId={USER.id} />
        <Address />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const list = () => screen.findByRole('list', { name: 'Your sign-in methods' });
const rows = async () =>
  within(await list())
    .getAllByRole('listitem')
    .map((row) => row.textContent);
const dialog = () => within(screen.getByRole('dialog'));
const refused = (status: number, code: string, msg = code) => json({ code: status, error_code: code, msg }, status);

test('lists the address, each linked sign-in with its account and last use, and what can be linked', async () => {
  user = { ...user, identities: [EMAIL, GOOGLE, WALLET] };
  mount();

  expect(await rows()).toEqual([
    'Email and passwordVerifiedAddressada@example.comPasswordChange it under Security',
    'GoogleLinkedAccountada@gmail.exampleLast used20 Nov 2026, 10:30 GMT+1Unlink',
    'Solana walletLinkedAccountSo1anaLast used20 Nov 2026, 10:30 GMT+1Unlink',
    'GitHubNot linkedLink',
  ]);
});

test('offers no link to a provider that is off', async () => {
  backend.config({ providers: { google: 'live', github: 'off' } });
  mount();

  await screen.findByText('Not available yet');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Link GitHub' }).disabled).toBe(true);
  expect(screen.queryByText(/Test sign-in/)).toBeNull();
});

test('says that the organization manages the sign-in of its account', async () => {
  user = { ...user, identities: [anIdentity('sso:acme', {})] };
  mount();

  await screen.findByText(/through your organization/);
  expect(screen.queryByRole('button')).toBeNull();
});

test('reports a failed load, and loads again', async () => {
  backend.on('GET /auth/v1/user', () => json({ msg: 'broken' }, 500));
  mount();
  await screen.findByText('We couldn’t load your sign-in methods');

  backend.on('GET /auth/v1/user', () => json(user));
  await press('Retry');

  expect(await rows()).toHaveLength(3);
});

test('leaves for the provider with a code challenge, and returns to the profile', async () => {
  const { assign } = fakeLocation();
  backend.on('GET /auth/v1/user/identities/authorize', () => json({ url: 'https://github.example/login' }));
  mount();

  await press('Link GitHub');

  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('https://github.example/login'));
  const [request] = backend.to('/auth/v1/user/identities/authorize');
  const query = new URLSearchParams(request?.search);
  expect(query.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  expect(query.get('redirect_to')).toBe('http://localhost:3000/account?linked=github');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Link GitHub' }).disabled).toBe(true);
});

test('requires a new sign-in before linking when the last one is more than a day ago', async () => {
  backend.on('GET /auth/v1/user/identities/authorize', () => refused(400, 'reauthentication_needed'));
  mount();

  await press('Link GitHub');

  expect(await alertText()).toContain('more than a day ago');
  expect(screen.getByRole('button', { name: 'Sign in again' })).toBeTruthy();
});

test('confirms a link on return, forgets its verifier, and cleans the address', async () => {
  window.localStorage.setItem('sb-localhost-auth-token-code-verifier', '"verifier"');
  mount('/account?linked=google');

  await screen.findByText('Google is linked');
  await vi.waitFor(() => expect(screen.getByLabelText('Address').textContent).toBe('/account'));
  expect(window.localStorage.getItem('sb-localhost-auth-token-code-verifier')).toBeNull();
});

test.each([
  ['identity_already_exists', 'This sign-in already belongs to an account.'],
  ['access_denied', 'Linking was cancelled.'],
  ['bad_oauth_state', 'We couldn’t link GitHub.'],
])('explains a link refused with %s in the panel, once, and stays signed in', async (code, message) => {
  mount(`/account?linked=github#error=access_denied&error_code=${code}`);

  expect(await alertText()).toContain(message);
  await vi.waitFor(() => expect(screen.getByLabelText('Address').textContent).toBe('/account'));
  expect(screen.queryByText('Authentication failed. Please try again.')).toBeNull();
  expect(backend.to('/auth/v1/logout')).toEqual([]);
});

test('unlinks after a confirmation, with Cancel first', async () => {
  backend.on('DELETE /auth/v1/user/identities/id-google', () => {
    user = { ...user, identities: [EMAIL] };
    return json({});
  });
  mount();

  await press('Unlink Google, ada@gmail.example');
  expect(document.activeElement).toBe(dialog().getByRole('button', { name: 'Cancel' }));
  await userEvent.click(dialog().getByRole('button', { name: 'Unlink' }));

  await screen.findByText('Google is unlinked');
  await screen.findByRole('button', { name: 'Link Google' });
  expect(document.activeElement).not.toBe(document.body);
});

test('shows the server’s text when it refuses to unlink the last one', async () => {
  user = { ...user, identities: [GOOGLE] };
  const text = 'User must have at least 1 identity after unlinking';
  backend.on('DELETE /auth/v1/user/identities/id-google', () => refused(422, 'single_identity_not_deletable', text));
  mount();

  await press('Unlink Google, ada@gmail.example');
  await userEvent.click(dialog().getByRole('button', { name: 'Unlink' }));

  expect(await alertText()).toBe(text);
  expect(JSON.stringify(backend.errors())).toContain(text);
});

const change = async (address: string) => {
  await press('Change email address');
  await userEvent.type(screen.getByLabelText('New email address'), address);
  await press('Send confirmation');
};

test('refuses an invalid address and the present one before it sends anything', async () => {
  mount();

  await change('nonsense');
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('New email address'));
  await userEvent.type(screen.getByLabelText('New email address'), 'ADA@example.com');
  await press('Send confirmation');
  expect(screen.getByText('This is your address already')).toBeTruthy();

  await press('Cancel');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Change email address'));
  expect(backend.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('requests a change, and takes the code of each address until the address has changed', async () => {
  backend.on('PUT /auth/v1/user', ({ body }) => {
    user = { ...user, new_email: (body as { email: string }).email };
    return json(user);
  });
  mount();

  await change('new@example.com');
  await screen.findByText(/once you confirm it from both addresses/);
  const [request] = backend.requests.filter(({ method }) => method === 'PUT');
  expect(new URLSearchParams(request?.search).get('redirect_to')).toBe(
    'http://localhost:3000/auth/callback?from=change',
  );

  const enter = async (address: string, code: string) => {
    const form = within(screen.getByLabelText(`Code sent to ${address}`).closest('form') ?? document.body);
    await userEvent.clear(form.getByRole('textbox'));
    await userEvent.type(form.getByRole('textbox'), code);
    await userEvent.click(form.getByRole('button', { name: 'Confirm' }));
  };
  backend.on('POST /auth/v1/verify', () => refused(403, 'otp_expired'));
  await enter('ada@example.com', '000000');
  expect(await alertText()).toBe('This code is wrong or has expired. Request a new one.');

  backend.on('POST /auth/v1/verify', () => json({ msg: 'Confirmation link accepted.', code: '200' }));
  await enter('ada@example.com', '111111');
  await screen.findByText('ada@example.com has confirmed.');

  backend.on('POST /auth/v1/verify', () => {
    user = { ...USER, email: 'new@example.com', identities: [EMAIL] };
    return json(aSession({ email: 'new@example.com' }));
  });
  await enter('new@example.com', '222222');
  await screen.findByText('Your email address has been changed.');
  await vi.waitFor(async () => expect((await rows())[0]).toContain('new@example.com'));
  expect(backend.to('/auth/v1/verify').at(-1)?.body).toMatchObject({ type: 'email_change', email: 'new@example.com' });
});

test('sends the emails of a waiting change again, and requires one where no address is confirmed', async () => {
  user = { ...user, email_confirmed_at: undefined, new_email: 'new@example.com' };
  backend.on('PUT /auth/v1/user', () => refused(429, 'over_email_send_rate_limit'));
  mount();

  await screen.findByText(/once you confirm it from there/);
  expect(screen.queryByLabelText('Code sent to ada@example.com')).toBeNull();
  await press('Send the email again');
  expect(await alertText()).toContain('wait a minute');

  backend.on('PUT /auth/v1/user', () => json(user));
  await press('Send the email again');
  await screen.findByText('Emails sent');
});

test.each([
  ['email_exists', 422, 'Another account already uses this address.'],
  ['insufficient_aal', 401, 'Sign in again with a code from your app'],
  ['broken', 500, 'Your address stays the same.'],
])('explains a change refused with %s, and keeps what was typed', async (code, status, message) => {
  backend.on('PUT /auth/v1/user', () => refused(status, code));
  mount();

  await change('new@example.com');

  expect(await alertText()).toContain(message);
  expect(screen.getByLabelText<HTMLInputElement>('New email address').value).toBe('new@example.com');
});

test('follows an address that another browser confirmed', async () => {
  user = { ...user, email: 'new@example.com' };
  mount();

  await vi.waitFor(() => expect(backend.to('/auth/v1/token').length).toBe(1));
  expect((await rows())[0]).toContain('new@example.com');
});
