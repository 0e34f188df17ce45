import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { FACTOR, type FakeBackend, fakeBackend, json, storeSession } from '../../../platform/testing/fake-backend.ts';
import { alertText, factorServer, mountPanel, press } from '../testing/security-panel.tsx';
import { DangerZone } from './account-deletion.tsx';

const TOKEN = 'sb-localhost-auth-token';
const QUESTION = 'Are you sure you want to delete your account? This action cannot be undone.';
const BY_PASSWORD = { proof: 'password', is_proven: false, has_plan: false };
const BY_SIGN_IN = { proof: 'recent-sign-in', is_proven: false, has_plan: false };

let backend: FakeBackend;

beforeEach(() => {
  backend = fakeBackend();
  storeSession();
});

/** The server's side: the terms, then an answer to the deletion. */
function answers(terms: object, deletion: () => Response = () => json({ ok: true })) {
  backend.fn('delete-account', ({ body }) =>
    (body as { action: string }).action === 'status' ? json({ ok: true, ...terms }) : deletion(),
  );
}
const refusal = (reason: string, message = '') => json({ ok: false, reason, message });
const deletions = () =>
  backend
    .to('/functions/v1/delete-account')
    .map(({ body }) => body)
    .filter((body) => (body as { action: string }).action === 'delete');
const isSignedIn = () => window.localStorage.getItem(TOKEN) !== null;

/** Clicks through the specified question. @returns what the last dialog shows */
async function ask() {
  mountPanel(<DangerZone />);
  await press('Delete Account');
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));
  return within(await screen.findByRole('dialog', { name: 'Delete your account for good' }));
}

test('puts the specified question first, with Cancel focused, and calls nothing before the answer', async () => {
  answers(BY_PASSWORD);
  mountPanel(<DangerZone />);
  expect(screen.getByRole('heading', { name: 'Danger Zone' })).toBeTruthy();

  await press('Delete Account');
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(QUESTION)).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));

  expect(screen.queryByRole('dialog')).toBeNull();
  expect(backend.to('/functions/v1/delete-account')).toEqual([]);
});

test('says what goes, stays and ends, requires the password, then signs out and says that it is deleted', async () => {
  answers({ ...BY_PASSWORD, has_plan: true });
  const dialog = await ask();
  expect(dialog.getByText(/saved predictions, alerts, API keys/)).toBeTruthy();
  expect(dialog.getByText(/Posts and votes stay without your name/)).toBeTruthy();
  expect(dialog.getByText('Your plan ends immediately.')).toBeTruthy();

  await userEvent.click(dialog.getByRole('button', { name: 'Delete my account' }));
  expect(dialog.getByText('Please enter your password')).toBeTruthy();
  expect(deletions()).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Your password'), 'Password1');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete my account' }));

  expect(await screen.findByText('Your account was deleted.')).toBeTruthy();
  expect(deletions()).toEqual([{ action: 'delete', password: 'Password1' }]);
  expect(isSignedIn()).toBe(false);
});

test.each([
  ['account/wrong-password', 'This password is wrong. Nothing was deleted.', /This password is wrong/],
  ['billing/provider-unavailable', '', /we couldn’t end your plan. Nothing was deleted/],
  ['account/payment-owed', 'A payment for your plan is still open.', /A payment for your plan is still open/],
  ['request/too-many', '', /Too many attempts within an hour/],
])('shows the refusal %s, keeps the dialog open and stays signed in', async (code, message, shown) => {
  answers(BY_PASSWORD, () => refusal(code, message));
  const dialog = await ask();
  expect(dialog.queryByText('Your plan ends immediately.')).toBeNull();
  await userEvent.type(dialog.getByLabelText('Your password'), 'Password2');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete my account' }));

  expect(await alertText()).toMatch(shown);
  expect(dialog.getByRole('button', { name: 'Keep my account' })).toBeTruthy();
  expect(isSignedIn()).toBe(true);
});

test('does not claim either outcome when the answer is lost', async () => {
  answers(BY_PASSWORD, () => json({}, 502));
  const dialog = await ask();
  await userEvent.type(dialog.getByLabelText('Your password'), 'Password1');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete my account' }));

  expect(await alertText()).toMatch(/We don’t know whether your account was deleted/);
  expect(isSignedIn()).toBe(true);
});

test('requires a code of its app from an account without a password, and deletes nothing on a wrong one', async () => {
  factorServer(backend, [{ ...FACTOR, created_at: '2026-11-20T10:00:00Z' }]);
  answers(BY_SIGN_IN);
  const dialog = await ask();
  await userEvent.type(dialog.getByLabelText('Code from your app'), '000000');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete my account' }));
  await alertText();
  expect(deletions()).toEqual([]);

  await userEvent.clear(dialog.getByLabelText('Code from your app'));
  await userEvent.type(dialog.getByLabelText('Code from your app'), '123456');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete my account' }));

  expect(await screen.findByText('Your account was deleted.')).toBeTruthy();
  expect(deletions()).toEqual([{ action: 'delete' }]);
});

test('offers to sign in again without password and app, and nothing more after a recent sign-in', async () => {
  factorServer(backend, [], 'aal1');
  answers(BY_SIGN_IN);
  const dialog = await ask();
  expect(dialog.getByRole('button', { name: 'Sign in again' })).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Delete my account' })).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Keep my account' }));

  answers({ ...BY_SIGN_IN, is_proven: true });
  await press('Delete Account');
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));
  await press('Delete my account');
  await waitFor(() => expect(deletions()).toEqual([{ action: 'delete' }]));
});

test('reports that deletion is not implemented where only the operator deletes, and deletes nothing', async () => {
  backend.fn('delete-account', () => refusal('account/deletion-by-operator'));
  mountPanel(<DangerZone />);
  await press('Delete Account');
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));

  expect(await alertText()).toBe('Account deletion not implemented');
  expect(screen.getByText(/Nothing was deleted/)).toBeTruthy();
  expect(deletions()).toEqual([]);
  expect(isSignedIn()).toBe(true);
});

test('keeps the question open with a message when the server can’t be reached', async () => {
  backend.fn('delete-account', () => json({}, 503));
  mountPanel(<DangerZone />);
  await press('Delete Account');
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));

  expect(await alertText()).toMatch(/We couldn’t reach the account service. Nothing was deleted/);
  expect(screen.getByText(QUESTION)).toBeTruthy();
});
