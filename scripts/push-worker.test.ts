/** The worker that shows notifications, as a browser runs it: what it listens to, what it shows, where a click leads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { pushMessageSchema } from '#domain/push/push-message.ts';

const SOURCE = readFileSync(join(import.meta.dirname, '../web/public/push-worker.js'), 'utf8');
const ORIGIN = 'https://kat.test';

interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
  data?: unknown;
  notification?: { data: unknown; close(): void };
}

/** @param open  addresses of the site's tabs */
function run(open: readonly string[] = []) {
  const listeners = new Map<string, (event: WorkerEvent) => void>();
  const focus = vi.fn();
  const openWindow = vi.fn();
  const showNotification = vi.fn();
  const self = {
    location: { origin: ORIGIN },
    skipWaiting: vi.fn(),
    registration: { showNotification },
    clients: { matchAll: async () => open.map((url) => ({ url, focus: () => focus(url) })), openWindow },
    addEventListener: (name: string, listener: (event: WorkerEvent) => void) => void listeners.set(name, listener),
  };
  runInNewContext(SOURCE, { self, URL });
  async function tell(name: string, event: Omit<WorkerEvent, 'waitUntil'>): Promise<void> {
    const work: Promise<unknown>[] = [];
    listeners.get(name)?.({ ...event, waitUntil: (one) => void work.push(one) });
    await Promise.all(work);
  }
  const click = (data: unknown) => tell('notificationclick', { notification: { data, close: () => undefined } });
  return { listeners, focus, openWindow, showNotification, click, push: (data: unknown) => tell('push', { data }) };
}

test('it listens to messages and clicks: nothing that a page loads goes through it', () => {
  expect([...run().listeners.keys()].sort()).toEqual(['install', 'notificationclick', 'push']);
  expect(SOURCE).not.toMatch(/onfetch|importScripts|eval/);
});

test('it shows what the server sends, in the place of the same message that came before', async () => {
  const message = pushMessageSchema.parse({
    id: '7',
    title: 'A band broke',
    text: 'Words',
    path: '/account/predictions',
  });
  const { push, showNotification } = run();

  await push({ json: () => message });

  expect(showNotification).toHaveBeenCalledWith('A band broke', {
    ...{ body: 'Words', tag: '7', icon: '/icon-192.png' },
    data: { path: '/account/predictions' },
  });
});

test.each([
  ['nothing', null],
  ['no JSON', { json: () => JSON.parse('{') }],
])('of %s it shows something all the same: browsers take the right away otherwise', async (_what, data) => {
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
])('a click on %s opens our own site', async (_what, path, address) => {
  const { click, openWindow } = run();
  await click(path === undefined ? null : { path });
  expect(openWindow.mock.calls).toEqual([[address]]);
});

test('a tab that shows it already comes forward', async () => {
  const { click, focus, openWindow } = run([`${ORIGIN}/`, `${ORIGIN}/track-record`]);
  await click({ path: '/track-record' });
  expect([focus.mock.calls, openWindow.mock.calls]).toEqual([[[`${ORIGIN}/track-record`]], []]);
});
