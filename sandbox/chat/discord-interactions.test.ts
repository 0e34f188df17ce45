import { expect, test, vi } from 'vitest';
import { BadEndpoint, mentionsEveryone, openInteractions } from './discord-interactions.ts';

const URL = 'https://kat.test/discord/interactions';
const COMMAND = { type: 2, id: '1' };
const REPLY = { type: 4, data: { content: 'Linked' } };
const NO_MENTIONS = { parse: [] };

interface App {
  pong?: Response;
  /** To a ping with a wrong signature. */
  forged?: number;
  reply?: Response;
}

/** An app that answers the two pings of a check, then a command. */
function start({ pong = Response.json({ type: 1 }), forged = 401, reply = Response.json(REPLY) }: App = {}) {
  const answers = [pong, new Response(null, { status: forged }), reply];
  const calls = vi.fn<typeof fetch>(async () => answers.shift() ?? Response.error());
  vi.stubGlobal('fetch', calls);
  const { post } = openInteractions({ endpoint: () => URL, nowMs: () => Date.UTC(2026, 10, 27) });
  return { calls, post };
}

test('checks an address once, and posts to it from then on', async () => {
  const { calls, post } = start();

  expect(await post(COMMAND)).toEqual({ content: 'Linked', isPrivate: false, mentionsEveryone: false });
  expect(calls.mock.calls.map(([, init]) => JSON.parse(String(init?.body)).type)).toEqual([1, 1, 2]);
  calls.mockResolvedValueOnce(Response.json({ type: 4, data: { content: '@here', flags: 64 } }));
  expect(await post(COMMAND)).toEqual({ content: '@here', isPrivate: true, mentionsEveryone: true });
  expect(calls).toHaveBeenCalledTimes(4);
});

test.each([
  ['an error', new Response('', { status: 500 })],
  ['something else', Response.json({ type: 4 })],
  ['no JSON', new Response('pong')],
])('rejects an address that answers a ping with %s', async (_what, pong) => {
  const { post } = start({ pong });

  await expect(post(COMMAND)).rejects.toThrow(new BadEndpoint('The interactions address does not answer a ping.'));
});

test('rejects an address that takes a forged ping, and a command without an address', async () => {
  await expect(start({ forged: 204 }).post(COMMAND)).rejects.toThrow('does not refuse a forged ping');
  const { post } = openInteractions({ endpoint: () => null, nowMs: () => 0 });
  await expect(post(COMMAND)).rejects.toThrow('The app has no interactions address.');
});

test.each([
  ['an error', Response.json(REPLY, { status: 500 })],
  ['another type of reply', Response.json({ ...REPLY, type: 5 })],
  ['an empty text', Response.json({ type: 4, data: { content: '' } })],
  ['a text over the limit', Response.json({ type: 4, data: { content: 'a'.repeat(2001) } })],
  ['too much', new Response(JSON.stringify(REPLY) + ' '.repeat(16_000))],
])('takes %s as no response', async (_what, reply) => {
  expect(await start({ reply }).post(COMMAND)).toBeNull();
});

test('takes a broken connection as no response', async () => {
  const { calls, post } = start();
  await post(COMMAND);
  calls.mockRejectedValueOnce(new TypeError('fetch failed'));

  expect(await post(COMMAND)).toBeNull();
});

test.each([
  ['Hello @everyone', undefined, true],
  ['Hello @here', { parse: ['everyone'] }, true],
  ['Hello @everyone', NO_MENTIONS, false],
  ['Hello @everyones', undefined, false],
])('says whether %s with %j notifies everyone', (text, allowed, expected) => {
  expect(mentionsEveryone(text, allowed?.parse)).toBe(expected);
});
