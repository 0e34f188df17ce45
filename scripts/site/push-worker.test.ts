/** The worker that shows notifications, as a browser runs it: its events, what it shows, where a click leads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { pushMessageSchema } from '#domain/push/push-message.ts';
import { renewPushSubscriptionSchema } from '#domain/push/push-subscription.ts';

const SOURCE = readFileSync(join(import.meta.dirname, '../../web/public/push-worker.js'), 'utf8');
const ORIGIN = 'https://kat.test';

interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
  data?: unknown;
  oldSubscription?: unknown;
  newSubscription?: unknown;
  notification?: { data: unknown; close(): void };
}

function subscriptionAt(endpoint: string) {
  const keys = { p256dh: 'b'.repeat(87), auth: endpoint.slice(-5).padStart(22, 'a').replaceAll(/\W/g, '-') };
  return { toJSON: () => ({ endpoint, expirationTime: null, keys }) };
}

const renewalOf = (former: string, next: string) => {
  const [from, to] = [subscriptionAt(former).toJSON(), subscriptionAt(next).toJSON()];
  const { endpoint, keys } = to;
  return ['/push/renewals', { former: { endpoint: from.endpoint, auth: from.keys.auth }, next: { endpoint, keys } }];
};

/** @param open  addresses of the site's tabs */
function run(open: readonly string[] = []) {
  const listeners = new Map<string, (event: WorkerEvent) => void>();
  const focus = vi.fn();
  const openWindow = vi.fn();
  const showNotification = vi.fn();
  const inBrowser = { now: subscriptionAt('https://push.example/1') };
  const subscribe = vi.fn(async () => subscriptionAt('https://push.example/again'));
  const store = new Map<string, Response>();
  const cache = {
    put: async (name: string, response: Response) => void store.set(name, response),
    match: async (name: string) => store.get(name)?.clone(),
  };
  const posted: unknown[] = [];
  const fetch = async (path: string, init?: RequestInit) => {
    if (path === '/config.json') return Response.json({ push: { kind: 'live', publicKey: 'key' } });
    posted.push([path, JSON.parse(String(init?.body))]);
    return Response.json({ ok: true });
  };
  const self = {
    location: { origin: ORIGIN },
    skipWaiting: vi.fn(),
    registration: { showNotification, pushManager: { getSubscription: async () => inBrowser.now, subscribe } },
    caches: { open: async () => cache },
    clients: { matchAll: async () => open.map((url) => ({ url, focus: () => focus(url) })), openWindow },
    addEventListener: (name: string, listener: (event: WorkerEvent) => void) => void listeners.set(name, listener),
  };
  runInNewContext(SOURCE, { self, URL, Response, fetch });
  async function dispatch(name: string, event: Omit<WorkerEvent, 'waitUntil'>): Promise<void> {
    const work: Promise<unknown>[] = [];
    listeners.get(name)?.({ ...event, waitUntil: (one) => void work.push(one) });
    await Promise.all(work);
  }
  const click = (data: unknown) => dispatch('notificationclick', { notification: { data, close: () => undefined } });
  return {
    dispatch,
    posted,
    subscribe,
    listeners,
    focus,
    openWindow,
    showNotification,
    click,
    push: (data: unknown) => dispatch('push', { data }),
  };
}

test('listens to messages and clicks, and handles no request of a page', () => {
  expect([...run().listeners.keys()].sort()).toEqual([
    'install',
    'message',
    'notificationclick',
    'push',
    'pushsubscriptionchange',
  ]);
  expect(SOURCE).not.toMatch(/onfetch|importScripts|eval/);
});

test('shows the server’s message, in place of an earlier one with the same id', async () => {
  const message = pushMessageSchema.parse({
    id: '7',
    title: 'A band broke',
    text: 'Words',
    path: '/account/predictions',
  });
  const { push, showNotification } = run();

  await push({ json: () => message });

  expect(showNotification).toHaveBeenCalledWith('A band broke', {
    body: 'Words',
    tag: '7',
    icon: '/icon-192.png',
    data: { path: '/account/predictions' },
  });
});

test.each([
  ['nothing', null],
  ['no JSON', { json: () => JSON.parse('{') }],
])('shows a notification even for %s: browsers revoke the permission otherwise', async (_what, data) => {
  const { push, showNotification } = run();
  await push(data);
  expect(showNotification.mock.calls[0]?.[0]).toBe('Kat');
});

test.each([
  ['a page of ours', '/account/predictions?id=1', `${ORIGIN}/account/predictions?id=1`],
  ['another site', 'https://elsewhere.example/', `${ORIGIN}/`],
  ['another site without its scheme', '//elsewhere.example/', `${ORIGIN}/`],
  ['another site by a backslash', '/\\elsewhere.example/', `${ORIGIN}/`],
  ['a script', 'javascript:alert(1)', `${ORIGIN}/`],
  ['nothing', undefined, `${ORIGIN}/`],
])('opens our own site on a click on %s', async (_what, path, address) => {
  const { click, openWindow } = run();
  await click(path === undefined ? null : { path });
  expect(openWindow.mock.calls).toEqual([[address]]);
});

test('focuses a tab that already shows it', async () => {
  const { click, focus, openWindow } = run([`${ORIGIN}/`, `${ORIGIN}/track-record`]);
  await click({ path: '/track-record' });
  expect([focus.mock.calls, openWindow.mock.calls]).toEqual([[[`${ORIGIN}/track-record`]], []]);
});

test('reports a renewed subscription to the server, with the secret of the former one', async () => {
  const { dispatch, posted, subscribe } = run();

  await dispatch('pushsubscriptionchange', {
    oldSubscription: subscriptionAt('https://push.example/1'),
    newSubscription: subscriptionAt('https://push.example/2'),
  });

  expect(posted).toEqual([renewalOf('https://push.example/1', 'https://push.example/2')]);
  const [[, body] = []] = posted as [string, unknown][];
  expect(renewPushSubscriptionSchema.safeParse(body).success).toBe(true);
  expect(subscribe).not.toHaveBeenCalled();
});

test('takes the stored subscription as the former one when a browser names neither, and subscribes again', async () => {
  const { dispatch, posted } = run();
  await dispatch('pushsubscriptionchange', {});
  expect(posted).toEqual([]);

  await dispatch('message', { data: 'subscribed' });
  await dispatch('pushsubscriptionchange', { oldSubscription: null });
  await dispatch('pushsubscriptionchange', {});

  expect(posted).toEqual([
    renewalOf('https://push.example/1', 'https://push.example/again'),
    renewalOf('https://push.example/again', 'https://push.example/again'),
  ]);
});
