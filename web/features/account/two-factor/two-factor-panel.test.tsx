/** Setting up and removing an authenticator app and its recovery codes: messages, and that nothing is left half done. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FACTOR, type FakeBackend, fakeBackend, json, USER } from '../../../platform/testing/fake-backend.ts';
import { toggleUtc } from '../../../ui/browser/time-zone.ts';
import {
  alertText,
  factorServer,
  mountPanel,
  PROFILE_ROW,
  press,
  refusal,
  SECRET,
  SESSION_USER,
  URI,
} from '../testing/security-panel.tsx';
import { TwoFactorPanel } from './two-factor-panel.tsx';

const PHONE = { ...FACTOR, created_at: '2026-11-20T10:00:00Z' };
const TABLET = { ...PHONE, id: '33333333-3333-4333-8333-333333333333', friendly_name: 'Tablet' };
const CODES = Array.from({ length: 10 }, (_, n) => `000${n}-aaaa-bbbb`);

let backend: FakeBackend;
let left: { remaining: number; created_at: string | null };

afterEach(() => void Reflect.deleteProperty(navigator, 'clipboard'));
beforeEach(() => {
  backend = fakeBackend();
  left = { remaining: 10, created_at: '2026-11-20T10:00:00.000Z' };
  backend.on('GET /rest/v1/profiles', () => json(PROFILE_ROW));
  backend.on('POST /functions/v1/recovery-codes', ({ body }) => {
    const isCreate = JSON.stringify(body).includes('create');
    if (isCreate) left = { remaining: 10, created_at: '2026-11-21T10:00:00.000Z' };
    return json(isCreate ? { ok: true, codes: CODES } : { ok: true, ...left });
  });
});

function mount() {
  return mountPanel(<TwoFactorPanel user={SESSION_USER} />);
}

const heading = (name: string) => screen.findByRole('heading', { level: 3, name });
const removed = () => backend.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
const inDialog = () => within(screen.getByRole('dialog'));

async function begin() {
  await press('Set up an authenticator app');
  await press('Continue');
  await heading('Scan this with your app');
}

async function typeCode(code: string, action = 'Verify') {
  await userEvent.clear(screen.getByLabelText('Code'));
  await userEvent.type(screen.getByLabelText('Code'), code);
  await press(action);
}

test('sets up an app by picture or key, explains a wrong code, and leads from the right one to the recovery codes', async () => {
  factorServer(backend);
  mount();
  await screen.findByText('Off');

  await press('Set up an authenticator app');
  const title = await heading('Set up an authenticator app');
  expect(document.activeElement).toBe(title);
  expect(screen.getByText(/every other device .* is signed out/)).toBeTruthy();
  expect(backend.to('/auth/v1/factors')).toEqual([]);
  await press('Continue');

  await heading('Scan this with your app');
  const enrolment = { factor_type: 'totp', friendly_name: 'Authenticator app' };
  expect(backend.to('/auth/v1/factors')[0]?.body).toMatchObject(enrolment);
  const picture = screen.getByRole<HTMLImageElement>('img', { name: /QR code/ });
  expect(decodeURIComponent(picture.src)).toMatch(/^data:image\/svg\+xml;charset=utf-8,<svg .*fill="#000".*<\/svg>$/);
  expect(picture.src).not.toContain('#');
  expect(document.querySelector('code')?.textContent?.replaceAll(' ', '')).toBe(SECRET);
  expect(screen.getByRole('link', { name: /Open it in an app/ }).getAttribute('href')).toBe(URI);

  await typeCode('000000');
  expect(await alertText()).toContain('This code is wrong');
  expect(screen.getByLabelText('Code')).toHaveProperty('value', '000000');
  await typeCode('123 456');
  const codes = await heading('Keep these recovery codes');
  expect(document.activeElement).toBe(codes);
  expect(removed()).toEqual([]);
});

test('shows the ten recovery codes once, to copy and to save', async () => {
  toggleUtc();
  const copied: string[] = [];
  const saved: string[] = [];
  const clipboard = { writeText: async (text: string) => void copied.push(text) };
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  factorServer(backend);
  mount();
  await begin();
  await typeCode('123456');
  await heading('Keep these recovery codes');

  const list = within(screen.getByRole('list', { name: 'Recovery codes' }));
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES);
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  await press('Copy recovery codes');
  expect(copied).toEqual([CODES.join('\n')]);
  await press('Download as text');
  expect(saved).toEqual(['kat-recovery-codes.txt']);

  await press('I have saved them');
  await screen.findByText('10 of 10 left');
  expect(screen.queryByText(CODES[0] ?? '')).toBeNull();
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
  expect(screen.getByText('Added 20 Nov 2026, 10:00 UTC')).toBeTruthy();
  expect(screen.getByText('On')).toBeTruthy();
});

test('removes a set-up that is cancelled, and one whose page is left', async () => {
  factorServer(backend);
  const { unmount } = mount();
  await begin();
  await press('Cancel');
  await waitFor(() => expect(removed()).toHaveLength(1));

  await begin();
  unmount();
  await waitFor(() => expect(removed()).toHaveLength(2));
});

test('replaces a set-up that was begun before and never finished', async () => {
  factorServer(backend, [{ ...PHONE, status: 'unverified' }], 'aal1');
  mount();

  await begin();

  expect(removed()).toEqual([`/auth/v1/factors/${PHONE.id}`]);
});

test.each([
  ['reauthentication_needed', 400, 'Your last sign-in is more than a day ago', true],
  ['insufficient_aal', 403, 'Another app already protects this account', true],
  ['mfa_factor_name_conflict', 422, 'You already have an app with this name', false],
  ['too_many_enrolled_mfa_factors', 422, 'at most ten apps', false],
  ['over_request_rate_limit', 429, 'Too many requests', false],
  ['unexpected_failure', 500, 'We couldn’t set up the app', false],
])('explains %s, with the way out', async (code, status, message, needsSignIn) => {
  factorServer(backend);
  backend.on('POST /auth/v1/factors', () => refusal(status, code));
  mount();

  await press('Set up an authenticator app');
  await press('Continue');

  expect(await alertText()).toContain(message);
  expect(screen.queryByRole('button', { name: 'Sign in again' }) !== null).toBe(needsSignIn);
});

test('ends this session on signing in again, and the page’s guard leads on', async () => {
  factorServer(backend);
  backend.on('POST /auth/v1/factors', () => refusal(400, 'reauthentication_needed'));
  mount();
  await press('Set up an authenticator app');
  await press('Continue');

  await press('Sign in again');

  await waitFor(() => expect(window.localStorage.getItem('sb-localhost-auth-token')).toBeNull());
});

test('requires a name, and no name of another app', async () => {
  factorServer(backend, [{ ...PHONE, friendly_name: 'Authenticator app' }]);
  mount();
  await press('Add another app');
  const field = screen.getByLabelText('Name');
  expect(field).toHaveProperty('value', 'Authenticator app 2');
  expect(screen.queryByText(/every other device/)).toBeNull();

  await userEvent.clear(field);
  await press('Continue');

  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Please give the app a name',
  );
  expect(backend.to('/auth/v1/factors')).toEqual([]);
});

test('shows no recovery codes for a second app: those of the first stay valid', async () => {
  factorServer(backend, [PHONE]);
  mount();
  await press('Add another app');
  await press('Continue');
  await heading('Scan this with your app');

  await typeCode('123456');

  await screen.findByText('10 of 10 left');
  expect(screen.getAllByText(/^Added /)).toHaveLength(2);
});

test('offers codes that could not be created immediately where they are counted', async () => {
  factorServer(backend);
  left = { remaining: 0, created_at: null };
  let isBroken = true;
  backend.on('POST /functions/v1/recovery-codes', ({ body }) => {
    if (!JSON.stringify(body).includes('create')) return json({ ok: true, ...left });
    return isBroken ? json({ error: 'broken' }, 500) : json({ ok: true, codes: CODES });
  });
  mount();
  await begin();
  await typeCode('123456');

  await screen.findByText('None');
  expect(screen.getByText(/losing your phone locks you out/)).toBeTruthy();
  await press('Create recovery codes');
  expect(await alertText()).toContain('We couldn’t create the codes');
  isBroken = false;
  await press('Create recovery codes');
  await heading('Keep these recovery codes');
});

test('confirms before it replaces the old codes by new ones', async () => {
  factorServer(backend, [PHONE]);
  left = { remaining: 2, created_at: '2026-11-20T10:00:00.000Z' };
  mount();
  await screen.findByText('2 of 10 left');

  await press('Create new codes');
  expect(inDialog().getByText(/old codes stop working/)).toBeTruthy();
  await userEvent.click(inDialog().getByRole('button', { name: 'Create new codes' }));

  await heading('Keep these recovery codes');
});

test('removes an app once that is confirmed', async () => {
  factorServer(backend, [PHONE]);
  mount();

  await press('Remove Phone');
  expect(document.activeElement).toBe(inDialog().getByRole('button', { name: 'Keep it' }));
  expect(inDialog().getByText(/your password alone opens the account/)).toBeTruthy();
  await userEvent.click(inDialog().getByRole('button', { name: 'Keep it' }));
  expect(removed()).toEqual([]);

  await press('Remove Phone');
  await userEvent.click(inDialog().getByRole('button', { name: 'Remove' }));
  await screen.findByText('Authenticator app removed');
  await screen.findByText('Off');
  expect(removed()).toEqual([`/auth/v1/factors/${PHONE.id}`]);
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
});

test('requires a code of a session that has not shown a factor, then removes the app', async () => {
  factorServer(backend, [PHONE, TABLET]);
  let hasShown = false;
  const path = `/auth/v1/factors/${TABLET.id}`;
  backend.on(`DELETE ${path}`, () => (hasShown ? json({ id: TABLET.id }) : refusal(422, 'insufficient_aal')));
  mount();

  await press('Remove Tablet');
  await userEvent.click(inDialog().getByRole('button', { name: 'Remove' }));
  await screen.findByText(/signed in without a second factor/);
  await userEvent.selectOptions(screen.getByLabelText('App'), 'Phone');
  await typeCode('000000', 'Remove');
  expect(await alertText()).toContain('This code is wrong');
  hasShown = true;
  await typeCode('123456', 'Remove');

  await screen.findByText('Authenticator app removed');
  expect(backend.to(`/auth/v1/factors/${PHONE.id}/verify`)).toHaveLength(2);
  expect(removed()).toEqual([path, path]);
});

test('keeps an app that could not be removed, and reports it', async () => {
  factorServer(backend, [PHONE]);
  backend.on(`DELETE /auth/v1/factors/${PHONE.id}`, () => refusal(500, 'unexpected_failure'));
  mount();

  await press('Remove Phone');
  await userEvent.click(inDialog().getByRole('button', { name: 'Remove' }));

  expect(await alertText()).toContain('We couldn’t remove the app');
});

test('reports a failed load, and loads again', async () => {
  factorServer(backend, [PHONE]);
  backend.on('GET /auth/v1/user', () => refusal(500, 'unexpected_failure'));
  mount();
  await screen.findByText('We couldn’t load your second factors');

  backend.on('GET /auth/v1/user', () => json({ ...USER, factors: [PHONE] }));
  await press('Retry');

  await screen.findByText('Phone');
});

test('reports failures without key or codes', async () => {
  factorServer(backend);
  mount();
  await begin();
  await typeCode('000000');
  await alertText();

  const reported = JSON.stringify(backend.to('/rest/v1/error_logs'));
  expect(reported).toContain('mfa_verification_failed');
  expect(reported).not.toContain(SECRET);
  expect(reported).not.toContain('000000');
});
