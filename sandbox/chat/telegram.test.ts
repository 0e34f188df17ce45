/** Tests the simulated Bot API as a bot's program sees it, over HTTP. */
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type SandboxChat, startSandboxChat } from './sandbox-chat.ts';
import { chatPicture } from './testing/chat-pictures.ts';

const TOKEN = '7000000001:test';
const USER = '910000001';
const GROUP = '-1009100000003';

let nowMs = Date.UTC(2026, 10, 27);
let running: SandboxChat | null = null;

async function start(): Promise<SandboxChat> {
  const tokens = { telegram: TOKEN, discord: 'test' };
  running = await startSandboxChat({ tokens, interactionsUrl: () => null, nowMs: () => nowMs });
  return running;
}

afterEach(async () => {
  await running?.close();
});

async function call(method: string, init: Record<string, unknown> | FormData = {}, token = TOKEN) {
  const isForm = init instanceof FormData;
  const answer = await fetch(`${running?.telegramUrl}/bot${token}/${method}`, {
    method: 'POST',
    ...(isForm ? { body: init } : { body: JSON.stringify(init), headers: { 'content-type': 'application/json' } }),
  });
  return { status: answer.status, body: z.any().parse(await answer.json()) };
}

function photo(bytes: Buffer, caption = 'Caption'): FormData {
  const form = new FormData();
  form.set('chat_id', USER);
  form.set('caption', caption);
  form.set('photo', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'forecast.png');
  return form;
}

test('names the bot, and refuses a wrong token and an unknown method', async () => {
  await start();

  expect((await call('getMe')).body.result.username).toBe('kat_sandbox_bot');
  expect(await call('getMe', {}, '1:wrong')).toMatchObject({ status: 401, body: { ok: false, error_code: 401 } });
  expect(await call('sendVideo')).toMatchObject({ status: 404, body: { ok: false } });
});

test('gives an update until a higher offset confirms it', async () => {
  const sandbox = await start();
  await sandbox.telegram.enter(USER, '/start ABC');

  const first = await call('getUpdates');
  const [update] = first.body.result;
  expect(update.message).toMatchObject({ text: '/start ABC', chat: { id: Number(USER), type: 'private' } });
  expect(update.message.entities).toEqual([{ type: 'bot_command', offset: 0, length: 6 }]);
  expect((await call('getUpdates')).body.result, 'not confirmed').toEqual([update]);
  expect((await call('getUpdates', { offset: update.update_id + 1 })).body.result).toEqual([]);
});

test('answers a long poll when an update comes, and ends it with 409 when another begins', async () => {
  const sandbox = await start();
  const former = call('getUpdates', { timeout: 50 });
  const later = call('getUpdates', { timeout: 50, allowed_updates: ['message', 'my_chat_member'] });

  // Whichever of both arrived first is ended by the other.
  const ended = await Promise.race([former, later]);
  expect(ended).toMatchObject({ status: 409, body: { error_code: 409 } });
  await sandbox.telegram.setReach(USER, 'blocked');
  const [, answered] = (await Promise.all([former, later])).toSorted((one, other) => other.status - one.status);
  expect(answered?.body.result[0].my_chat_member.new_chat_member.status).toBe('kicked');
});

test('gives the bot no group message but commands for it', async () => {
  const sandbox = await start();
  for (const text of ['hello', '/link@another_bot ABC', '/link@kat_sandbox_bot ABC', '/link DEF'])
    await sandbox.telegram.enter(GROUP, text);

  const { body } = await call('getUpdates');
  expect(body.result.map((update: { message: { text: string } }) => update.message.text)).toEqual([
    '/link@kat_sandbox_bot ABC',
    '/link DEF',
  ]);
});

