/** /account without its browser: what is shown, what is sent, and that nothing typed is ever lost. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { ProfileContent } from './profile-content.tsx';

const ROW = {
  id: USER.id,
  role: 'user',
  full_name: 'Ada Lovelace',
  avatar_url: null,
  phone: '+44 1',
  location: null,
  website: null,
  timezone: null,
  bio: null,
};

let backend: FakeBackend;

beforeEach(() => {
  backend = fakeBackend();
  backend.on('GET /rest/v1/profiles', () => json(ROW));
  backend.on('PATCH /rest/v1/profiles', ({ body }) => json({ ...ROW, ...(body as object) }));
  storeSession();
});

function mount() {
  return render(
    <QueryClientProvider client={queryClient}>
      <ProfileContent />
      <Toaster />
    </QueryClientProvider>,
  );
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const shown = () => screen.findByLabelText('Full name');
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
const sent = () => backend.to('/rest/v1/profiles').filter(({ method }) => method === 'PATCH');
const noteOf = (label: string) => {
  const id = field(label).getAttribute('aria-describedby');
  return id === null ? null : (document.getElementById(id)?.textContent ?? null);
};

async function type(label: string, text: string) {
  await userEvent.clear(field(label));
  if (text !== '') await userEvent.type(field(label), text);
}

test('fills the fields with the stored profile, and shows the address unchangeable', async () => {
  mount();
  await shown();

  expect(field('Full name').value).toBe('Ada Lovelace');
  expect(field('Phone').value).toBe('+44 1');
  expect(field('Email').value).toBe('ada@example.com');
  expect(field('Email').readOnly).toBe(true);
  expect(noteOf('Email')).toBe('Email cannot be changed');
});

test('sends only changed fields, trimmed, with their moment, and emptied ones as null', async () => {
  mount();
  await shown();

  await type('Full name', '  Ada King ');
  await type('Phone', '');
  await save();

  await screen.findByText('Profile updated');
  const [request] = sent();
  expect(new URLSearchParams(request?.search).get('id')).toBe(`eq.${USER.id}`);
  expect(request?.body).toEqual({ full_name: 'Ada King', phone: null, updated_at: expect.any(String) });
  expect(field('Full name').value).toBe('Ada King');
  expect(screen.queryByText('Not saved yet')).toBeNull();
});

test('explains errors at their fields, focuses the first one, and sends nothing', async () => {
  mount();
  await shown();

  await type('Full name', 'A');
  await type('Website', 'nonsense');
  await save();

  expect(noteOf('Full name')).toBe('Name must be at least 2 characters');
  expect(noteOf('Website')).toBe('Please enter a valid URL');
  expect(field('Website').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field('Full name'));
  expect(sent()).toEqual([]);

  await type('Website', 'https://ada.example');
  expect(noteOf('Website')).toBeNull();
});

test('counts the characters of the biography as the database does', async () => {
  mount();
  await shown();

  await userEvent.click(field('Bio'));
  await userEvent.paste('😀'.repeat(501));
  expect(screen.getByText('501 / 500')).toBeDefined();
  expect(screen.getByText('1 character too many')).toBeDefined();
  await save();
  expect(noteOf('Bio')).toBe('Bio must be less than 500 characters');
});

test.each([
  ['offline', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a fault of the server', () => json({ message: 'broken' }, 500)],
  ['a refusal', () => json({ message: 'no', code: '23514' }, 400)],
] as const)('reports %s in the middle of saving, and keeps everything typed', async (_what, answer) => {
  backend.on('PATCH /rest/v1/profiles', answer);
  mount();
  await shown();

  await type('Location', 'London');
  await save();

  await screen.findByText('Failed to update profile');
  expect(within(screen.getByRole('form', { name: 'Profile' })).getByRole('alert').textContent).toContain('still here');
  expect(field('Location').value).toBe('London');

  backend.on('PATCH /rest/v1/profiles', ({ body }) => json({ ...ROW, ...(body as object) }));
  await save();
  await screen.findByText('Profile updated');
});

test('restores typed text after the page was left', async () => {
  const { unmount } = mount();
  await shown();
  await type('Location', 'Turin');
  unmount();

  mount();
  await shown();

  expect(field('Location').value).toBe('Turin');
  expect(screen.getByText('Not saved yet')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(field('Location').value).toBe('');
});

test('warns before leaving the site, only with unsaved changes', async () => {
  mount();
  await shown();
  const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  expect(leaves()).toBe(true);
  await type('Location', 'Paris');
  expect(leaves()).toBe(false);
});

test('shows another tab’s change where nothing was typed, and reports it where something was', async () => {
  mount();
  await shown();
  await type('Bio', 'mine');
  backend.on('GET /rest/v1/profiles', () => json({ ...ROW, phone: '+44 2', bio: 'theirs' }));

  window.dispatchEvent(new Event('visibilitychange'));

  await waitFor(() => expect(field('Phone').value).toBe('+44 2'));
  expect(field('Bio').value).toBe('mine');
  expect(noteOf('Bio')).toBe('Changed on another device to: theirs');
  await save();
  await screen.findByText('Profile updated');
  expect(sent()[0]?.body).toEqual({ bio: 'mine', updated_at: expect.any(String) });
});

test('updates two tabs side by side as soon as the other saves', async () => {
  const written = vi.spyOn(Storage.prototype, 'setItem');
  mount();
  await shown();
  await type('Phone', '111');
  backend.on('GET /rest/v1/profiles', () => json({ ...ROW, phone: '222', location: 'Bern' }));

  window.dispatchEvent(new StorageEvent('storage', { key: 'profileChanged', newValue: USER.id }));

  await waitFor(() => expect(field('Location').value).toBe('Bern'));
  expect(field('Phone').value).toBe('111');
  expect(noteOf('Phone')).toBe('Changed on another device to: 222');
  await save();
  await screen.findByText('Profile updated');
  expect(written).toHaveBeenCalledWith('profileChanged', USER.id);
  expect(window.localStorage.getItem('profileChanged')).toBeNull();
  written.mockRestore();
});

test('changes nothing once another user is signed in', async () => {
  mount();
  await shown();
  await type('Bio', 'mine');
  storeSession({ id: '22222222-2222-4222-8222-222222222222' });

  await save();

  await screen.findByText('Not signed in');
  expect(sent()).toEqual([]);
});

test('reports a profile that does not load, and loads again', async () => {
  backend.on('GET /rest/v1/profiles', () => json({ message: 'broken' }, 500));
  mount();

  await waitFor(() => expect(screen.getAllByText('Failed to load profile').length).toBeGreaterThan(0));
  backend.on('GET /rest/v1/profiles', () => json(ROW));
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));

  expect((await shown()).getAttribute('value')).toBe('Ada Lovelace');
});

test('finds a zone by a typed place, chooses it by keys, and saves its IANA name', async () => {
  mount();
  await shown();

  await userEvent.type(field('Timezone'), 'new yo');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    expect.stringMatching(/^New YorkUTC−[45]$/),
  ]);
  await userEvent.keyboard('{Enter}');
  expect(field('Timezone').value).toBe('America/New_York');
  await save();

  await screen.findByText('Profile updated');
  expect(sent()[0]?.body).toMatchObject({ timezone: 'America/New_York' });
  await userEvent.click(screen.getByRole('button', { name: 'Use the browser’s time zone' }));
  await save();
  await waitFor(() => expect(sent()[1]?.body).toMatchObject({ timezone: null }));
});

test('shows and keeps a stored zone that this browser does not know', async () => {
  backend.on('GET /rest/v1/profiles', () => json({ ...ROW, timezone: 'Mars/Base' }));
  mount();
  await shown();

  expect(field('Timezone').value).toBe('Mars/Base');
  expect(noteOf('Timezone')).toContain('doesn’t recognize this time zone');
  await type('Bio', 'x');
  await save();
  await screen.findByText('Profile updated');
  expect(sent()[0]?.body).toEqual({ bio: 'x', updated_at: expect.any(String) });
});
