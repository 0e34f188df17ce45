/** Tests the simulated Discord API as a bot's program sees it, and the interactions that an app receives. */
import { createPublicKey, verify } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { type SandboxChat, startSandboxChat } from './sandbox-chat.ts';
import { chatPicture } from './testing/chat-pictures.ts';

const APPLICATION = '930000000000000001';
const CHANNEL = '930000000000000011';
const DIRECT = '930000000000000013';
const HEADERS = { authorization: 'Bot test', 'user-agent': 'DiscordBot (https://kat.test, 1)' };
const COMMANDS = [
  {
    name: 'kat',
    description: 'Alerts of Kat',
    contexts: [0, 1],
    default_member_permissions: '16',
    options: [
      {
        type: 1,
        name: 'link',
        description: 'Link this channel',
        options: [{ type: 3, name: 'code', description: 'From the site', required: true }],
      },
      { type: 1, name: 'status', description: 'Is it linked?' },
    ],
  },
];

let nowMs = Date.UTC(2026, 10, 27);
let running: SandboxChat | null = null;
let app: Server | null = null;

async function start(interactionsUrl: string | null = null): Promise<SandboxChat> {
  const tokens = { telegram: 'test', discord: 'test' };
  running = await startSandboxChat({ tokens, interactionsUrl: () => interactionsUrl, nowMs: () => nowMs });
  return running;
}

afterEach(async () => {
  await running?.close();
  if (app !== null) await closeServer(app);
  app = null;
});

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = HEADERS) {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${running?.discordUrl}/api/v10${path}`, {
    method,
    headers: { ...headers, ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: z.any().parse(await answer.json()) };
}

const send = (message: unknown, channel = CHANNEL) => call('POST', `/channels/${channel}/messages`, message);

/** Answers as an app does that checks signatures, unless the test says otherwise. */
async function startApp(checksSignatures = true) {
  const received: { type: number; data?: unknown; channel_id?: string }[] = [];
  let key = '';
  app = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString('utf8');
    const { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp } = request.headers;
    const x = Buffer.from(key, 'hex').toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const isSigned = verify(null, Buffer.from(`${timestamp}${body}`), publicKey, Buffer.from(String(signature), 'hex'));
    const interaction = JSON.parse(body);
    if (isSigned) received.push(interaction);
    const data = { content: 'Linked @everyone', flags: 64, allowed_mentions: { parse: [] } };
    response.writeHead(isSigned || !checksSignatures ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(interaction.type === 1 ? { type: 1 } : { type: 4, data }));
  });
  const sandbox = await start(`http://127.0.0.1:${await listenOnLoopback(app)}/discord/interactions`);
  key = (await call('GET', '/applications/@me')).body.verify_key;
  await call('PUT', `/applications/${APPLICATION}/commands`, COMMANDS);
  return {
    sandbox,
    received,
    texts: () => sandbox.discord.conversations.find(CHANNEL)?.entries.map((one) => one.text),
  };
}

