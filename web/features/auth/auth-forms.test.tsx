import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { queryClient } from '../../platform/query-client.ts';
import { aSession, fakeBackend, json, USER } from '../../platform/testing/fake-backend.ts';
import { GuestOnly } from '../../session/guards.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

function mountSignIn() {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <SignInForm />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const dashboardShown = vi.fn();
function Dashboard() {
  dashboardShown();
  return <h1>Dashboard</h1>;
}

async function mountSignUp(address = '/auth/signup') {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route
            path="/auth/signup"
            element={
              <GuestOnly>
                <SignUpForm />
              </GuestOnly>
            }
          />
          <Route path="/" element={<h1>Home</h1>} />
          <Route path="/dashboard" element={<Dashboard />} />
          <Route path="/account/subscription" element={<h1>Subscription</h1>} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByLabelText('Full name');
}

async function fill(fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    await userEvent.clear(screen.getByLabelText(label));
    if (value !== '') await userEvent.type(screen.getByLabelText(label), value);
  }
}

const GOOD = {
  'Full name': 'Ada Lovelace',
  Email: 'ada@example.com',
  Password: 'Password1',
  'Confirm password': 'Password1',
};
const submit = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const described = (label: string) => {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby');
  return id === null ? null : (document.getElementById(id)?.textContent ?? null);
};

test.each([
  ['Email', 'ada', 'Please enter a valid email address'],
  ['Password', 'short', 'Password must be at least 6 characters'],
])('refuses a sign-in with %s %j at the field, focused, without a request', async (label, value, message) => {
  const backend = fakeBackend();
  mountSignIn();

  await fill({ Email: 'ada@example.com', Password: 'Password1', [label]: value });
  await submit('Sign In');

  expect(described(label)).toBe(message);
  expect(document.activeElement).toBe(screen.getByLabelText(label));
  expect(screen.getByLabelText(label)).toHaveProperty('value', value);
  expect(backend.to('/auth/v1/token')).toEqual([]);
});

test.each([
  ['Full name', 'A', 'Full name must be at least 2 characters'],
  ['Email', 'ada@', 'Please enter a valid email address'],
  ['Password', 'Pass1', 'Password must be at least 8 characters'],
  [
    'Password',
    'password1',
    'Password must contain at least one uppercase letter, one lowercase letter, and one number',
  ],
  ['Confirm password', 'Password2', "Passwords don't match"],
])('refuses a sign-up with %s %j at the field', async (label, value, message) => {
  const backend = fakeBackend();
  await mountSignUp();
  const same = label === 'Password' ? { 'Confirm password': value } : {};

  await fill({ ...GOOD, ...same, [label]: value });
  await submit('Sign Up');

  expect(described(label)).toBe(message);
  expect(document.activeElement).toBe(screen.getByLabelText(label));
  expect(backend.to('/auth/v1/signup')).toEqual([]);
});

test('hides an error as soon as the field is right', async () => {
  fakeBackend();
  mountSignIn();
  await submit('Sign In');
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');

  await fill({ Email: 'ada@example.com' });

  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('false');
  expect(described('Password')).toBe('Password must be at least 6 characters');
});

test.each([
  ['Invalid login credentials', 400, 'Invalid email or password. Please check your credentials and try again.'],
  ['Email not confirmed', 400, 'Please check your email and click the confirmation link before signing in.'],
  ['Too many requests', 429, 'Too many sign-in attempts. Please wait a moment before trying again.'],
  ['Anything else', 500, 'An error occurred during sign-in. Please try again.'],
])(
  'shows the server’s %j at sign-in as the specification words it, reports it, and keeps the values',
  async (msg, status, message) => {
    const backend = fakeBackend();
    backend.on('POST /auth/v1/token', () => json({ code: status, msg }, status));
    mountSignIn();

    await fill({ Email: 'ada@example.com', Password: 'Password1' });
    await submit('Sign In');

    expect((await screen.findByRole('alert')).textContent).toBe(message);
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'ada@example.com');
    expect(screen.getByLabelText('Password')).toHaveProperty('value', 'Password1');
    // The cause, and what was shown of it.
    await waitFor(() => expect(backend.errors()).toHaveLength(2));
    expect(backend.errors()[1]?.error_message).toBe(message);
  },
);

test.each([
  ['User already registered', 'An account with this email already exists. Please sign in instead.'],
  ['Password should be at least 6 characters', 'Password must be at least 6 characters long.'],
  ['Invalid email', 'Please enter a valid email address.'],
  ['Database is closed', 'Failed to create account. Please try again.'],
])('shows the server’s %j at sign-up as the specification words it', async (msg, message) => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/signup', () => json({ code: 422, msg }, 422));
  await mountSignUp();

  await fill(GOOD);
  await submit('Sign Up');

  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(screen.getByLabelText('Confirm password')).toHaveProperty('value', 'Password1');
});

test('says that the account exists after a sign-up without a session', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/signup', () => json(USER));
  await mountSignUp();

  await fill(GOOD);
  await submit('Sign Up');

  expect((await screen.findByRole('alert')).textContent).toBe(
    'Account created but failed to sign in automatically. Please sign in manually.',
  );
});

test('takes the code of the email after a sign-up without a session, and then goes home signed in', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/signup', () => json(USER));
  backend.on('POST /auth/v1/verify', () => json(aSession()));
  await mountSignUp();
  await fill(GOOD);
  await submit('Sign Up');

  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await submit('Verify');

  await screen.findByRole('heading', { name: 'Home' });
  expect(dashboardShown).not.toHaveBeenCalled();
  expect(backend.to('/auth/v1/verify')[0]?.body).toMatchObject({ email: GOOD.Email, token: '123456', type: 'email' });
});