test.each([
  ['an unknown chat', { chat_id: 1, text: 'a' }, 400, 'Bad Request: chat not found'],
  ['no chat', { text: 'a' }, 400, 'Bad Request: chat_id is empty'],
  ['no text', { chat_id: USER }, 400, 'Bad Request: message text is empty'],
  ['a blank text', { chat_id: USER, text: ' ' }, 400, 'Bad Request: message text is empty'],
  ['markup', { chat_id: USER, text: 'a', parse_mode: 'HTML' }, 400, 'Bad Request: the sandbox takes plain text only'],
  ['a long text', { chat_id: USER, text: 'a'.repeat(4097) }, 400, 'Bad Request: message is too long'],
  [
    'a user who never wrote',
    { chat_id: 910000002, text: 'a' },
    403,
    "Forbidden: bot can't initiate conversation with a user",
  ],
])('refuses a message: %s', async (_what, message, status, description) => {
  const sandbox = await start();
  await sandbox.telegram.enter(USER, '/start');

  expect(await call('sendMessage', message)).toEqual({ status, body: { ok: false, error_code: status, description } });
});

test('refuses an address without a method, and a body that it cannot read', async () => {
  const sandbox = await start();
  const post = async (path: string) => {
    const answer = await fetch(sandbox.telegramUrl + path, { method: 'POST', body: 'chat_id=1' });
    return { status: answer.status, body: await answer.json() };
  };

  const notFound = { ok: false, error_code: 404, description: 'Not Found' };
  expect(await post(`/bot${TOKEN}`)).toEqual({ status: 404, body: notFound });
  expect(await post('')).toEqual({ status: 404, body: notFound });
  expect(await post(`/bot${TOKEN}/sendMessage`)).toMatchObject({
    status: 400,
    body: { description: "Bad Request: can't parse the request" },
  });
});

test('takes the parameters of a call from its address, with the kinds of updates as JSON', async () => {
  const sandbox = await start();
  const updates = async (query: string) => {
    const answer = await fetch(`${sandbox.telegramUrl}/bot${TOKEN}/getUpdates?${query}`);
    return z.any().parse(await answer.json());
  };
  expect((await updates(`allowed_updates=${encodeURIComponent('["my_chat_member"]')}`)).result).toEqual([]);
  await sandbox.telegram.enter(USER, 'hello');
  await sandbox.telegram.setReach(USER, 'deleted');
  await sandbox.telegram.setReach(USER, 'deleted');

  const { result } = await updates('limit=10');
  expect(result).toMatchObject([
    { my_chat_member: { old_chat_member: { status: 'member' }, new_chat_member: { status: 'left' } } },
  ]);
  for (const query of ['limit=0', 'limit=101'])
    expect(await updates(query), query).toMatchObject({
      error_code: 400,
      description: 'Bad Request: invalid parameters of getUpdates',
    });
});

test('hears nothing from a chat that blocked it, and marks no command in an ordinary text', async () => {
  const sandbox = await start();
  await sandbox.telegram.enter(USER, 'hello');
  await sandbox.telegram.setReach(USER, 'blocked');
  await sandbox.telegram.enter(USER, '/start');
  await sandbox.telegram.enter('1', '/start');
  await sandbox.telegram.setReach('1', 'blocked');

  const { body } = await call('getUpdates', { allowed_updates: ['message'] });
  expect(body.result.map(({ message }: { message: unknown }) => message)).toEqual([
    expect.objectContaining({ text: 'hello', from: expect.objectContaining({ id: Number(USER) }) }),
    undefined,
  ]);
  expect(body.result[0].message).not.toHaveProperty('entities');
  await sandbox.telegram.setReach(GROUP, 'blocked');
  const send = await call('sendMessage', { chat_id: GROUP, text: 'a' });
  expect(send).toMatchObject({
    status: 403,
    body: { description: 'Forbidden: bot was kicked from the supergroup chat' },
  });
});

test('refuses a blocked bot with 403 and a deleted chat with 400', async () => {
  const sandbox = await start();
  await sandbox.telegram.enter(USER, '/start');
  const send = () => call('sendMessage', { chat_id: USER, text: 'a' });

  expect((await send()).status).toBe(200);
  await sandbox.telegram.setReach(USER, 'blocked');
  expect((await send()).body.description).toBe('Forbidden: bot was blocked by the user');
  await sandbox.telegram.setReach(USER, 'deleted');
  expect((await send()).body.description).toBe('Bad Request: chat not found');
});

