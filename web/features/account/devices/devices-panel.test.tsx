/** The list of devices: what it shows of each, and a device that couldn't be signed out stays listed. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../../ui/browser/time-zone.ts';
import { alertText, mountPanel, press } from '../testing/security-panel.tsx';
import { DevicesPanel } from './devices-panel.tsx';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const HERE = aSessionRow('a', {
  user_agent: CHROME,
  ip: '203.0.113.4',
  is_current: true,
  last_used_at: '2026-11-20T09:00:00.000Z',
});
const PHONE = aSessionRow('b', { user_agent: IPHONE, ip: '2001:db8::7', last_used_at: '2026-11-21T09:30:00.000Z' });
const PROGRAM = aSessionRow('c', { user_agent: null, ip: null });

function aSessionRow(id: string, change: object = {}) {
  return {
    id,
    created_at: '2026-11-19T22:15:00.000Z',
    last_used_at: '2026-11-19T23:15:00.000Z',
    user_agent: CHROME,
    ip: '198.51.100.1',
    aal: 'aal1',
    is_current: false,
    ...change,
  };
}

let backend: FakeBackend;
let rows: ReturnType<typeof aSessionRow>[];

beforeEach(() => {
  backend = fakeBackend();
  rows = [PHONE, HERE, PROGRAM];
  backend.on('POST /functions/v1/list-sessions', () => json({ ok: true, sessions: rows }));
  backend.on('POST /functions/v1/end-session', ({ body }) => {
    rows = rows.filter(({ id }) => !JSON.stringify(body).includes(`"${id}"`));
    return json({ ok: true });
  });
  storeSession();
});

function mount() {
  setProfileZone('Europe/Berlin');
  mountPanel(<DevicesPanel userId={USER.id} />);
}

const items = () => screen.findAllByRole('listitem');
const names = async () => (await items()).map((item) => item.querySelector('p')?.textContent);
const confirm = (name: string) => userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }));
const ended = () => backend.to('/functions/v1/end-session').map(({ body }) => body);

test('lists this device first, and each with browser and system, address, first and last use in the reader’s zone', async () => {
  mount();

  expect(await names()).toEqual(['Chrome on WindowsThis device', 'Safari on iPhone', 'Unknown device']);
  const [here, phone, program] = await items();
  expect(phone?.textContent).toContain('2001:db8::7');
  expect(phone?.textContent).toContain('Last used21 Nov 2026, 10:30 GMT+1');
  expect(phone?.textContent).toContain('Signed in19 Nov 2026, 23:15 GMT+1');
  expect(program?.textContent).toContain('Addressunknown');
  expect(here?.querySelector('button')).toBeNull();
});

test('removes a device from the list once that is confirmed, and not before', async () => {
  mount();

  await press('Sign out Safari on iPhone at 2001:db8::7');
  const dialog = within(screen.getByRole('dialog', { name: 'Sign out this device?' }));
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }));
  await confirm('Cancel');
  expect(ended()).toEqual([]);
  expect(await items()).toHaveLength(3);

  await press('Sign out Safari on iPhone at 2001:db8::7');
  await confirm('Sign out');
  await screen.findByText('Signed out');
  expect(ended()).toEqual([{ session_id: 'b' }]);
  expect(document.activeElement?.contains(await screen.findByRole('list'))).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
  expect(await names()).toEqual(['Chrome on WindowsThis device', 'Unknown device']);
});

test('removes one that has already ended from the list too', async () => {
  backend.on('POST /functions/v1/end-session', () => json({ ok: false, reason: 'account/no-such-session' }));
  mount();
  await items();
  rows = [HERE];

  await press('Sign out Unknown device');
  await confirm('Sign out');

  await screen.findByText('Signed out');
});

test.each([
  ['an unavailable server', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a fault of the server', () => json({ code: 'unknown', error: 'broken' }, 500)],
  ['a refusal', () => json({ ok: false, reason: 'account/current-session', message: 'no' })],
] as const)('restores the device after %s, and says that it is still signed in', async (_what, answer) => {
  backend.on('POST /functions/v1/end-session', answer);
  mount();

  await items();
  // The list can't be fetched either, so the previous one stays.
  backend.on('POST /functions/v1/list-sessions', () => json({ error: 'broken' }, 500));
  await press('Sign out Safari on iPhone at 2001:db8::7');
  await confirm('Sign out');

  expect(await alertText()).toContain('is still signed in');
  expect(await names()).toContain('Safari on iPhone');
});

test('signs out all others by the client library, and restores them when that fails', async () => {
  backend.on('POST /auth/v1/logout', () => json({ msg: 'broken' }, 500));
  mount();

  await press('Sign out all other devices');
  await confirm('Sign out all others');
  expect(await alertText()).toContain('We couldn’t sign out the other devices');
  expect(await items()).toHaveLength(3);

  backend.on('POST /auth/v1/logout', () => {
    rows = [HERE];
    return new Response(null, { status: 204 });
  });
  await press('Sign out all other devices');
  await confirm('Sign out all others');
  await screen.findByText('Signed out everywhere else');
  expect(await names()).toEqual(['Chrome on WindowsThis device']);
  expect(backend.to('/auth/v1/logout').at(-1)?.search).toBe('?scope=others');
  expect(screen.queryByRole('button', { name: 'Sign out all other devices' })).toBeNull();
});

test('reports a failed load, and loads again', async () => {
  backend.on('POST /functions/v1/list-sessions', () => json({ error: 'broken' }, 500));
  mount();
  await screen.findByText('We couldn’t load your devices');

  backend.on('POST /functions/v1/list-sessions', () => json({ ok: true, sessions: rows }));
  await press('Retry');

  expect(await items()).toHaveLength(3);
});

test('says that there is no device', async () => {
  rows = [];
  mount();

  await screen.findByText('No devices listed');
});

test('shows the first of many devices, and the rest on request', async () => {
  rows = [HERE, ...Array.from({ length: 30 }, (_, n) => aSessionRow(`d${n}`))];
  mount();

  expect(await items()).toHaveLength(6);
  await press('Show all 31 devices');
  await waitFor(async () => expect(await items()).toHaveLength(31));
});
