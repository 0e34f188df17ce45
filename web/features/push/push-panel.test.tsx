/** Turning notifications on and off in this browser: permission, messages, and requests to the server. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepPushHere } from '../../platform/push.ts';
import { queryClient } from '../../platform/query-client.ts';
import {
  CONFIG,
  type FakeBackend,
  fakeBackend,
  json,
  storeSession,
  USER,
} from '../../platform/testing/fake-backend.ts';
import { profileKey } from '../../session/profile.ts';
import { PushPanel } from './push-panel.tsx';

const KEY = `B${'A'.repeat(86)}`;
const ENDPOINT = 'https://push.example/one';
const id = (digit: number) => `66666666-6666-4666-8666-66666666666${digit}`;
const row = (digit: number, change: object = {}) => ({
  id: id(digit),
  endpoint_hash: String(digit).repeat(64),
  device: 'Firefox on Android',
  created_at: '2026-11-20T09:00:00+00:00',
  last_used_at: null,
  ...change,
});

let backend: FakeBackend;
let rows: ReturnType<typeof row>[];
let isSubscribed: boolean;
const registered: string[] = [];
const workerMessages: string[] = [];
/** Names of what the worker keeps. */
const cacheNames = new Set<string>();
const requestPermission = vi.fn<() => Promise<NotificationPermission>>();
const subscribe = vi.fn<() => Promise<void>>();

/** What jsdom lacks: a browser that takes notifications. */
function fakeBrowser(permission: NotificationPermission = 'default') {
  const options = {
    applicationServerKey: Uint8Array.from(atob(KEY.replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer,
  };
  const subscription = {
    endpoint: ENDPOINT,
    options,
    unsubscribe: async () => {
      isSubscribed = false;
    },
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: KEY, auth: 'A'.repeat(22) } }),
  };
  const registration = {
    active: { postMessage: (message: string) => void workerMessages.push(message) },
    pushManager: {
      getSubscription: async () => (isSubscribed ? subscription : null),
      async subscribe() {
        await subscribe();
        isSubscribed = true;
        return subscription;
      },
    },
    async unregister() {
      registered.length = 0;
    },
  };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('caches', { delete: async (name: string) => cacheNames.delete(name) });
  vi.stubGlobal('Notification', { permission, requestPermission: requestPermission });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      getRegistration: async () => (registered.length > 0 ? registration : undefined),
      async register(url: string, { scope }: { scope: string }) {
        registered.push(`${url} ${scope}`);
        return registration;
      },
    },
  });
}

