/** What the Coinbase connector makes of a venue that misbehaves. */
import { afterEach, expect, test, vi } from 'vitest';
import {
  ASKS,
  BIDS,
  connectionOf,
  greetSoundly,
  someChecks,
  sound,
  startSource,
} from './support/market/book-source.ts';
import { EXCHANGE } from './support/market/fake-venue.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

test('builds a book of a snapshot and its updates; the last of two changes at one price counts', async () => {
  const world = await startSource(undo);
  await sound(world);

  connectionOf(world).send(
    EXCHANGE.update('BTC-USD', [
      ['buy', '100.5', '3'],
      ['buy', '99', '0.000'],
      ['sell', '101', '4'],
      ['sell', '101', '5'],
      ['sell', '77', '0'],
    ]),
  );

  await vi.waitFor(() => expect(world.prices('bid')).toEqual([100.5, 100]));
  expect(world.books.product('BTC-USD')?.soundBook?.top('ask', 1)).toEqual([{ price: 101, size: 5 }]);
  expect(world.prices('bid', 'ETH-USD')).toEqual([100, 99]);
  expect(world.books.product('BTC-USD')?.isFresh).toBe(true);
  expect(world.books.product('NONE-USD')).toBeNull();
});

test('ignores updates before the snapshot, strangers and other products', async () => {
  const world = await startSource(undo, {
    greet(connection) {
      connection.send(EXCHANGE.update('BTC-USD', [['buy', '500', '1']]));
      connection.send(EXCHANGE.snapshot('NONE-USD', BIDS, ASKS), EXCHANGE.update('NONE-USD', [['buy', '1', '1']]));
      connection.send(EXCHANGE.ticker('NONE-USD', '1', '2'), EXCHANGE.heartbeat('NONE-USD'));
      connection.send({ type: 'status', x: 1 });
      greetSoundly(connection);
    },
  });

  await sound(world);

  expect(world.prices('bid')).toEqual([100, 99]);
  expect(world.books.counters()).toMatchObject({ malformed: 0, gaps: 0, connections: 1 });
});

test('refuses and counts bad levels one by one, and keeps the rest of the batch', async () => {
  const world = await startSource(undo);
  await sound(world);
  const bad = ['', 'NaN', '-1', '1e400', null, {}, [], true, '9'.repeat(50)];

  connectionOf(world).send(
    EXCHANGE.update('BTC-USD', [
      ...bad.map((price) => ['buy', price, '1'] as const),
      ...bad.map((size) => ['sell', '103', size] as const),
      ['buy', '98', '1'],
    ]),
  );
  connectionOf(world).send(
    EXCHANGE.snapshot('ETH-USD', [...bad.map((price) => [price, '1']), ...bad, ['5', '1']], ASKS),
  );

  await vi.waitFor(() => expect(world.prices('bid')).toEqual([100, 99, 98]));
  await vi.waitFor(() => expect(world.prices('bid', 'ETH-USD')).toEqual([5]));
  expect(world.prices('ask')).toEqual([101, 102]);
  expect(world.books.counters().malformed).toBe(4 * bad.length);
  expect(world.connections).toHaveLength(1);
});

test('withholds a crossed or locked book immediately, and requests it after a second on a new connection', async () => {
  const world = await startSource(undo, { timing: { crossedMs: 150 } });
  await sound(world);

  connectionOf(world).send(EXCHANGE.update('BTC-USD', [['buy', '101', '1']]));
  await vi.waitFor(() => expect(world.prices('bid')).toBeNull());
  expect(world.books.product('BTC-USD')?.isFresh).toBe(false);
  expect(world.books.product('ETH-USD')?.isFresh).toBe(true);
  world.clock.advance(151);

  await vi.waitFor(() => expect(world.connections).toHaveLength(2));
  await vi.waitFor(() => expect(world.prices('bid')).toEqual([100, 99]));
  expect(connectionOf(world).isOpen()).toBe(false);
  expect(world.books.counters()).toMatchObject({ crossed: 1, connections: 2 });
});

test('restores what was lost below the best price with the next renewal', async () => {
  const world = await startSource(undo, {
    timing: { renewMs: 150 },
    greet(connection) {
      const bids = connection.index === 0 ? BIDS : [...BIDS, ['98', '5']];
      connection.send(EXCHANGE.snapshot('BTC-USD', bids, ASKS), EXCHANGE.snapshot('ETH-USD', BIDS, ASKS));
      connection.send(EXCHANGE.heartbeat('BTC-USD'), EXCHANGE.heartbeat('ETH-USD'));
    },
  });
  await sound(world);
  expect(world.prices('bid')).toEqual([100, 99]);

  world.clock.advance(166);
  await vi.waitFor(() => expect(world.prices('bid')).toEqual([100, 99, 98]));

  expect(world.books.counters()).toMatchObject({ crossed: 0, disagreed: 0, unresponsive: 0, missing: 0, renewed: 1 });
  expect(connectionOf(world).isOpen()).toBe(false);
});

