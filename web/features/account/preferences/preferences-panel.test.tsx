/** Preferences: saved immediately, and restored when saving fails. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { alertText, mountPanel, PROFILE_ROW, SESSION_USER } from '../testing/security-panel.tsx';
import { PreferencesPanel } from './preferences-panel.tsx';

let backend: FakeBackend;
let row: typeof PROFILE_ROW;

beforeEach(() => {
  backend = fakeBackend();
  row = PROFILE_ROW;
  backend.on('GET /rest/v1/profiles', () => json(row));
  backend.on('PATCH /rest/v1/profiles', ({ body }) => {
    row = { ...row, ...(body as object) };
    return json(row);
  });
  storeSession();
});

function mount() {
  mountPanel(<PreferencesPanel user={SESSION_USER} />);
}

const flip = async (name: string) => userEvent.click(await screen.findByRole('switch', { name }));
const isOn = (name: string) => screen.getByRole('switch', { name }).getAttribute('aria-checked');
const sent = () => backend.to('/rest/v1/profiles').filter(({ method }) => method === 'PATCH');

test('shows each switch as stored, with what it means', async () => {
  mount();
  const push = await screen.findByRole('switch', { name: 'Push notifications' });

  expect([isOn('Email notifications'), isOn('Push notifications'), isOn('Marketing emails')]).toEqual([
    'true',
    'false',
    'false',
  ]);
  const help = document.getElementById(push.getAttribute('aria-describedby') ?? '');
  expect(help?.textContent).toContain('on all devices where you turned notifications on');
});

test('saves a switch immediately, alone, with its moment, and updates every page', async () => {
  mount();

  await flip('Marketing emails');

  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.body).toEqual({ marketing_emails: true, updated_at: expect.any(String) });
  expect(new URLSearchParams(sent()[0]?.search).get('id')).toBe(`eq.${USER.id}`);
  expect(isOn('Marketing emails')).toBe('true');
  expect(queryClient.getQueryData(['profile', USER.id])).toMatchObject({ marketing_emails: true });
});

test.each([
  ['offline', () => Promise.reject(new TypeError('Failed to fetch')), 'couldn’t reach'],
  ['a refusal', () => json({ message: 'no', code: '23514' }, 400), 'rejected this change'],
] as const)('flips the switch back after %s, and explains it', async (_what, answer, message) => {
  backend.on('PATCH /rest/v1/profiles', answer);
  mount();

  await flip('Email notifications');

  expect(await alertText()).toContain(message);
  await screen.findByText('Failed to update profile');
  expect(isOn('Email notifications')).toBe('true');
});

test('stores the last of two quick clicks', async () => {
  const held = Promise.withResolvers<void>();
  backend.on('PATCH /rest/v1/profiles', async ({ body }) => {
    await held.promise;
    row = { ...row, ...(body as object) };
    return json(row);
  });
  mount();

  await flip('Push notifications');
  await waitFor(() => expect(isOn('Push notifications')).toBe('true'));
  await flip('Push notifications');
  await waitFor(() => expect(isOn('Push notifications')).toBe('false'));
  // The second waits for the first: whichever came last to the server would be stored.
  expect(sent()).toHaveLength(1);
  held.resolve();

  await waitFor(() => expect(sent()).toHaveLength(2));
  await waitFor(() => expect(row.push_notifications).toBe(false));
  expect(sent().map(({ body }) => (body as typeof row).push_notifications)).toEqual([true, false]);
  await waitFor(() => expect(isOn('Push notifications')).toBe('false'));
});

test('reports preferences that do not load, and loads again', async () => {
  backend.on('GET /rest/v1/profiles', () => json({ message: 'broken' }, 500));
  mount();
  await screen.findByText('We couldn’t load your preferences');

  backend.on('GET /rest/v1/profiles', () => json(row));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await screen.findByRole('switch', { name: 'Email notifications' });
});
