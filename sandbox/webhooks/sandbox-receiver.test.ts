/** Tests the receiver as a sender of webhooks sees it, and the page on which a developer reads what arrived. */
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openedForTests } from '../../tests/support/run/opened-for-tests.ts';
import { requestUnderName } from '../testing/request-under-name.ts';
import { receiverPage } from './receiver-page.ts';
import { startSandboxReceiver } from './sandbox-receiver.ts';

const NOON_MS = Date.UTC(2026, 10, 27, 12);
const opened = openedForTests(() => startSandboxReceiver({ nowMs: () => NOON_MS }));

const get = (path: string, init: RequestInit = {}) => fetch(opened().url + path, init);
const post = (name: string, body = '{}', headers: Record<string, string> = {}) =>
  get(`/hooks/${name}`, { method: 'POST', body, headers, redirect: 'manual' });

let before = 0;
beforeEach(() => {
  before = opened().received().length;
});
const arrived = () => opened().received().slice(before);

test('takes a webhook under any name, and lists it with its event, signature and time', async () => {
  const headers = { 'kat-signature': 't=1,v1=ab', 'kat-event-type': 'alert.fired' };

  expect((await post('mine', '{"id":1}', headers)).status).toBe(204);
  expect((await post('other', 'no JSON')).status).toBe(204);

  const first = { name: 'mine', event: 'alert.fired', signature: 't=1,v1=ab', body: '{"id":1}', atMs: NOON_MS };
  const second = { name: 'other', event: '', signature: '', body: 'no JSON', atMs: NOON_MS };
  expect(arrived()).toEqual([first, second]);
  const listed = z.array(z.unknown()).parse(await (await get('/dev/webhooks.json')).json());
  expect(listed.slice(before)).toEqual([first, second]);
});

test.each([
  ['broken', 500],
  ['deleted', 410],
  ['redirect', 302],
  ['echo', 200],
])('answers %s as a broken receiver with status %i, and lists the request', async (name, status) => {
  const answer = await post(name);

  expect(answer.status).toBe(status);
  expect(answer.headers.get('location')).toBe(status === 302 ? '/hooks/elsewhere' : null);
  expect((await answer.text()).length, 'more than a sender should read').toBe(
    name === 'echo' ? 5_000_000 : name === 'broken' ? 36 : 0,
  );
  expect(arrived()).toMatchObject([{ name }]);
});

test('disconnects without an answer under the name hangs-up', async () => {
  await expect(post('hangs-up')).rejects.toThrow('fetch failed');
  expect(arrived()).toMatchObject([{ name: 'hangs-up' }]);
});

test('answers no request for another machine’s name', async () => {
  const { status, body } = await requestUnderName(`${opened().url}/dev/webhooks`, 'evil.example');

  expect([status, body]).toEqual([421, '{"code":"request/wrong-host"}']);
});

test('shows the newest webhook first, JSON indented, and any text escaped', () => {
  const one = { name: 'mine', event: 'alert.fired', signature: 't=1', atMs: NOON_MS };
  const page = receiverPage(
    [
      { ...one, body: '{"a":1}' },
      { ...one, event: '<b>', body: '<i>' },
    ],
    'http://127.0.0.1:1/hooks/',
  );

  const items = page.match(/<li>.*?<\/li>/gs);
  expect(items).toEqual([
    '<li><h2>&#60;b&#62;</h2><p class="muted">27 Nov 2026, 12:00:00 UTC, at mine, Kat-Signature: t=1</p><pre>&#60;i&#62;</pre></li>',
    expect.stringContaining('<h2>alert.fired</h2>'),
  ]);
  expect(items?.[1]).toContain('{\n  &#34;a&#34;: 1\n}');
  expect(receiverPage([], 'http://127.0.0.1:1/hooks/')).toContain('No requests yet.');
});