test.each([
  ['%2Faccount%2Fsubscription', 'Subscription'],
  ['https%3A%2F%2Fevil.example', 'Home'],
])('goes after a sign-up to a page of ours that the address names: %s', async (next, heading) => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/signup', () => json(aSession()));
  await mountSignUp(`/auth/signup?next=${next}`);

  await fill(GOOD);
  await submit('Sign Up');

  await screen.findByRole('heading', { name: heading });
});

test('writes profile and first activity on sign-up, then goes home, also when the profile exists already', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/signup', () => json(aSession()));
  backend.on('POST /rest/v1/profiles', async () => {
    // Long enough for the page to go elsewhere, if it were to.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return json({ code: '23505', message: 'duplicate key' }, 409);
  });
  await mountSignUp();

  await fill(GOOD);
  await submit('Sign Up');

  await screen.findByRole('heading', { name: 'Home' });
  expect(dashboardShown).not.toHaveBeenCalled();
  const [profile] = backend.to('/rest/v1/profiles').filter((request) => request.method === 'POST');
  expect(backend.to('/auth/v1/signup')[0]?.body).toMatchObject({
    email: 'ada@example.com',
    data: { full_name: 'Ada Lovelace' },
  });
  expect(profile?.body).toMatchObject({ id: USER.id, email: 'ada@example.com', full_name: 'Ada Lovelace' });
  expect(profile?.body).toHaveProperty('created_at');
  expect(profile?.body).toHaveProperty('updated_at');
  expect(backend.to('/rest/v1/user_activity')[0]?.body).toEqual({
    user_id: USER.id,
    activity_type: 'account_created',
    activity_data: { signup_method: 'email', provider: 'email', full_name: 'Ada Lovelace' },
  });
  expect(backend.to('/rest/v1/error_logs')).toEqual([]);
});

/** What password managers go by: the kind of each field, its name, and an id that stays the same. */
test.each([
  [
    'sign-in',
    mountSignIn,
    [
      ['Email', 'email', 'sign-in-email', 'username'],
      ['Password', 'password', 'sign-in-password', 'current-password'],
    ],
  ],
  [
    'sign-up',
    mountSignUp,
    [
      ['Full name', 'fullName', 'sign-up-fullName', 'name'],
      ['Email', 'email', 'sign-up-email', 'email'],
      ['Password', 'password', 'sign-up-password', 'new-password'],
      ['Confirm password', 'confirmPassword', 'sign-up-confirmPassword', 'new-password'],
    ],
  ],
])('renders %s as one form whose fields password managers know', async (_which, mount, fields) => {
  fakeBackend();
  await mount();

  const inputs = fields.map(([label = '']) => screen.getByLabelText<HTMLInputElement>(label));

  expect(inputs.map(({ name, id, autocomplete }) => [name, id, autocomplete])).toEqual(fields.map((f) => f.slice(1)));
  expect(new Set(inputs.map(({ form }) => form)).size).toBe(1);
  expect(inputs[0]?.form?.querySelector('button[type="submit"]')).not.toBeNull();
});

test.each([
  ['Sign In', mountSignIn, 'An error occurred during sign-in. Please try again.'],
  ['Sign Up', mountSignUp, 'Failed to create account. Please try again.'],
])(
  'reports a lost network during %s, keeps everything typed, and allows another try',
  async (action, mount, message) => {
    const backend = fakeBackend();
    const failFetch = () => Promise.reject(new TypeError('Failed to fetch'));
    backend.on('POST /auth/v1/token', failFetch);
    backend.on('POST /auth/v1/signup', failFetch);
    await mount();
    const typed = action === 'Sign In' ? { Email: GOOD.Email, Password: GOOD.Password } : GOOD;

    await fill(typed);
    await submit(action);

    expect((await screen.findByRole('alert')).textContent).toBe(message);
    for (const [label, value] of Object.entries(typed))
      expect(screen.getByLabelText(label)).toHaveProperty('value', value);
    expect(screen.getByRole('button', { name: action })).toHaveProperty('disabled', false);
    expect(document.activeElement).not.toBe(document.body);
    backend.on('POST /auth/v1/token', () => json(aSession()));
    backend.on('POST /auth/v1/signup', () => json(aSession()));
    await submit(action);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  },
);

test('warns a browser that stores nothing before anything is typed, and says what providers need', async () => {
  const backend = fakeBackend();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  mountSignIn();

  await screen.findByText(/^Your browser doesn’t store data for this site\. You can sign in with a password/);
  await submit('Google');

  expect((await screen.findByRole('alert')).textContent).toMatch(/Allow it, or use your password\.$/);
  expect(backend.to('/auth/v1/authorize')).toEqual([]);
});

test.each([
  [`x${'\0'}y`, 'Full name contains a character that can’t be stored'],
  ['x'.repeat(10_240), 'Full name must be at most 200 characters'],
])('explains an odd name at its field without a request: %#', async (name, message) => {
  const backend = fakeBackend();
  await mountSignUp();
  await fill(GOOD);

  fireEvent.change(screen.getByLabelText('Full name'), { target: { value: name } });
  await submit('Sign Up');

  expect(described('Full name')).toBe(message);
  expect(screen.getByLabelText('Full name')).toHaveProperty('value', name);
  expect(backend.to('/auth/v1/signup')).toEqual([]);
});
