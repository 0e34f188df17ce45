/** Tests the push service as a sender sees it (RFC 8030, 8291, 8292), with messages that the real library encrypts. */
import { beforeEach, expect, test } from 'vitest';
import webPush from 'web-push';
import * as z from 'zod/mini';
import { openedForTests } from '../../tests/support/run/opened-for-tests.ts';
import { requestUnderName } from '../testing/request-under-name.ts';
import { type SandboxSubscription, startSandboxPush } from './sandbox-push.ts';

const NOW_S = Date.UTC(2026, 10, 27, 12) / 1000;
const HOUR_S = 3600;
const KEYS = webPush.generateVAPIDKeys();
const OTHER_KEYS = webPush.generateVAPIDKeys();
const MESSAGE = { id: '1', title: 'BTC <rises>', text: 'Above 100 & more', path: '/kat?symbol=BTC' };

const subscriptionSchema = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
});

const opened = openedForTests(() => startSandboxPush({ nowMs: () => NOW_S * 1000 }));
const subscribe = () => opened().subscribe(KEYS.publicKey);
const get = (path: string, init: RequestInit = {}) => fetch(opened().url + path, init);

beforeEach(async () => {
  await get('/dev/push.json', { method: 'DELETE' });
});

interface Token {
  audience?: string;
  contact?: string;
  keys?: { publicKey: string; privateKey: string };
  expiresS?: number;
}

function token({ audience = opened().url, contact = 'mailto:a@kat.test', keys = KEYS, expiresS }: Token = {}): string {
  const { publicKey, privateKey } = keys;
  const expires = expiresS ?? NOW_S + HOUR_S;
  return webPush.getVapidHeaders(audience, contact, publicKey, privateKey, 'aes128gcm', expires).Authorization;
}

function encrypted({ keys }: SandboxSubscription, text = JSON.stringify(MESSAGE)): Buffer {
  return webPush.encrypt(keys.p256dh, keys.auth, text, 'aes128gcm').cipherText;
}

interface Sent {
  body?: Buffer;
  /** Null: without this header. */
  headers?: Record<string, string | null>;
}

async function send(subscription: SandboxSubscription, { body, headers = {} }: Sent = {}): Promise<Response> {
  const usual = { authorization: token(), ttl: '60', 'content-encoding': 'aes128gcm' };
  const sent = Object.entries({ ...usual, ...headers }).filter((entry): entry is [string, string] => entry[1] !== null);
  return fetch(subscription.endpoint, {
    method: 'POST',
    headers: sent,
    body: new Uint8Array(body ?? encrypted(subscription)),
  });
}

test('takes a message, decrypts it, and names where it is', async () => {
  const subscription = subscribe();

  const urgent = await send(subscription, { headers: { urgency: 'high' } });
  await send(subscription, { headers: { ttl: '0' } });

  const text = JSON.stringify(MESSAGE);
  expect(urgent.status).toBe(201);
  expect(urgent.headers.get('location')).toBe(subscription.endpoint.replace('/push/', '/sent/'));
  expect(opened().received()).toEqual([
    { text, ttlS: 60, urgency: 'high', atMs: NOW_S * 1000 },
    { text, ttlS: 0, urgency: 'normal', atMs: NOW_S * 1000 },
  ]);
});

test.each<[string, number, () => Record<string, string | null>]>([
  ['no token', 401, () => ({ authorization: null })],
  ['a header that is no token', 403, () => ({ authorization: 'Bearer a' })],
  ['the key of another sender', 403, () => ({ authorization: token({ keys: OTHER_KEYS }) })],
  [
    'another sender’s signature',
    403,
    () => ({ authorization: token({ keys: { ...OTHER_KEYS, publicKey: KEYS.publicKey } }) }),
  ],
  ['a token for another service', 403, () => ({ authorization: token({ audience: 'https://push.test' }) })],
  ['an expired token', 403, () => ({ authorization: token({ expiresS: NOW_S }) })],
  ['no lifetime', 400, () => ({ ttl: null })],
  ['an invalid lifetime', 400, () => ({ ttl: '1.5' })],
  ['another encryption', 415, () => ({ 'content-encoding': 'aesgcm' })],
])('refuses a message with %s with %i, and shows nothing', async (_what, status, headers) => {
  const refused = await send(subscribe(), { headers: headers() });

  expect([refused.status, refused.headers.get('location')]).toEqual([status, null]);
  expect(opened().received()).toEqual([]);
});

test('refuses a message that is too large, damaged, or for another browser', async () => {
  const subscription = subscribe();
  const damaged = encrypted(subscription);
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
  const statusOf = async (body: Buffer) => (await send(subscription, { body })).status;

  expect(await statusOf(encrypted(subscription, 'a'.repeat(4000)))).toBe(413);
  expect(await statusOf(Buffer.alloc(100_000))).toBe(413);
  expect(await statusOf(damaged)).toBe(400);
  expect(await statusOf(encrypted(subscribe()))).toBe(400);
  expect(await statusOf(Buffer.alloc(0))).toBe(400);
  expect(opened().received()).toEqual([]);
});

test('answers 410 once the browser has unsubscribed, and 404 to an unknown address', async () => {
  const [left, other] = [subscribe(), subscribe()];
  opened().unsubscribe(left.endpoint);
  opened().unsubscribe(`${opened().url}/push/unknown`);

  expect((await send(left)).status).toBe(410);
  expect((await send({ ...other, endpoint: `${opened().url}/push/unknown` })).status).toBe(404);
  expect((await send(other)).status).toBe(201);
});

test('applies each fault to one message: a status is not read, a cut one is', async () => {
  const subscription = subscribe();
  opened().failNext({ status: 503, retryAfter: '7' }, { status: 500 }, { status: 201, isCut: true });

  const [busy, broken] = [await send(subscription), await send(subscription)];
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '7']);
  expect([broken.status, broken.headers.get('retry-after')]).toEqual([500, null]);
  expect(opened().received()).toEqual([]);
  await expect(send(subscription)).rejects.toThrow('fetch failed');
  expect(opened().received()).toHaveLength(1);
  expect((await send(subscription)).status).toBe(201);
});

test('subscribes a browser over HTTP with a sender’s key, and refuses any other', async () => {
  const request = (body: string) => get('/dev/push/subscriptions', { method: 'POST', body });

  const answer = await request(JSON.stringify({ publicKey: KEYS.publicKey }));
  expect(answer.status).toBe(201);
  expect((await send(subscriptionSchema.parse(await answer.json()))).status).toBe(201);
  for (const body of ['', '{}', JSON.stringify({ publicKey: KEYS.privateKey })]) {
    const refused = await request(body);
    expect([refused.status, await refused.json()]).toEqual([400, { code: 'request/invalid' }]);
  }
});

test('answers no request for another machine’s name', async () => {
  const { status, body } = await requestUnderName(`${opened().url}/dev/push`, 'evil.example');

  expect([status, body]).toEqual([421, '{"code":"request/wrong-host"}']);
});
