import { expect, test } from 'vitest';
import { openUpdates, type TelegramUpdates, type UpdatesQuery } from './telegram-updates.ts';

const NOW: UpdatesQuery = { offset: 0, limit: 100, timeoutMs: 0, allowed: null };

async function read(updates: TelegramUpdates, query: Partial<UpdatesQuery> = {}) {
  const found = await updates.poll({ ...NOW, ...query }, AbortSignal.abort());
  return found?.map(({ update_id, ...content }) => [update_id, ...Object.keys(content)]);
}

function withMessages(count: number): TelegramUpdates {
  const updates = openUpdates(1000);
  for (let i = 0; i < count; i += 1) updates.add('message', { text: String(i) });
  return updates;
}

test('counts a negative offset from the newest update, and forgets those before it', async () => {
  const updates = withMessages(5);

  expect(await read(updates, { offset: -2 })).toEqual([
    [4, 'message'],
    [5, 'message'],
  ]);
  expect(await read(updates)).toHaveLength(2);
});

test('gives the oldest updates up to the limit, and confirms none by that', async () => {
  const updates = withMessages(3);

  expect(await read(updates, { limit: 1 })).toEqual([[1, 'message']]);
  expect(await read(updates, { offset: 2, limit: 1 })).toEqual([[2, 'message']]);
  expect(await read(updates, { offset: 4 })).toEqual([]);
});

test('loses the kinds that were not allowed when they happened, until a call names them', async () => {
  const updates = openUpdates(1000);
  updates.add('chat_member', {});
  updates.add('message', {});
  expect(await read(updates, { allowed: ['chat_member'] })).toEqual([[1, 'message']]);

  updates.add('message', {});
  updates.add('chat_member', {});
  expect(await read(updates, { offset: 2 })).toEqual([[2, 'chat_member']]);
  updates.add('message', {});
  expect(await read(updates, { offset: 3, allowed: [] }), 'as in the former call').toEqual([]);

  updates.add('message', {});
  expect(await read(updates)).toEqual([[3, 'message']]);
});

test('stores the newest thousand', async () => {
  const updates = withMessages(1001);

  expect(await read(updates, { limit: 1 })).toEqual([[2, 'message']]);
  expect(await read(updates, { limit: 2000 })).toHaveLength(1000);
});

test('answers a long poll when the sandbox closes, and immediately when its client has disconnected', async () => {
  const updates = openUpdates(1000);
  const open = updates.poll({ ...NOW, timeoutMs: 50_000 }, new AbortController().signal);

  updates.close();

  expect(await open).toEqual([]);
  expect(await read(updates, { timeoutMs: 50_000 })).toEqual([]);
});

test('ends a long poll without an answer when its client disconnects', async () => {
  const client = new AbortController();
  const updates = openUpdates(1000);
  const open = updates.poll({ ...NOW, timeoutMs: 50_000 }, client.signal);

  client.abort();

  expect(await open).toEqual([]);
});

test('numbers updates after a restart above all before, so that the bot misses none', async () => {
  const before = openUpdates(5_000_000);
  before.add('message', {});
  const [[last = 0] = []] = (await read(before)) ?? [];

  const after = openUpdates(5_002_000);
  after.add('message', {});

  expect(await read(after, { offset: Number(last) + 1 })).toHaveLength(1);
});
