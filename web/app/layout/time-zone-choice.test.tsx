import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../platform/query-client.ts';
import { fakeBackend, json, storeSession, USER } from '../../platform/testing/fake-backend.ts';
import { profileKey } from '../../session/profile.ts';
import { signOut } from '../../session/session.ts';
import { TimeZoneChoice } from './time-zone-choice.tsx';

/** Fresh modules for each test, as on a page that was just loaded. */
function mount() {
  queryClient.setDefaultOptions({ queries: { retry: false } });
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <TimeZoneChoice />
    </QueryClientProvider>,
  );
  const text = () => container.textContent;
  const saveZone = (timezone: string | null) =>
    act(() => void queryClient.setQueryData(profileKey(USER.id), { role: 'user', full_name: null, timezone }));
  return { text, saveZone, signOut };
}

const profile = (timezone: string | null) =>
  json({ id: USER.id, role: 'user', full_name: null, avatar_url: null, timezone });

beforeEach(() => {
  const real = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...real, timeZone: 'America/New_York' });
});

test('shows a visitor times in the browser’s zone, switches to UTC and back, and sends no request', async () => {
  const backend = fakeBackend();
  const { text } = mount();
  const utc = screen.getByRole('switch', { name: 'Times in UTC' });
  expect(text()).toMatch(/^Times in America\/New York/);
  expect(utc.getAttribute('aria-checked')).toBe('false');

  await userEvent.click(utc);

  expect(utc.getAttribute('aria-checked')).toBe('true');
  expect(window.localStorage.getItem('timesInUtc')).toBe('true');
  expect(backend.to('/rest/v1/profiles')).toEqual([]);
});

test('shows a user times in the profile’s zone, with the newest saved immediately, and in the browser’s after sign-out', async () => {
  const backend = fakeBackend();
  backend.on('GET /rest/v1/profiles', () => profile('Pacific/Chatham'));
  storeSession();
  const { text, saveZone, signOut } = mount();
  await waitFor(() => expect(text()).toMatch(/^Times in Pacific\/Chatham/));
  expect(window.localStorage.getItem('profileTimeZone')).toBe('Pacific/Chatham');

  saveZone('Asia/Kolkata');
  await waitFor(() => expect(text()).toMatch(/^Times in Asia\/Kolkata/));

  await act(signOut);
  expect(text()).toMatch(/^Times in America\/New York/);
  expect(window.localStorage.getItem('profileTimeZone')).toBeNull();
});

test('uses the browser’s zone for a profile without one, and that of last time for a profile that does not load', async () => {
  const backend = fakeBackend();
  backend.on('GET /rest/v1/profiles', () => json({ message: 'away' }, 503));
  window.localStorage.setItem('profileTimeZone', 'Asia/Kolkata');
  storeSession();
  const { text, saveZone } = mount();
  await waitFor(() => expect(backend.to('/rest/v1/profiles').length).toBeGreaterThan(0));
  expect(text()).toMatch(/^Times in Asia\/Kolkata/);

  saveZone(null);

  await waitFor(() => expect(text()).toMatch(/^Times in America\/New York/));
});