beforeEach(() => {
  backend = fakeBackend();
  rows = [];
  isSubscribed = false;
  registered.length = 0;
  workerMessages.length = 0;
  cacheNames.clear();
  requestPermission.mockReset().mockResolvedValue('granted');
  subscribe.mockReset().mockResolvedValue();
  backend.on('GET /config.json', () => json({ ...CONFIG, push: { kind: 'live', publicKey: KEY } }));
  backend.on('GET /rest/v1/push_subscriptions', () => json(rows));
  backend.on('POST /functions/v1/save-push-subscription', async () => {
    rows = [...rows, row(1, { endpoint_hash: await sha256(ENDPOINT), device: 'This one' })];
    return json({ ok: true, id: id(1) });
  });
  backend.on('POST /functions/v1/remove-push-subscription', ({ body }) => {
    rows = rows.filter((one) => JSON.stringify(body) !== JSON.stringify({ id: one.id }));
    return json({ ok: true });
  });
  backend.on('POST /functions/v1/send-test-push', () => json({ ok: true }));
  storeSession();
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

function mount(permission?: NotificationPermission) {
  if (permission !== undefined) fakeBrowser(permission);
  return render(
    <QueryClientProvider client={queryClient}>
      <PushPanel userId={USER.id} />
    </QueryClientProvider>,
  );
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const sent = (name: string) => backend.to(`/functions/v1/${name}`).map(({ body }) => body);

test('requests, registers and sends nothing before the click, then switches the device on, tries it, and switches it off', async () => {
  mount('default');
  await screen.findByText('Off');
  expect([requestPermission.mock.calls.length, registered.length, subscribe.mock.calls.length]).toEqual([0, 0, 0]);

  await press('Turn on');
  await screen.findByText('On');
  expect(registered).toEqual(['/push-worker.js /push-worker/']);
  // It keeps what the browser has, until that is turned off.
  expect(workerMessages).toEqual(['subscribed']);
  cacheNames.add('push');
  expect(sent('save-push-subscription')).toEqual([
    { endpoint: ENDPOINT, keys: { p256dh: KEY, auth: 'A'.repeat(22) }, device: expect.any(String) },
  ]);
  expect(document.activeElement).not.toBe(document.body);

  await press('Send a test');
  await screen.findByText(/on its way/);
  expect(sent('send-test-push')).toEqual([{ id: id(1) }]);

  await press('Turn off');
  await screen.findByText('Off');
  expect(sent('remove-push-subscription')).toEqual([{ id: id(1) }]);
  expect([isSubscribed, registered, cacheNames.size]).toEqual([false, [], 0]);
});

test.each([
  ['denied', 'Blocked'],
  ['default', 'Off'],
] as const)('turns nothing on after an answer of %s to the browser’s question', async (answer, message) => {
  requestPermission.mockImplementation(async () => {
    fakeBrowser(answer);
    return answer;
  });
  mount('default');

  await press('Turn on');
  await screen.findByText(new RegExp(message));
  expect(registered).toEqual([]);
  expect(sent('save-push-subscription')).toEqual([]);
  if (answer === 'default')
    expect((await screen.findByRole('alert')).textContent).toContain('notifications are still off');
});

test('says so for a browser that blocks notifications, without a button', async () => {
  mount('denied');

  await screen.findByText(/Blocked in this browser/);
  expect(screen.queryByRole('button')).toBeNull();
});

test('reports a push service that does not answer, and a server that refuses, and leaves nothing behind', async () => {
  subscribe.mockRejectedValueOnce(new DOMException('Registration failed', 'AbortError'));
  mount('default');

  await press('Turn on');
  expect((await screen.findByRole('alert')).textContent).toContain('push service didn’t respond');
  expect(registered).toEqual([]);

  const message = 'Ten devices already get notifications. Remove one first.';
  backend.on('POST /functions/v1/save-push-subscription', () =>
    json({ ok: false, reason: 'push/too-many-devices', message }),
  );
  await press('Turn on');
  await screen.findByText(message);
  expect([isSubscribed, registered]).toEqual([false, []]);
});

test('lists other devices to turn off from here, and shows a browser whose row another user took as off', async () => {
  registered.push('/push-worker.js /push-worker/');
  isSubscribed = true;
  rows = [row(2, { last_used_at: '2026-11-21T09:00:00+00:00' })];
  mount('granted');

  await screen.findByText('Off');
  const list = within(screen.getByRole('list', { name: 'Your other devices with notifications' }));
  expect(list.getByRole('listitem').textContent).toMatch(/Firefox on Android.*last sent 21 Nov 2026/);
  await press('Turn off Firefox on Android');
  await vi.waitFor(() => expect(screen.queryByRole('list')).toBeNull());
  expect(sent('remove-push-subscription')).toEqual([{ id: id(2) }]);
  expect(isSubscribed).toBe(true);
});

test.each([
  ['the site sends none', { push: null }, () => fakeBrowser(), /sends no notifications/],
  ['the page came over http', {}, () => vi.stubGlobal('isSecureContext', false), /isn’t encrypted/],
  ['the browser cannot', {}, () => vi.stubGlobal('isSecureContext', true), /This browser doesn’t support/],
  [
    'it is an iPhone’s tab',
    {},
    () => {
      vi.stubGlobal('isSecureContext', true);
      vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)');
    },
    /Home Screen/,
  ],
])('says where %s, and offers nothing', async (_what, config, prepare, message) => {
  backend.on('GET /config.json', () => json({ ...CONFIG, push: { kind: 'live', publicKey: KEY }, ...config }));
  prepare();
  mount();

  await screen.findByText(message);
  expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull();
});

test('says that alerts do not arrive when the preferences switch them off, and loads the profile again when turned on', async () => {
  queryClient.setQueryData(profileKey(USER.id), { push_notifications: false });
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries');
  mount('default');

  await press('Turn on');
  await screen.findByText(/alerts do not/);
  expect(invalidated).toHaveBeenCalledWith({ queryKey: profileKey(USER.id) });
  queryClient.setQueryData(profileKey(USER.id), { push_notifications: true });
  await vi.waitFor(() => expect(screen.queryByText(/alerts do not/)).toBeNull());
});

test('requests no push service with a sandbox, and says so', async () => {
  backend.on('GET /config.json', () => json({ ...CONFIG, push: { kind: 'sandbox', publicKey: KEY } }));
  backend.on('POST /dev/push/subscriptions', () =>
    json({ endpoint: ENDPOINT, keys: { p256dh: KEY, auth: 'A'.repeat(22) } }, 201),
  );
  mount('default');

  await screen.findByText('Sandbox');
  await press('Turn on');
  await screen.findByText('On');
  expect(subscribe).not.toHaveBeenCalled();
  expect(screen.getByRole('link', { name: 'sandbox' }).getAttribute('href')).toBe('/dev/push');
});

test('keeps notifications on in this browser after the server ended them, and turns none on where they were off', async () => {
  fakeBrowser('granted');
  const saved = () => backend.to('/functions/v1/save-push-subscription');
  await keepPushHere();
  expect(saved()).toEqual([]);

  await navigator.serviceWorker.register('/push-worker.js', { scope: '/push-worker/' });
  isSubscribed = true;
  await keepPushHere();

  expect(saved().map(({ body }) => body)).toMatchObject([{ endpoint: ENDPOINT }]);
});

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
