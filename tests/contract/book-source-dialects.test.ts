/** What only one of Coinbase's two dialects has: numbered messages, signed subscriptions. */
import { createHmac } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { answersUnless, connectionOf, sound, startSource } from './support/market/book-source.ts';
import { ADVANCED, EXCHANGE } from './support/market/fake-venue.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

test('a missing number drops the books at once and brings a new connection', async () => {
  const world = await startSource(undo, ADVANCED);
  await sound(world);

  connectionOf(world).skip();
  connectionOf(world).say(ADVANCED.update('BTC-USD', [['buy', '100.5', '1']]));

  await vi.waitFor(() => expect(world.books.counters().gaps).toBe(1), WAIT_MS);
  await vi.waitFor(() => expect(world.connections).toHaveLength(2), 5000);
  await sound(world);
  expect(world.prices('bid')).toEqual([100, 99]);
});

test('a message that comes twice is a gap too, and a frame that cannot be read leaves one', async () => {
  const world = await startSource(undo, ADVANCED);
  await sound(world);

  connectionOf(world).say(JSON.stringify({ ...ADVANCED.heartbeat(''), sequence_num: 0 }));
  await vi.waitFor(() => expect(world.books.counters().gaps).toBe(1), WAIT_MS);
  await vi.waitFor(() => expect(world.connections).toHaveLength(2), 5000);
  await sound(world);

  connectionOf(world, 1).say('{"channel":"l2_da');
  connectionOf(world, 1).skip();
  connectionOf(world, 1).say(ADVANCED.heartbeat(''));
  await vi.waitFor(() => expect(world.books.counters()).toMatchObject({ gaps: 2, malformed: 1 }), WAIT_MS);
});

test('without keys the open channels are asked for; with keys level2, signed as the venue wants it', async () => {
  const open = await startSource(undo, EXCHANGE);
  await vi.waitFor(() => expect(open.connections[0]?.heard).toHaveLength(1), WAIT_MS);
  const secret = Buffer.from('a secret').toString('base64');
  const signed = await startSource(undo, EXCHANGE, { keys: { key: 'k', secret, passphrase: 'p' } });
  await vi.waitFor(() => expect(signed.connections[0]?.heard).toHaveLength(1), WAIT_MS);

  const products = ['BTC-USD', 'ETH-USD'];
  expect(open.connections[0]?.heard[0]).toEqual({
    type: 'subscribe',
    product_ids: products,
    channels: ['level2_batch', 'ticker', 'heartbeat'],
  });
  const heard = signed.connections[0]?.heard[0];
  expect(heard).toMatchObject({
    product_ids: products,
    channels: ['level2', 'ticker', 'heartbeat'],
    key: 'k',
    passphrase: 'p',
  });
  const { timestamp, signature } = heard ?? {};
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30);
  expect(signature).toBe(createHmac('sha256', 'a secret').update(`${timestamp}GET/users/self/verify`).digest('base64'));
});

const KEYS = { key: 'k', secret: 'c2VjcmV0', passphrase: 'p' };

test('keys that the venue refuses give way to the open channel at once, and are tried again much later', async () => {
  const isGood = { key: false };
  const accept = answersUnless(EXCHANGE, () => false);
  const world = await startSource(undo, EXCHANGE, {
    keys: KEYS,
    keysAgainMs: 300,
    answer(connection, request) {
      if (request.key === undefined || isGood.key) accept(connection, request);
      else connection.say({ type: 'error', message: 'Authentication Failed' });
    },
  });

  await sound(world);
  const channels = (index: number) => connectionOf(world, index).heard.map((request) => request.channels?.[0]);
  expect(channels(0)).toEqual(['level2', 'level2_batch']);
  connectionOf(world).cut();
  await vi.waitFor(() => expect(world.connections[1]?.heard.length).toBeGreaterThan(0), 5000);
  expect(channels(1)).toEqual(['level2_batch']);
  isGood.key = true;
  await new Promise((resolve) => setTimeout(resolve, 350));
  connectionOf(world, 1).cut();

  await vi.waitFor(() => expect(world.connections[2]?.heard.length).toBeGreaterThan(0), 5000);
  expect(channels(2)).toEqual(['level2']);
  await sound(world);
});

test('a refusal that has nothing to do with the keys leaves them in use', async () => {
  let isBusy = true;
  const accept = answersUnless(EXCHANGE, () => false);
  const world = await startSource(undo, EXCHANGE, {
    keys: KEYS,
    answer(connection, request) {
      if (!isBusy) accept(connection, request);
      else connection.say({ type: 'error', message: 'Failed to subscribe', reason: 'too many requests' });
    },
  });
  await vi.waitFor(() => expect(world.books.counters().refusals).toBeGreaterThan(0), 5000);
  isBusy = false;

  await sound(world);

  const asked = world.connections.flatMap(({ heard }) => heard.map((request) => request.channels?.[0]));
  expect(new Set(asked)).toEqual(new Set(['level2']));
});
