/**
 * Notifications from the queue to the browser: the real library against a push service with its own decryption from
 * the standards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SandboxPush, startSandboxPush } from '../../sandbox/push/sandbox-push.ts';
import { asOwner, OWNER } from '../../server/platform/database/database.ts';
import { callerReader } from '../../server/platform/http/calls/caller.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { functionRoutes } from '../../server/platform/http/calls/server-function.ts';
import { limiterOfProcess } from '../../server/platform/http/guards/rate-limit.ts';
import { publicLookup } from '../../server/platform/outbound/public-address.ts';
import { HOSTILE_URLS, LOCAL_URLS, OTHER_PORTS } from '../../server/platform/outbound/testing/hostile-addresses.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { pushFunctions, pushRenewalRoutes } from '../../server/push/push-functions.ts';
import { newPushKeys } from '../../server/push/push-keys.ts';
import { pushQueue, queuePush } from '../../server/push/push-store.ts';
import {
  PUSH_LEASE_MS,
  PUSH_RETENTION_MS,
  PUSH_RETRY_WAITS_MS,
  type PushTransport,
  startPushWorker,
} from '../../server/push/push-worker.ts';
import { webPushTransport } from '../../server/push/web-push-transport.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { functionCalls } from './support/auth/account.ts';
import { backendTestServer } from './support/backend.ts';

const KEYS = newPushKeys();
const TEXT = 'BTC closed at 101, above the band’s 100. €';
const TTL_S = 3600;

describeOneDatabase('push', (kind) => {
  let service: SandboxPush;
  const open: { close(): Promise<void> }[] = [];
  const lines: string[] = [];
  beforeAll(async () => {
    service = await startSandboxPush();
  });
  afterAll(() => service.close());
  const server = openedForTests(() =>
    backendTestServer(kind, {
      mount({ database, clock, verifier }) {
        const app = new Hono();
        app.onError((error) => errorResponse(error));
        const addressOf = () => 'everybody';
        const deps = { database, clock, limiterOf: limiterOfProcess, sandboxUrl: `${service.url}/push/` };
        const functions = pushFunctions({ ...deps, isPossible: true });
        app.route('/', pushRenewalRoutes({ ...deps, addressOf }));
        return app.route('/', functionRoutes({ callers: callerReader(verifier) }, functions));
      },
    }),
  );
  const call = functionCalls(server);
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await asOwner(server().database).query('delete from public.push_subscriptions');
  });

  const realTransport = (lookup?: ReturnType<typeof publicLookup>) =>
    webPushTransport({
      keys: KEYS,
      contact: 'mailto:ops@kat.test',
      clock: server().clock,
      ...(lookup === undefined ? { sandboxUrl: `${service.url}/push/` } : { sandboxUrl: null, lookup }),
    });

  async function worker(transport: PushTransport | null = realTransport()) {
    const { database, clock } = server();
    const log = createLogger('trace', { write: (line) => lines.push(line) });
    const started = await startPushWorker({ database, clock, log, transport, pollMs: 30 });
    open.push(started);
    return started;
  }

  async function device() {
    const user = await server().user();
    const browser = service.subscribe(KEYS.publicKey);
    const saved = await call(user.accessToken, 'save-push-subscription', { ...browser, device: 'Firefox on Linux' });
    return { user, browser, id: String(saved.id) };
  }

  const queue = (userId: string, key: string, ttlS = TTL_S) =>
    server().database.transaction(OWNER, (tx) =>
      queuePush(tx, {
        userId,
        key,
        ttlS,
        nowIso: new Date(server().clock.nowMs()).toISOString(),
        title: 'A band broke',
        text: TEXT,
        path: '/account/predictions?id=1',
      }),
    );
  const row = async (key: string) =>
    (
      await asOwner(server().database).query<Record<string, unknown>>(
        'select state, attempts, title, text_body, last_error from private.outgoing_pushes where key = $1::text',
        [key],
      )
    )[0];
  const taken = () => service.received().map(({ text }): unknown => JSON.parse(text));

  test('delivers a queued message once per device and key, and exposes it to no one else', async () => {
    const { user, id } = await device();
    await worker();
    const before = taken().length;

    expect(await queue(user.id, 'band 1')).toBe(1);
    expect(await queue(user.id, 'band 1')).toBe(0);
    await until(async () => (await row('band 1'))?.state === 'sent');

    const [message, ...others] = taken().slice(before);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ title: 'A band broke', text: TEXT, path: '/account/predictions?id=1' });
    expect(service.received().at(-1)).toMatchObject({ urgency: 'high' });
    expect(service.received().at(-1)?.ttlS).toBeGreaterThan(TTL_S - 30);
    expect(await row('band 1')).toMatchObject({ attempts: 1, title: null, text_body: null });
    const { data } = await user.client.from('push_subscriptions').select('id, device, last_used_at');
    expect(data).toMatchObject([{ id, device: 'Firefox on Linux', last_used_at: expect.any(String) }]);
    for (const secret of ['endpoint', 'p256dh', 'auth'])
      expect((await user.client.from('push_subscriptions').select(secret)).error?.code).toBe('42501');
    expect(lines.join('')).not.toMatch(/A band broke|closed at 101|\/push\//);
  });

  test('sends a test to the requesting device despite its preferences, but no alerts', async () => {
    const { user, id } = await device();
    await user.client.from('profiles').update({ push_notifications: false }).eq('id', user.id);
    const before = taken().length;
    await worker();

    expect(await queue(user.id, 'unwanted')).toBe(0);
    expect(await call(user.accessToken, 'send-test-push', { id })).toMatchObject({ ok: true });
    await until(() => taken().length > before);

    expect(taken().slice(before)).toMatchObject([{ path: '/account/notifications' }]);
    const stranger = await server().user();
    for (const name of ['send-test-push', 'remove-push-subscription'])
      expect(await call(stranger.accessToken, name, { id })).toMatchObject({
        ok: false,
        reason: 'push/no-such-device',
      });
    expect(await call(user.accessToken, 'remove-push-subscription', { id })).toMatchObject({ ok: true });
    expect(await call(user.accessToken, 'send-test-push', { id })).toMatchObject({ reason: 'push/no-such-device' });
  });

  test("replaces a device's subscription when the request proves the former one's secret", async () => {
    const { user, browser, id } = await device();
    const next = service.subscribe(KEYS.publicKey);
    const renew = (body: unknown) =>
      fetch(`${server().url}/push/renewals`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const former = { endpoint: browser.endpoint, auth: browser.keys.auth };
    const guessed = { ...former, auth: next.keys.auth };
    const inside = { ...next, endpoint: 'https://127.0.0.1/push/1' };
    const endpoints = async () =>
      (await asOwner(server().database).query('select id::text, endpoint from public.push_subscriptions')).map(
        ({ id: row, endpoint }) => [row, endpoint],
      );

    expect((await renew({ former: guessed, next })).status).toBe(404);
    expect((await renew({ former, next: inside })).status).toBe(400);
    expect((await renew({ former, next, user: user.id })).status).toBe(400);
    expect(await endpoints()).toEqual([[id, browser.endpoint]]);
    expect((await renew({ former, next })).status).toBe(200);
    expect(await endpoints()).toEqual([[id, next.endpoint]]);
    expect((await renew({ former, next })).status).toBe(404);

    const before = taken().length;
    await worker();
    await queue(user.id, 'after renewal');
    await until(() => taken().length > before);
    expect(await row('after renewal')).toMatchObject({ attempts: 1 });
  });

  test('removes the former subscription when the page renewed it before the worker', async () => {
    const { user, browser } = await device();
    const next = service.subscribe(KEYS.publicKey);
    const saved = await call(user.accessToken, 'save-push-subscription', { ...next, device: 'Firefox on Linux' });
    const former = { endpoint: browser.endpoint, auth: browser.keys.auth };

    const renewed = await fetch(`${server().url}/push/renewals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ former, next }),
    });

    expect(renewed.status).toBe(200);
    const left = await asOwner(server().database).query('select id::text as id from public.push_subscriptions');
    expect(left).toEqual([{ id: saved.id }]);
  });

  test('removes devices answered with 410 and 404, and their waiting messages', async () => {
    const removed = await device();
    const unknown = await device();
    service.unsubscribe(removed.browser.endpoint);
    await asOwner(server().database).query(
      `update public.push_subscriptions set endpoint = '${service.url}/push/never' where id = $1::text::uuid`,
      [unknown.id],
    );
    await queue(removed.user.id, 'to the deleted');
    await queue(unknown.user.id, 'to no device');
    await worker();

    await until(
      async () => (await asOwner(server().database).query('select 1 from public.push_subscriptions')).length === 0,
    );
    expect([await row('to the deleted'), await row('to no device')]).toEqual([undefined, undefined]);
  });

  test('retries a busy service after its Retry-After, and a broken one after increasing waits', async () => {
    const { user } = await device();
    service.failNext({ status: 429, retryAfter: '300' }, { status: 503 });
    await queue(user.id, 'patient', 86_400);
    const before = taken().length;
    await worker();
    await until(async () => (await row('patient'))?.last_error === '429');

    server().advance(290_000);
    await sleep(120);
    expect(await row('patient')).toMatchObject({ state: 'waiting', attempts: 1 });
    server().advance(11_000);
    await until(async () => (await row('patient'))?.last_error === '503');
    expect(taken()).toHaveLength(before);
    server().advance(PUSH_RETRY_WAITS_MS[1]);
    await until(async () => (await row('patient'))?.state === 'sent');

    expect(taken()).toHaveLength(before + 1);
  });

  test('gives up and empties messages that are refused, expired or without a sender', async () => {
    const { user } = await device();
    const stranger = await server().user();
    const foreign = service.subscribe(newPushKeys().publicKey);
    await call(stranger.accessToken, 'save-push-subscription', { ...foreign, device: 'x' });
    await queue(stranger.id, 'signed by another');
    const zeroth = await worker();
    await until(async () => (await row('signed by another'))?.state === 'failed');
    await zeroth.close();
    service.failNext({ status: 413 }, { status: 429, retryAfter: '7200' });
    await queue(user.id, 'too large');
    const first = await worker();
    await until(async () => (await row('too large'))?.state === 'failed');
    await queue(user.id, 'delayed for longer than it is valid');
    await until(async () => (await row('delayed for longer than it is valid'))?.state === 'failed');
    await first.close();
    await queue(user.id, 'over', 60);
    server().advance(61_000);
    const second = await worker();
    await until(async () => (await row('over'))?.state === 'failed');
    await second.close();
    await queue(user.id, 'switched off');
    await worker(null);
    await until(async () => (await row('switched off'))?.state === 'failed');

    expect(await row('signed by another')).toMatchObject({ state: 'failed', attempts: 1, last_error: '403' });
    expect(await row('too large')).toMatchObject({ attempts: 1, text_body: null, last_error: '413' });
    expect(await row('over')).toMatchObject({ last_error: 'expired' });
    expect(await row('switched off')).toMatchObject({ last_error: 'no push transport' });
    server().advance(PUSH_RETENTION_MS + 1000);
    await worker(null);
    await until(async () => (await row('too large')) === undefined);
  });

  test("sends a dead process's message once after its lease, and the same one after a lost answer", async () => {
    const { user } = await device();
    await queue(user.id, 'left behind');
    const { database, clock } = server();
    const nowMs = clock.nowMs();
    expect(await pushQueue(database).claim(5, nowMs, nowMs + PUSH_LEASE_MS)).toHaveLength(1);
    const before = taken().length;
    await worker();
    await worker();
    await sleep(150);
    expect(taken()).toHaveLength(before);
    server().advance(PUSH_LEASE_MS);
    await until(async () => (await row('left behind'))?.state === 'sent');
    await sleep(100);
    expect(taken()).toHaveLength(before + 1);

    service.failNext({ status: 201, isCut: true });
    await queue(user.id, 'answer lost');
    await until(async () => (await row('answer lost'))?.attempts === 1 && taken().length === before + 2);
    await until(async () => (await row('answer lost'))?.last_error === 'ECONNRESET');
    server().advance(PUSH_RETRY_WAITS_MS[0]);
    await until(async () => (await row('answer lost'))?.state === 'sent');
    const [one, two] = taken().slice(-2);
    expect(one).toEqual(two);
  });

  test('refuses an endpoint at any hostile address, even beside the fake service', async () => {
    const { user, browser } = await device();
    for (const endpoint of [...HOSTILE_URLS, ...LOCAL_URLS, ...OTHER_PORTS]) {
      const body = { ...browser, endpoint, device: 'x' };
      const refused = await call(user.accessToken, 'save-push-subscription', body);
      // What isn't an address is refused by the form itself.
      expect(['push/bad-endpoint', 400], endpoint).toContain(refused.reason ?? refused.status);
      const failed = realTransport(publicLookup()).send({ endpoint, ...browser.keys }, MESSAGE, SENDING);
      await expect(failed, endpoint).rejects.toMatchObject({ message: 'no push service', failure: 'gone' });
    }
  });

  test('removes a device whose host name resolves to a private address, without connecting', async () => {
    const { user, browser } = await device();
    await asOwner(server().database).query(
      `update public.push_subscriptions set endpoint = 'https://push.example.com/x'`,
    );
    await queue(user.id, 'rebound');
    await worker(
      realTransport(publicLookup((_name, _options, resolve) => resolve(null, [{ address: '127.0.0.1', family: 4 }]))),
    );

    await until(async () => (await row('rebound')) === undefined);
    const saved = await call(user.accessToken, 'save-push-subscription', { ...browser, device: 'x' });
    expect(saved).toMatchObject({ ok: true });
  });

  test('allows ten devices, and moves a browser to another user without its messages', async () => {
    const { user, browser, id } = await device();
    const save = (token: string, one = service.subscribe(KEYS.publicKey)) =>
      call(token, 'save-push-subscription', { ...one, device: 'Chrome on Windows' });
    expect(await save(user.accessToken, browser)).toMatchObject({ ok: true, id });
    const more = await Promise.all(Array.from({ length: 11 }, () => save(user.accessToken)));
    expect(more.filter(({ ok }) => ok)).toHaveLength(9);
    expect(more.find(({ ok }) => ok === false)).toMatchObject({ reason: 'push/too-many-devices' });

    await queue(user.id, 'not for the next');
    const next = await server().user();
    const moved = await save(next.accessToken, browser);
    expect(moved).toMatchObject({ ok: true });
    const rows = await asOwner(server().database).query(
      'select 1 from private.outgoing_pushes where subscription_id = $1::text::uuid',
      [String(moved.id)],
    );
    expect(rows).toEqual([]);
    expect((await user.client.from('push_subscriptions').select('id')).data).toHaveLength(9);
    expect((await next.client.from('push_subscriptions').select('id')).data).toEqual([{ id: moved.id }]);
  });
});

const MESSAGE = { id: 'id', title: 'title', text: 'text', path: '/' };
const SENDING = { ttlS: 60, signal: new AbortController().signal };

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { interval: 15 }).toBe(true);
}
