/** Tests the pages on which a developer plays the user of a chat service. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openedForTests } from '../../tests/support/run/opened-for-tests.ts';
import { requestUnderName } from '../testing/request-under-name.ts';
import { chatPage } from './chat-page.ts';
import { discord } from './discord.ts';
import { startSandboxChat } from './sandbox-chat.ts';
import { telegram } from './telegram.ts';
import { chatPicture } from './testing/chat-pictures.ts';

const USER = '910000001';
const GROUP = '-1009100000003';
const CHANNEL = '930000000000000011';
const DIRECT = '930000000000000013';
const nowMs = () => Date.UTC(2026, 10, 27, 12);
const tokens = { telegram: '1:test', discord: 'test' };

const opened = openedForTests(() =>
  startSandboxChat({ tokens, interactionsUrl: () => null, nowMs, hasFaultControl: true }),
);
const get = (path: string, init: RequestInit = {}) => fetch(opened().url + path, init);
const post = (path: string, body: unknown, type = 'application/json') =>
  get(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': type } });

const newDiscord = () => discord({ token: 'test', nowMs, interactionsUrl: () => null });
const pageOf = (service: ReturnType<typeof discord>, query = '') => chatPage(service, new URLSearchParams(query));
const sectionOf = (page: string, id: string) =>
  new RegExp(`<section [^>]*data-chat="${id}">.*?</section>`, 's').exec(page)?.[0] ?? '';

test('shows every chat with its name, its state and what the user can do', () => {
  const service = newDiscord();
  const empty = pageOf(service);

  expect(empty).toContain('enter a field as its name and value, code:ABC.');
  expect(empty.match(/<h2 [^>]*>[^<]*/g)?.map((heading) => heading.replace(/<.*>/, ''))).toEqual([
    ...['Channel #alerts', 'Channel #research', 'Direct chat of Sample user'],
  ]);
  expect(sectionOf(empty, CHANNEL)).toMatch(
    /The bot can write here\..*No messages yet\..*Remove the bot.*Add the bot/s,
  );
  expect(sectionOf(empty, DIRECT)).toMatch(/Block the bot.*Unblock.*Delete the chat/s);
  expect(pageOf(telegram({ token: '1:test', nowMs }))).toMatch(
    /In a group, the bot receives commands only\..*<h2 [^>]*>Sample group<\/h2>/s,
  );
});

test('shows who wrote each message, who can see it, and its text escaped', () => {
  const service = newDiscord();
  const { write } = service.conversations;
  write(CHANNEL, { from: 'user', text: '/kat <b>', isPrivate: true });
  write(CHANNEL, { from: 'bot', text: '@everyone', mentionsEveryone: true });
  const { id } = write(CHANNEL, { from: 'service', text: 'a', picture: { type: 'image/png', bytes: Buffer.alloc(1) } });

  const time = '27 Nov 2026, 12:00:00 UTC';
  expect(sectionOf(pageOf(service), CHANNEL).match(/<li .*?<\/li>/gs)).toEqual([
    `<li class="user"><p class="muted"><strong>You</strong> ${time}, only you can see this</p><p class="text">/kat &#60;b&#62;</p></li>`,
    `<li class="bot"><p class="muted"><strong>Kat</strong> ${time}, notifies everyone</p><p class="text">@everyone</p></li>`,
    `<li class="service"><p class="muted"><strong>Notice</strong> ${time}</p><img src="/dev/discord/pictures/${id}" alt="The picture of this message" loading="lazy"><p class="text">a</p></li>`,
  ]);
});

test.each([
  ['', ''],
  ['text=%3Cb%3E', '&#60;b&#62;'],
  ['start=ABC', '/start ABC'],
  ['code=ABC', '/kat link code:ABC'],
])('fills the field of the first chat alone from the address ?%s', (query, value) => {
  const fields = pageOf(newDiscord(), query).match(/required value="[^"]*"/g);

  expect(fields).toEqual([`required value="${value}"`, 'required value=""', 'required value=""']);
});

test('keeps the newest hundred messages of a chat', () => {
  const { conversations } = newDiscord();
  for (let i = 0; i <= 100; i += 1) conversations.write(CHANNEL, { from: 'user', text: String(i) });

  const texts = conversations.find(CHANNEL)?.entries.map(({ text }) => text);
  expect([texts?.length, texts?.[0], texts?.at(-1)]).toEqual([100, '1', '100']);
  expect(() => conversations.write('1', { from: 'user', text: 'a' })).toThrow('The sandbox has no chat 1.');
});

