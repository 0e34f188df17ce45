import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import { ForgotPasswordForm } from '../features/auth/forgot-password-form.tsx';
import { VerifyEmailBanner } from '../features/auth/verify-email-banner.tsx';
import ResetPasswordPage from '../pages/auth/reset-password-page.tsx';
import { queryClient } from '../platform/query-client.ts';
import { aSession, fakeBackend, json, storeSession } from '../platform/testing/fake-backend.ts';
import { GuestOnly } from '../session/guards.tsx';

function mount(address: string) {
  const forgot = (
    <GuestOnly>
      <ForgotPasswordForm />
    </GuestOnly>
  );
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/auth/forgot-password" element={forgot} />
          <Route path="/auth/reset-password" element={<ResetPasswordPage />} />
          <Route path="/banner" element={<VerifyEmailBanner />} />
          <Route path="/auth/signin" element={<h1>Sign in</h1>} />
          <Route path="/dashboard" element={<h1>Dashboard</h1>} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const described = (label: string) => {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby');
  return id === null ? null : (document.getElementById(id)?.textContent ?? null);
};
const refusal = (status: number, code: string) => json({ code: status, error_code: code, msg: code }, status);
const UNVERIFIED = { email_confirmed_at: null } as unknown as { email_confirmed_at: string };

test('refuses a wrong address of a password email at the field, and leads from a right one to the next view and back', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/recover', () => json({}));
  mount('/auth/forgot-password');

  await type('Email', 'ada@');
  await press('Send reset link');
  const complaint = described('Email');
  const focused = document.activeElement;
  const input = screen.getByLabelText('Email');
  await type('Email', 'example.com');
  await press('Send reset link');

  const heading = await screen.findByRole('heading', { name: 'Check your email' });
  expect(complaint).toBe('Please enter a valid email address');
  expect(focused).toBe(input);
  expect(document.activeElement).toBe(heading);
  expect(backend.to('/auth/v1/recover')[0]?.body).toMatchObject({ email: 'ada@example.com' });
  expect(new URLSearchParams(backend.to('/auth/v1/recover')[0]?.search).get('redirect_to')).toBe(
    `${window.location.origin}/auth/reset-password`,
  );
  expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe('/auth/signin');
  await press('Try another email');
  await screen.findByRole('heading', { name: 'Forgot password' });
});

test('reports too many password emails and keeps the address', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/recover', () => refusal(429, 'over_email_send_rate_limit'));
  mount('/auth/forgot-password');

  await type('Email', 'ada@example.com');
  await press('Send reset link');

  expect((await screen.findByRole('alert')).textContent).toMatch(/^Too many requests\./);
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'ada@example.com');
});

test('leads from the code of a password email to the new password, and from there to the dashboard', async () => {
  const backend = fakeBackend();
  backend.on('POST /auth/v1/recover', () => json({}));
  backend.on('POST /auth/v1/verify', () => json(aSession()));
  backend.on('PUT /auth/v1/user', () => json(aSession().user));
  mount('/auth/forgot-password');
  await type('Email', 'ada@example.com');
  await press('Send reset link');

  await type('Code', '12 34');
  await press('Continue');
  const complaint = described('Code');
  await type('Code', '56');
  await press('Continue');
  await type('New password', 'Another1');
  await type('Confirm password', 'Another1');
  await press('Save password');

  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(complaint).toBe('Please enter the 6 digits from the email');
  expect(backend.to('/auth/v1/verify').map((request) => request.body)).toEqual([
    expect.objectContaining({ email: 'ada@example.com', token: '123456', type: 'recovery' }),
  ]);
  expect(backend.to('/auth/v1/user').find(({ method }) => method === 'PUT')?.body).toMatchObject({
    password: 'Another1',
  });
});

test('leads from the page of new passwords to a new email when there is no session', async () => {
  fakeBackend();

  mount('/auth/reset-password');

  await screen.findByText('This link has expired. Request a new one.');
  expect(screen.getByRole('link', { name: 'Request a new one' }).getAttribute('href')).toBe('/auth/forgot-password');
});

test('spends an invitation only when it is accepted, then requests a password, though another user was signed in', async () => {
  const backend = fakeBackend();
  const invited = { id: '22222222-2222-4222-8222-222222222222', email: 'new@example.com' };
  backend.on('POST /auth/v1/verify', () => refusal(403, 'otp_expired'));
  storeSession();
  mount('/auth/reset-password#invite=secret');

  await screen.findByText('ada@example.com');
  expect(screen.queryByLabelText('New password')).toBeNull();
  expect(backend.to('/auth/v1/verify')).toEqual([]);
  await press('Accept the invitation');
  expect((await screen.findByRole('alert')).textContent).toContain('This link has expired or was already used.');

  backend.on('POST /auth/v1/verify', () => json(aSession(invited)));
  await press('Accept the invitation');
  await screen.findByLabelText('New password');
  await screen.findByText('new@example.com');
  expect(backend.to('/auth/v1/verify').at(-1)?.body).toMatchObject({ token_hash: 'secret', type: 'invite' });
});

test('lets an unverified user request the email and type its code, and hides the banner', async () => {
  const backend = fakeBackend();
  backend.on('GET /auth/v1/user', () => json(aSession(UNVERIFIED).user));
  backend.on('POST /auth/v1/resend', () => json({}));
  backend.on('POST /auth/v1/verify', () => json(aSession()));
  storeSession(UNVERIFIED);
  mount('/banner');

  await screen.findByText('Your email is not verified. Some features may be restricted.');
  await press('Send verification email');
  await type('Code', '123456');
  await press('Verify');

  await waitFor(() => expect(screen.queryByText(/not verified/)).toBeNull());
  expect(backend.to('/auth/v1/resend')[0]?.body).toMatchObject({ email: 'ada@example.com', type: 'signup' });
  expect(backend.to('/auth/v1/verify')[0]?.body).toMatchObject({ token: '123456', type: 'email' });
});

test('shows limits and wrong codes in the banner, and takes a code without a new email', async () => {
  const backend = fakeBackend();
  backend.on('GET /auth/v1/user', () => json(aSession(UNVERIFIED).user));
  backend.on('POST /auth/v1/resend', () => refusal(429, 'over_email_send_rate_limit'));
  backend.on('POST /auth/v1/verify', () => refusal(403, 'otp_expired'));
  storeSession(UNVERIFIED);
  mount('/banner');
  await screen.findByRole('button', { name: 'Send verification email' });

  await press('I have a code');
  expect(document.activeElement).toBe(screen.getByLabelText('Code'));
  await type('Code', '123456');
  await press('Verify');
  await screen.findByText('This code is wrong or has expired. Request a new one.');
  await press('Send verification email');

  await screen.findByText('Too many requests. Please wait a minute before you request another email.');
});

test('hides the banner when the address is verified elsewhere', async () => {
  const backend = fakeBackend();
  backend.on('GET /auth/v1/user', () => json(aSession().user));
  storeSession(UNVERIFIED);

  mount('/banner');

  await waitFor(() => expect(backend.to('/auth/v1/token')).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText(/not verified/)).toBeNull());
});

test('shows a verified user no banner', async () => {
  const backend = fakeBackend();
  storeSession();

  mount('/banner');

  await waitFor(() => expect(backend.requests).not.toEqual([]));
  expect(screen.queryByText(/not verified/)).toBeNull();
});
