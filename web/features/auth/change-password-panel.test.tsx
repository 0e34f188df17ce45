/** A new password on the security page: the rules of sign-up, a message for every refusal, nothing typed lost. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../platform/testing/fake-backend.ts';
import { Toaster } from '../../ui/overlay/toaster.tsx';
import { ChangePasswordPanel } from './change-password-panel.tsx';

let backend: FakeBackend;
const onChanged = vi.fn();

beforeEach(async () => {
  onChanged.mockClear();
  backend = fakeBackend();
  backend.on('PUT /auth/v1/user', () => json(USER));
  storeSession();
  render(
    <QueryClientProvider client={queryClient}>
      <ChangePasswordPanel email="ada@example.com" onChanged={onChanged} />
      <Toaster />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
});

async function save(password: string, again = password) {
  await userEvent.type(screen.getByLabelText('New password'), password);
  await userEvent.type(screen.getByLabelText('Confirm password'), again);
  await userEvent.click(screen.getByRole('button', { name: 'Save password' }));
}

test('sends the new password, confirms it, and closes the form', async () => {
  expect(document.activeElement).toBe(screen.getByLabelText('New password'));

  await save('Password2');

  await screen.findByText('Your password has been changed.');
  expect(backend.to('/auth/v1/user').map(({ method, body }) => [method, body])).toEqual([
    ['PUT', expect.objectContaining({ password: 'Password2' })],
  ]);
  expect(onChanged).toHaveBeenCalledOnce();
  expect(screen.queryByLabelText('New password')).toBeNull();
});

test('explains errors at their fields, and sends nothing', async () => {
  await save('password', 'passwords');

  const note = (label: string) =>
    document.getElementById(screen.getByLabelText(label).getAttribute('aria-describedby') ?? '')?.textContent;
  expect(note('New password')).toBe(
    'Password must contain at least one uppercase letter, one lowercase letter, and one number',
  );
  expect(backend.to('/auth/v1/user')).toEqual([]);
});

test.each([
  [422, 'same_password', 'Please choose a password that’s different from your old one.'],
  [400, 'reauthentication_needed', 'You signed in too long ago to change your password.'],
  [401, 'insufficient_aal', 'This account has a second factor.'],
  [500, 'unexpected_failure', 'We couldn’t set the new password. Please try again.'],
])('explains a refusal (%i %s), and keeps what was typed', async (status, code, message) => {
  backend.on('PUT /auth/v1/user', () => json({ code: status, error_code: code, msg: 'no' }, status));

  await save('Password2');

  const shown = (await screen.findByRole('alert')).textContent;
  // Other words come of another error: which one is in what the page reported.
  expect(shown, JSON.stringify(backend.requests.map(({ method, path, body }) => [method, path, body]))).toContain(
    message,
  );
  expect(screen.getByLabelText('New password')).toHaveProperty('value', 'Password2');
  expect(onChanged).not.toHaveBeenCalled();
});

test('closes the form on Cancel', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));

  expect(screen.queryByLabelText('New password')).toBeNull();
});
