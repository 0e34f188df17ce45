/** The list of API keys: what it shows of each, a new one shown once, and the question before one is revoked. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../../ui/browser/time-zone.ts';
import { alertText, mountPanel, press } from '../testing/security-panel.tsx';
import { ApiKeysPanel } from './api-keys-panel.tsx';

const KEY = `kat_${'Ab3'.repeat(13)}Z`;
const id = (digit: number) => `55555555-5555-4555-8555-55555555555${digit}`;

function aRow(digit: number, change: object = {}) {
  const name = `key ${digit}`;
  const row = { id: id(digit), name, prefix: 'kat_abc123', created_at: '2026-11-19T22:15:00.123456+00:00' };
  return { ...row, last_used_at: null, expires_at: null, revoked_at: null, ...change };
}

const NOTEBOOK = aRow(1, { name: 'Notebook', last_used_at: '2026-11-21T09:00:00+00:00' });
const OVER = aRow(2, { name: 'Old', expires_at: '2026-01-01T00:00:00+00:00' });
const REVOKED = aRow(3, { name: 'Lost', revoked_at: '2026-11-20T00:00:00+00:00' });

let backend: FakeBackend;
let rows: ReturnType<typeof aRow>[];

beforeEach(() => {
  backend = fakeBackend();
  rows = [NOTEBOOK, OVER, REVOKED];
  backend.on('GET /rest/v1/api_keys', () => json(rows));
  backend.on('POST /functions/v1/create-api-key', () => {
    rows = [aRow(4, { name: 'Server' }), ...rows];
    return json({ ok: true, id: id(4), key: KEY });
  });
  backend.on('POST /functions/v1/revoke-api-key', () => {
    rows = rows.filter((row) => row !== NOTEBOOK);
    return json({ ok: true });
  });
  storeSession();
});

function mount() {
  setProfileZone('Europe/Berlin');
  return mountPanel(<ApiKeysPanel userId={USER.id} />);
}

const dialog = () => within(screen.getByRole('dialog'));
const live = async () => within(await screen.findByRole('list', { name: 'Your keys' })).getAllByRole('listitem');
const sentTo = (name: string) => backend.to(`/functions/v1/${name}`).map(({ body }) => body);

async function fillIn(name: string, life?: string) {
  await press('Create key');
  if (name !== '') await userEvent.type(dialog().getByLabelText('Name'), name);
  if (life !== undefined) await userEvent.selectOptions(dialog().getByLabelText('Valid for'), life);
  await userEvent.click(dialog().getByRole('button', { name: 'Create key' }));
}

test('lists each with its name, beginning and times in the reader’s zone, and expired ones on request', async () => {
  mount();

  const [row, ...others] = await live();
  expect(others).toEqual([]);
  expect(row?.textContent).toContain('Notebook');
  expect(row?.textContent).toContain('Starts withkat_abc123');
  expect(row?.textContent).toContain('Created19 Nov 2026, 23:15 GMT+1');
  expect(row?.textContent).toContain('21 Nov 2026, 10:00 GMT+1');
  expect(row?.textContent).toContain('Expiresnever');

  await press('Show 2 inactive keys');
  const over = within(screen.getByRole('list', { name: 'Inactive keys' })).getAllByRole('listitem');
  expect(over.map((item) => item.querySelector('p')?.textContent)).toEqual(['OldExpired', 'LostRevoked']);
  expect(over.flatMap((item) => [...item.querySelectorAll('button')])).toEqual([]);
});

test('shows a new key once, ready to copy, and nowhere after that', async () => {
  const user = userEvent.setup();
  const { container } = mount();
  await live();

  await fillIn('Server', 'One year');
  await screen.findByText(KEY);
  expect(sentTo('create-api-key')).toEqual([{ name: 'Server', expires_in_days: 365 }]);
  expect(screen.getByRole('dialog', { name: 'Your new API key' }).textContent).toContain('only show it once');
  expect(document.activeElement?.textContent).toBe('I have saved it');
  await user.click(dialog().getByRole('button', { name: 'Copy API key' }));
  expect(await navigator.clipboard.readText()).toBe(KEY);

  await user.click(dialog().getByRole('button', { name: 'I have saved it' }));
  expect(await live()).toHaveLength(2);
  expect(container.textContent).not.toContain(KEY);
  await press('Create key');
  expect(dialog().getByLabelText('Name')).toHaveProperty('value', '');
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(KEY);
});

test('requires a name and no end', async () => {
  mount();
  await live();

  await fillIn('');
  expect(dialog().getByText('Please give the key a name')).toBeDefined();
  expect(sentTo('create-api-key')).toEqual([]);
  await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  await fillIn('Server', 'No expiry');
  await screen.findByText(KEY);
  expect(sentTo('create-api-key')).toEqual([{ name: 'Server' }]);
});

test.each([
  ['account/too-many-keys', 200, 'You have 10 keys', false],
  ['request/too-many', 200, 'several keys within an hour', false],
  ['auth/second-factor-needed', 403, 'Sign in again with a code', true],
  ['internal', 500, 'We couldn’t create the key', false],
])('explains %s', async (code, status, message, needsSignIn) => {
  backend.on('POST /functions/v1/create-api-key', () =>
    status === 200 ? json({ ok: false, reason: code, message: code }) : json({ error: code, code }, status),
  );
  mount();
  await live();

  await fillIn('Server');
  expect(await alertText()).toContain(message);
  expect(dialog().queryByRole('button', { name: 'Sign in again' }) !== null).toBe(needsSignIn);
  expect(dialog().getByLabelText('Name')).toHaveProperty('value', 'Server');
});

test('revokes a key once that is confirmed, and not before', async () => {
  mount();

  await press('Revoke Notebook, kat_abc123');
  expect(document.activeElement).toBe(dialog().getByRole('button', { name: 'Cancel' }));
  await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(sentTo('revoke-api-key')).toEqual([]);

  await press('Revoke Notebook, kat_abc123');
  await userEvent.click(dialog().getByRole('button', { name: 'Revoke' }));
  await screen.findByText('You have no active keys.');
  expect(sentTo('revoke-api-key')).toEqual([{ id: NOTEBOOK.id }]);
  expect(document.activeElement).not.toBe(document.body);
});

test('reports a key that could not be revoked as still valid', async () => {
  backend.on('POST /functions/v1/revoke-api-key', () => json({ error: 'broken', code: 'internal' }, 500));
  mount();

  await press('Revoke Notebook, kat_abc123');
  await userEvent.click(dialog().getByRole('button', { name: 'Revoke' }));
  expect(await alertText()).toContain('it still works');
  expect(await live()).toHaveLength(1);
});

test('allows ten at most', async () => {
  rows = Array.from({ length: 10 }, (_, n) => aRow(n));
  mount();

  expect(await live()).toHaveLength(10);
  expect(screen.getByRole('button', { name: 'Create key' })).toHaveProperty('disabled', true);
  expect(screen.getByText(/the most you can have/)).toBeDefined();
});

test('offers the first when there is none, reports a failed load, and loads again', async () => {
  rows = [];
  backend.on('GET /rest/v1/api_keys', () => json({ message: 'broken' }, 500));
  mount();
  await screen.findByText('We couldn’t load your keys');

  backend.on('GET /rest/v1/api_keys', () => json(rows));
  await press('Retry');
  await screen.findByText('No key yet');
  expect(screen.getAllByRole('button', { name: 'Create key' })).toHaveLength(1);
});