test('names the application and its key, and refuses a wrong token and a client without its name', async () => {
  await start();

  const { body } = await call('GET', '/applications/@me');
  expect(body).toMatchObject({ id: APPLICATION, verify_key: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect((await call('GET', '/applications/@me', undefined, { ...HEADERS, authorization: 'Bot no' })).status).toBe(401);
  const nameless = await call('GET', '/applications/@me', undefined, { ...HEADERS, 'user-agent': 'node' });
  expect([nameless.status, nameless.body.code]).toEqual([403, 40333]);
});

test('answers 404 to other addresses, and to an unknown channel with its code', async () => {
  const sandbox = await start();

  const old = await fetch(`${sandbox.discordUrl}/api/v9/applications/@me`, { headers: HEADERS });
  expect([old.status, await old.json()]).toEqual([404, { message: '404: Not Found', code: 0 }]);
  expect((await call('GET', '/users/@me')).body).toEqual({ message: '404: Not Found', code: 0 });
  expect((await send({ content: 'a' }, '1')).body).toEqual({ message: 'Unknown Channel', code: 10003 });
});

test('limits all calls of a bot, and says that the limit is a global one', async () => {
  const { discord } = await start();
  const path = '/api/v10/applications/@me';
  const parts = { path, query: new URLSearchParams(), headers: HEADERS, signal: AbortSignal.abort() };
  const request = () => discord.answer({ ...parts, method: 'GET', body: Buffer.alloc(0) });
  for (let calls = 0; calls < 50; calls += 1) expect((await request()).status).toBe(200);
  nowMs += 250;

  const { status, headers, body } = await request();
  expect([status, body]).toEqual([429, { message: expect.any(String), retry_after: 0.75, global: true }]);
  expect(headers).toMatchObject({ 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global', 'retry-after': '1' });
  nowMs += 750;
  expect((await request()).status).toBe(200);
});

test('registers commands, and refuses bad ones and those of another app', async () => {
  await start();
  const put = (commands: unknown, id = APPLICATION) => call('PUT', `/applications/${id}/commands`, commands);

  expect((await put(COMMANDS)).body[0]).toMatchObject({ name: 'kat', application_id: APPLICATION });
  expect((await put([{ ...COMMANDS[0], name: 'Kat' }])).body.code).toBe(50035);
  expect((await put([COMMANDS[0], COMMANDS[0]])).status).toBe(400);
  expect((await put(COMMANDS, '1')).status).toBe(403);
});

test('takes a message with its picture, as payload_json and files[0]', async () => {
  const sandbox = await start();
  const form = new FormData();
  form.set(
    'payload_json',
    JSON.stringify({ content: 'Text @everyone', allowed_mentions: { parse: [] }, attachments: [{ id: 0 }] }),
  );
  form.set('files[0]', new Blob([new Uint8Array(chatPicture(1200, 630))], { type: 'image/png' }), 'forecast.png');

  const { status, body } = await send(form);
  expect(status).toBe(200);
  expect(body).toMatchObject({ mention_everyone: false, attachments: [{ filename: 'forecast.png', width: 1200 }] });
  const [entry] = sandbox.discord.conversations.find(CHANNEL)?.entries ?? [];
  expect(entry).toMatchObject({ from: 'bot', text: 'Text @everyone', picture: { type: 'image/png' } });
  expect((await send({ content: '@everyone' })).body.mention_everyone, 'without allowed_mentions').toBe(true);
});

test.each([
  ['nothing', { content: ' ' }, 400, 50006],
  ['a long text', { content: 'a'.repeat(2001) }, 400, 50035],
  ['an attachment without its file', { content: 'a', attachments: [{ id: 0 }] }, 400, 50035],
  ['a text that is no string', { content: 1 }, 400, 50035],
  ['a list', [], 400, 50109],
])('refuses a message: %s', async (_what, message, status, code) => {
  await start();

  expect(await send(message)).toMatchObject({ status, body: { code } });
});

test('takes ten files, which need not be pictures, and refuses one more', async () => {
  const sandbox = await start();
  const form = (...fields: string[]) => {
    const body = new FormData();
    for (const field of fields) body.set(field, new Blob(['1'], { type: 'text/csv' }), 'a.csv');
    return body;
  };
  const ten = Array.from({ length: 10 }, (_, i) => `files[${i}]`);

  const { body } = await send(form(...ten, 'other'));
  expect(body.attachments).toHaveLength(10);
  expect(body.attachments[0]).toMatchObject({ filename: 'a.csv', size: 1, content_type: 'text/csv' });
  expect(body.attachments[0]).not.toHaveProperty('width');
  expect(sandbox.discord.conversations.find(CHANNEL)?.entries).toMatchObject([{ text: '', picture: null }]);
  expect((await send(form(...ten, 'files[10]'))).body.code).toBe(50035);
});

test('refuses a removed bot with 403 and a deleted channel with 404', async () => {
  const sandbox = await start();
  const codeOf = async (channel: string) => (await send({ content: 'a' }, channel)).body.code;

  await sandbox.discord.setReach(CHANNEL, 'blocked');
  await sandbox.discord.setReach(DIRECT, 'blocked');
  expect([await codeOf(CHANNEL), await codeOf(DIRECT)]).toEqual([50001, 50007]);
  await sandbox.discord.setReach(CHANNEL, 'deleted');
  expect(await codeOf(CHANNEL)).toBe(10003);
});

test('sends the same enforced nonce once within five minutes, and one that is not enforced each time', async () => {
  const sandbox = await start();
  const message = { content: 'a', nonce: 'n1', enforce_nonce: true };
  const entries = () => sandbox.discord.conversations.find(CHANNEL)?.entries;

  const [first, second] = [await send(message), await send(message)];
  expect(second.body.id).toBe(first.body.id);
  expect(entries()).toHaveLength(1);
  nowMs += 5 * 60_000;
  expect((await send(message)).body.id).not.toBe(first.body.id);
  expect((await send({ ...message, enforce_nonce: false })).body).toMatchObject({ nonce: 'n1' });
  expect(entries()).toHaveLength(3);
});

test('limits the messages to a channel, and tells how long to wait in body and headers', async () => {
  await start();
  for (let left = 4; left >= 0; left -= 1)
    expect((await send({ content: 'a' })).headers.get('x-ratelimit-remaining')).toBe(String(left));
  nowMs += 1500;

  const { status, headers, body } = await send({ content: 'a' });
  expect([status, body.retry_after, body.global]).toEqual([429, 3.5, false]);
  expect([headers.get('retry-after'), headers.get('x-ratelimit-reset-after')]).toEqual(['4', '3.500']);
  expect((await send({ content: 'a' }, DIRECT)).status, 'another channel').toBe(200);
});

test('checks the app’s address with a ping, then posts the signed command and shows its reply', async () => {
  const { sandbox, received } = await startApp();

  await sandbox.discord.enter(CHANNEL, '/kat link code:ABC');
  expect(received.map(({ type }) => type)).toEqual([1, 2]);
  expect(received[1]).toMatchObject({
    channel_id: CHANNEL,
    data: { name: 'kat', options: [{ type: 1, name: 'link', options: [{ type: 3, name: 'code', value: 'ABC' }] }] },
  });
  const [, reply] = sandbox.discord.conversations.find(CHANNEL)?.entries ?? [];
  expect(reply).toMatchObject({ from: 'bot', text: 'Linked @everyone', isPrivate: true, mentionsEveryone: false });
});

test('posts a command of a direct chat with its user, and neither a server nor an ordinary text', async () => {
  const { sandbox, received } = await startApp();

  await sandbox.discord.enter(DIRECT, 'hello');
  await sandbox.discord.enter(DIRECT, '/kat status');
  await sandbox.discord.setReach(DIRECT, 'blocked');
  await sandbox.discord.enter(DIRECT, '/kat status');
  await sandbox.discord.enter('1', '/kat status');

  const [, command, ...others] = received;
  expect(others).toEqual([]);
  expect(command).toMatchObject({ context: 1, user: { username: 'sample-user' }, channel: { id: DIRECT, type: 1 } });
  expect(command).not.toHaveProperty('guild_id');
  expect(command).not.toHaveProperty('member');
  const entries = sandbox.discord.conversations.find(DIRECT)?.entries;
  expect(entries?.map(({ from, isPrivate }) => [from, isPrivate])).toEqual([
    ['user', false],
    ['user', true],
    ['bot', true],
  ]);
});

test('shows that the app did not respond', async () => {
  const { sandbox, texts } = await startApp();
  await sandbox.discord.enter(CHANNEL, '/kat status');
  if (app !== null) await closeServer(app);

  await sandbox.discord.enter(CHANNEL, '/kat status');
  expect(texts()?.at(-1)).toBe('The application did not respond');
});

test('sends no command to an app that takes forged ones', async () => {
  const { sandbox, received, texts } = await startApp(false);

  await sandbox.discord.enter(CHANNEL, '/kat status');
  expect(received.map(({ type }) => type)).toEqual([1]);
  expect(texts()?.[1]).toBe('The interactions address does not refuse a forged ping with status 401.');
});

test.each([
  ['an unknown command', '/cat', 'There is no command /cat here.'],
  ['no subcommand', '/kat', 'Choose one of: /kat link, /kat status'],
  ['a missing field', '/kat link', 'Fill in code.'],
  ['an unknown field', '/kat status why:now', 'why:now is no field of this command.'],
])('sends nothing for %s', async (_what, text, notice) => {
  const { sandbox, received, texts } = await startApp();

  await sandbox.discord.enter(CHANNEL, text);
  expect(received).toEqual([]);
  expect(texts()).toEqual([text, notice]);
});
