/** Calls that claim to come from Discord: signature, age, size and form. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { errorResponse } from '../platform/http/calls/http-errors.ts';
import { discordInteractionRoutes, INTERACTIONS_PATH } from './discord-interactions.ts';

const NOW_MS = 1_800_000_000_000;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519').privateKey;
const VERIFY_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
const PING = JSON.stringify({ id: '1', type: 1 });

function routes(verifyKey: string | null = VERIFY_KEY): Hono {
  const database = new Proxy({} as Database, {
    get: () => () => {
      throw new Error('nothing here needs the database');
    },
  });
  const app = new Hono();
  app.onError((error) => errorResponse(error));
  const limits = { mayTryCode: async () => true, mayReply: async () => true };
  return app.route(
    '/',
    discordInteractionRoutes({
      verifyKey: () => verifyKey,
      database,
      clock: { nowMs: () => NOW_MS },
      limits,
      sendsMails: false,
      siteUrl: () => 'https://kat.test',
    }),
  );
}

function signed(body: string, { atMs = NOW_MS, key = privateKey }: { atMs?: number; key?: typeof privateKey } = {}) {
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = sign(null, Buffer.from(timestamp + body), key).toString('hex');
  return { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp };
}

const post = (body: string, headers: Record<string, string>, app = routes()) =>
  app.request(INTERACTIONS_PATH, { method: 'POST', body, headers });

test('answers a signed ping with a pong', async () => {
  const answer = await post(PING, signed(PING));
  expect([answer.status, await answer.json()]).toEqual([200, { type: 1 }]);
});

test.each([
  ['without a signature', PING, {}],
  ['signed by another key', PING, signed(PING, { key: other })],
  ['whose body was changed', `${PING} `, signed(PING)],
  ['whose time was changed', PING, { ...signed(PING), 'x-signature-timestamp': String(NOW_MS / 1000 + 1) }],
  ['older than five minutes', PING, signed(PING, { atMs: NOW_MS - 301_000 })],
  ['from the future', PING, signed(PING, { atMs: NOW_MS + 301_000 })],
  ['with half a signature', PING, { ...signed(PING), 'x-signature-ed25519': '00'.repeat(32) }],
  ['with a time that is no number', PING, { ...signed(PING), 'x-signature-timestamp': '1e9' }],
])('refuses a call %s with 401', async (_what, body, headers) => {
  expect((await post(body, headers)).status).toBe(401);
});

test('refuses before it knows Discord’s key, other methods, and bodies over 64 KB', async () => {
  expect((await post(PING, signed(PING), routes(null))).status).toBe(503);
  expect((await routes().request(INTERACTIONS_PATH)).status).toBe(405);
  const large = JSON.stringify({ id: '1', type: 1, pad: 'x'.repeat(70_000) });
  expect((await post(large, signed(large))).status).toBe(413);
});

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['a click on a button', JSON.stringify({ id: '1', type: 3, channel_id: '1' })],
  ['another bot’s command', JSON.stringify({ id: '1', type: 2, channel_id: '1', data: { name: 'other' } })],
  [
    'a command in a channel that is a path',
    JSON.stringify({ id: '1', type: 2, channel_id: '../1', data: { name: 'kat' } }),
  ],
])('refuses %s that is signed', async (_what, body) => {
  expect((await post(body, signed(body))).status).toBe(400);
});