test('sends what the user enters, and shows it with the size of its picture', async () => {
  expect((await post('/dev/telegram/messages', { conversation: USER, text: ' /start A ' })).status).toBe(204);
  const picture = { type: 'image/png', bytes: chatPicture(10, 10) };
  const { id } = opened().telegram.conversations.write(USER, { from: 'bot', text: 'b', picture });

  const chats = z.any().parse(await (await get('/dev/telegram.json')).json());
  expect(chats).toHaveLength(3);
  expect(chats[0]).toMatchObject({ id: USER, name: 'Sample user', isDirect: true, reach: 'open' });
  expect(chats[0].entries).toMatchObject([
    { from: 'user', text: '/start A', pictureBytes: null },
    { from: 'bot', text: 'b', pictureBytes: 33 },
  ]);
  expect(chats[0].entries[1]).not.toHaveProperty('picture');
  const bytes = await get(`/dev/telegram/pictures/${id}`);
  expect(bytes.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await bytes.arrayBuffer())).toEqual(picture.bytes);
  expect((await get(`/dev/telegram/pictures/${id - 1}`)).status, 'a message without one').toBe(404);
  expect((await get('/dev/telegram/pictures/9999')).status).toBe(404);
});

test('blocks the bot and deletes a chat, which the page then shows', async () => {
  const reach = async (to: string) => {
    expect((await post('/dev/discord/reach', { conversation: DIRECT, reach: to })).status).toBe(204);
    return sectionOf(await (await get('/dev/discord')).text(), DIRECT);
  };

  expect(await reach('blocked')).toContain('The bot is blocked or removed.');
  expect(await reach('deleted')).toContain('This chat is deleted.');
  expect(await reach('open')).toContain('The bot can write here.');
});

test.each([
  ['no text', '/messages', { conversation: GROUP, text: '  ' }],
  ['a text that is too long', '/messages', { conversation: GROUP, text: 'a'.repeat(4097) }],
  ['an unknown chat', '/messages', { conversation: '1', text: 'a' }],
  ['an unknown chat to block', '/reach', { conversation: '1', reach: 'blocked' }],
  ['an unknown state', '/reach', { conversation: GROUP, reach: 'muted' }],
  ['a message sent to another address', '/reach', { conversation: GROUP, text: 'a' }],
  ['no object', '/messages', null],
])('refuses %s, and changes nothing', async (_what, path, body) => {
  const refused = await post(`/dev/telegram${path}`, body);

  expect([refused.status, await refused.json()]).toEqual([400, { code: 'request/invalid' }]);
  expect(opened().telegram.conversations.find(GROUP)).toMatchObject({ reach: 'open', entries: [] });
});

test('refuses a form that a foreign page could send', async () => {
  const message = { conversation: GROUP, text: 'a' };

  expect((await post('/dev/telegram/messages', message, 'text/plain')).status).toBe(400);
  const bare = await get('/dev/telegram/messages', {
    method: 'POST',
    body: new TextEncoder().encode(JSON.stringify(message)),
  });
  expect(bare.status, 'without a type').toBe(400);
});

test.each([
  ['/dev/telegram', 'text/html; charset=utf-8', 'Sandbox Telegram'],
  ['/dev/discord/chat.css', 'text/css; charset=utf-8', 'color-scheme'],
  ['/dev/discord/chat.js', 'text/javascript; charset=utf-8', 'data-action'],
])('serves %s as %s', async (path, type, part) => {
  const answer = await get(path);

  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  expect(await answer.text()).toContain(part);
});

test.each([
  ['GET', '/', 404],
  ['GET', '/dev/signal', 404],
  ['GET', '/dev/telegrams', 404],
  ['GET', '/dev/telegram/other', 404],
  ['PUT', '/dev/telegram', 405],
])('refuses %s %s with %i', async (method, path, status) => {
  expect((await get(path, { method })).status).toBe(status);
});

test('refuses a request that is larger than any picture in the service’s form', async () => {
  const body = new Uint8Array(12 * 1024 * 1024 + 1);

  const refused = await get('/telegram/bot1:test/sendPhoto', { method: 'POST', body });

  expect([refused.status, await refused.json()]).toMatchObject([413, { ok: false, error_code: 413 }]);
});

test('answers no request for another machine’s name', async () => {
  expect(await requestUnderName(`${opened().url}/dev/telegram`, 'evil.example')).toMatchObject({ status: 421 });
});

test('takes faults over HTTP, under an address that it has only on request', async () => {
  const plain = await startSandboxChat({ tokens, interactionsUrl: () => null });
  expect(plain.faultControlUrl).toBeNull();
  expect((await fetch(`${plain.url}/control/faults`)).status).toBe(404);
  await plain.close();

  const url = opened().faultControlUrl ?? '';
  const fault = { part: 'rest', dialect: 'discord', what: 'status', count: 1 };
  expect((await post(new URL(url).pathname, { ...fault, status: 429 })).status).toBe(200);
  const limited = await get('/discord/api/v10/users/@me');
  expect([limited.status, await limited.json()]).toMatchObject([429, { retry_after: 1, global: false }]);
  await post(new URL(url).pathname, { ...fault, status: 503 });
  expect(await (await get('/discord/api/v10/users/@me')).json()).toEqual({ message: '503: fault', code: 0 });
});