test('takes a photo and refuses one beyond each of its limits', async () => {
  const sandbox = await start();
  await sandbox.telegram.enter(USER, '/start');
  const answers = await Promise.all([
    call('sendPhoto', photo(chatPicture(1200, 630))),
    call('sendPhoto', photo(chatPicture(9000, 1001))),
    call('sendPhoto', photo(chatPicture(2100, 100))),
    call('sendPhoto', photo(Buffer.from('no picture'))),
    call('sendPhoto', photo(Buffer.concat([chatPicture(10, 10), Buffer.alloc(10 * 1024 * 1024)]))),
    call('sendPhoto', photo(chatPicture(10, 10), 'a'.repeat(1025))),
    call('sendPhoto', { chat_id: USER, photo: 'https://example.org/a.png' }),
    call('sendPhoto', { chat_id: USER }),
    call('sendPhoto', photo(Buffer.alloc(0))),
  ]);

  expect(answers.map(({ body }) => body.description ?? body.result.photo[0].width)).toEqual([
    1200,
    'Bad Request: PHOTO_INVALID_DIMENSIONS',
    'Bad Request: PHOTO_INVALID_DIMENSIONS',
    'Bad Request: IMAGE_PROCESS_FAILED',
    expect.stringContaining('is too big for a photo'),
    'Bad Request: message caption is too long',
    'Bad Request: wrong file identifier/HTTP URL specified',
    'Bad Request: there is no photo in the request',
    'Bad Request: file must be non-empty',
  ]);
  expect((await call('sendPhoto', photo(chatPicture(10, 10), ''))).body.result).not.toHaveProperty('caption');
  const entries = sandbox.telegram.conversations.find(USER)?.entries ?? [];
  expect(entries.map(({ from, text, picture }) => [from, text, picture?.type])).toEqual([
    ['user', '/start', undefined],
    ['bot', 'Caption', 'image/png'],
    ['bot', '', 'image/png'],
  ]);
});

test('limits the messages to a group, and tells how long to wait', async () => {
  await start();
  const send = () => call('sendMessage', { chat_id: GROUP, text: 'a' });
  for (let sent = 0; sent < 20; sent += 1) expect((await send()).status).toBe(200);
  nowMs += 15_000;

  expect(await send()).toMatchObject({ status: 429, body: { parameters: { retry_after: 45 } } });
  nowMs += 45_000;
  expect((await send()).status).toBe(200);
});

test('limits the messages to all chats, and takes more after a second', async () => {
  const { telegram } = await start();
  await telegram.enter(USER, '/start');
  const query = new URLSearchParams({ chat_id: USER, text: 'a' });
  const parts = { method: 'GET', path: `/bot${TOKEN}/sendMessage`, headers: {}, body: Buffer.alloc(0) };
  const send = () => telegram.answer({ ...parts, query, signal: AbortSignal.abort() });
  for (let sent = 0; sent < 30; sent += 1) expect((await send()).status).toBe(200);

  expect(await send()).toMatchObject({ status: 429, body: { parameters: { retry_after: 1 } } });
  nowMs += 1000;
  expect((await send()).status).toBe(200);
});

test('applies a fault to the named call alone, in the service’s form', async () => {
  const sandbox = await start();
  await sandbox.telegram.enter(USER, '/start');
  sandbox.faults.add(
    { part: 'rest', dialect: 'telegram', path: '/sendMessage', what: 'status', status: 429, retryAfterS: 7, count: 1 },
    { part: 'rest', dialect: 'telegram', path: '/sendMessage', what: 'cut-off', count: 1 },
  );
  const send = () => call('sendMessage', { chat_id: USER, text: 'a' });

  expect((await call('getMe')).status).toBe(200);
  expect((await send()).body).toEqual({
    ok: false,
    error_code: 429,
    description: 'Too Many Requests: retry after 7',
    parameters: { retry_after: 7 },
  });
  await expect(send(), 'half an answer').rejects.toThrow(SyntaxError);
  expect(sandbox.telegram.conversations.find(USER)?.entries.map(({ from }) => from)).toEqual(['user', 'bot']);
});
