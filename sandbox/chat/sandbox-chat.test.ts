/** Tests the pages on which a developer plays the user of a chat service. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openedForTests } from '../../tests/support/run/opened-for-tests.ts';
import { requestUnderName } from '../testing/request-under-name.ts';
import { chatPage } from './chat-page.ts';
import { discord } from './discord.ts';
import { startSandboxChat } from './sandbox-chat.ts';
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

test('refuses a form that a foreign page could send', async () => {
  const message = { conversation: GROUP, text: 'a' };

  expect((await post('/dev/telegram/messages', message, 'text/plain')).status).toBe(400);
  const bare = await get('/dev/telegram/messages', {
    method: 'POST',
    body: new TextEncoder().encode(JSON.stringify(message)),
  });
  expect(bare.status, 'without a type').toBe(400);
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