test('marks a product stale without heartbeats, and gives up its connection when the silence lasts', async () => {
  const world = await startSource(undo, { timing: { staleMs: 100, unresponsiveMs: 300 } });
  await sound(world);
  expect(world.books.product('BTC-USD')?.isFresh).toBe(true);
  const talking = setInterval(() => connectionOf(world).send(EXCHANGE.update('BTC-USD', [['buy', '90', '1']])), 20);
  undo.push(() => clearInterval(talking));

  world.clock.advance(101);
  expect(world.books.product('BTC-USD')?.isFresh).toBe(false);
  await vi.waitFor(() => expect(world.prices('bid')).toContain(90));

  world.clock.advance(200);
  await vi.waitFor(() => expect(world.connections).toHaveLength(2));
  expect(world.books.counters().unresponsive).toBe(1);
});

test('replaces a connection that is only half there', async () => {
  const world = await startSource(undo, {
    autoPong: false,
    socketTiming: { pingMs: 20, silenceMs: 80, stuckMs: 100_000 },
  });
  const passing = setInterval(() => world.clock.advance(20), 20);
  undo.push(() => clearInterval(passing));

  await vi.waitFor(() => expect(world.connections.length).toBeGreaterThanOrEqual(3));
});

test('does not reconnect another product for one that never comes', async () => {
  const world = await startSource(undo, {
    timing: { missingMs: 60 },
    greet(connection) {
      connection.send(EXCHANGE.snapshot('BTC-USD', BIDS, ASKS));
    },
  });
  const heartbeats = setInterval(() => world.connections.at(-1)?.send(EXCHANGE.heartbeat('BTC-USD')), 20);
  undo.push(() => clearInterval(heartbeats));

  // Each time with twice the patience.
  for (const [before, limitMs] of [60, 120, 240, 480].entries()) {
    await vi.waitFor(() => expect(world.connections).toHaveLength(before + 1));
    await vi.waitFor(() => expect(world.prices('bid')).toEqual([100, 99]));
    world.clock.advance(limitMs);
    await someChecks();
    expect(world.books.counters().missing).toBe(before);
    world.clock.advance(1);
    await vi.waitFor(() => expect(world.books.counters().missing).toBe(before + 1));
  }
});

test('takes a snapshot of several megabytes whole', async () => {
  const rows = (from: number, step: number) =>
    Array.from({ length: 40_000 }, (_, i) => [(from + i * step).toFixed(2), '0.12345678']);
  const world = await startSource(undo, {
    greet: (connection) => connection.send(EXCHANGE.snapshot('BTC-USD', rows(90_000, -1), rows(90_001, 1))),
  });

  await vi.waitFor(() => expect(world.books.product('BTC-USD')?.soundBook?.levelCount('ask')).toBe(40_000));
  expect(world.connections).toHaveLength(1);
});

test('tries a gateway again that answers with a web page', async () => {
  const world = await startSource(undo, { refuseFirst: 3 });

  await sound(world);

  expect(world.retries).toEqual([0, 1, 2]);
});

test('throws on no junk, and ends at the end', async () => {
  const world = await startSource(undo);
  await sound(world);
  const junk = ['', '{', 'null', '[]', '7', '"x"', '{"type":7}', '{"type":"l2update","product_id":"BTC-USD"}'];

  connectionOf(world).send(...junk, '<html>502</html>', '{"channel":"l2_data","events":{}}');
  await vi.waitFor(() => expect(world.books.counters().malformed).toBeGreaterThan(6));
  expect(world.prices('bid')).toEqual([100, 99]);

  world.stop.abort();
  await vi.waitFor(() => expect(connectionOf(world).isOpen()).toBe(false));
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(world.connections).toHaveLength(1);
});

test('asks for the open channels of all products in one request', async () => {
  const world = await startSource(undo);
  await vi.waitFor(() => expect(world.connections[0]?.received).toHaveLength(1));

  expect(world.connections[0]?.received[0]).toEqual({
    type: 'subscribe',
    product_ids: ['BTC-USD', 'ETH-USD'],
    channels: ['level2_batch', 'ticker', 'heartbeat'],
  });
});
