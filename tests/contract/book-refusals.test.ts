/** What the Coinbase connector makes of a venue that says no. */
import { afterEach, expect, test, vi } from 'vitest';
import { answersUnless, connectionOf, sound, startSource } from './support/market/book-source.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

test('requests again on a new connection, ever less often, from a venue that refuses everything', async () => {
  const monotonicMs = performance.now.bind(performance);
  const openedAtMs: number[] = [];
  const world = await startSource(undo, {
    greet: () => openedAtMs.push(monotonicMs()),
    answer: answersUnless(() => true),
  });

  await vi.waitFor(() => expect(openedAtMs).toHaveLength(3));

  const [first = 0, second = 0, third = 0] = openedAtMs;
  expect(second - first).toBeGreaterThan(250);
  expect(third - second).toBeGreaterThan(550);
  // Each alone too, before it is given up.
  const alone = connectionOf(world).received.filter(({ product_ids: ids }) => ids.length === 1);
  expect(alone.map(({ product_ids: [id] }) => id)).toEqual(expect.arrayContaining(['BTC-USD', 'ETH-USD']));
});

test('loses only the refused product, and has it once the venue has it again', async () => {
  let isDelisted = true;
  const world = await startSource(undo, {
    timing: { missingMs: 200 },
    answer: answersUnless((id) => id === 'BTC-USD' && isDelisted),
  });

  await sound(world);
  const { connections } = world.books.counters();
  const atFirst = connectionOf(world).received.length;
  world.clock.advance(300);
  await vi.waitFor(() => expect(connectionOf(world).received.length).toBeGreaterThan(atFirst));
  expect(world.prices('bid')).toBeNull();
  expect(world.books.product('BTC-USD')?.isFresh).toBe(false);
  isDelisted = false;
  world.clock.advance(600);

  await vi.waitFor(() => expect(world.prices('bid')).toEqual([100, 99]));
  expect(world.books.counters()).toMatchObject({ connections, missing: 0 });
  expect(connections).toBe(1);
});

test('leaves a refused product out of the next connection’s first request', async () => {
  const world = await startSource(undo, {
    timing: { refusedMs: 5000 },
    answer: answersUnless((id) => id === 'BTC-USD'),
  });
  await sound(world);
  connectionOf(world).cut();

  await vi.waitFor(() => expect(world.connections).toHaveLength(2));
  await sound(world);

  expect(new Set(connectionOf(world, 1).received.flatMap((request) => request.product_ids))).toEqual(
    new Set(['ETH-USD']),
  );
});

test('brings the others in the end from a venue that ends the connection with each refusal', async () => {
  const refuseAndCut = answersUnless((id) => id === 'BTC-USD');
  const world = await startSource(undo, {
    timing: { refusedMs: 5000 },
    answer(connection, request) {
      refuseAndCut(connection, request);
      if (request.product_ids.includes('BTC-USD')) setTimeout(() => connection.cut(), 10);
    },
  });

  await sound(world);

  expect(world.prices('bid')).toBeNull();
  expect(world.connections.length).toBeLessThan(5);
});

test('keeps a connection that serves after a refusal of something else', async () => {
  const world = await startSource(undo);
  await sound(world);

  connectionOf(world).send({ type: 'error', message: 'too many requests' });

  await vi.waitFor(() => expect(world.books.counters().refusals).toBe(1));
  expect(world.prices('bid')).toEqual([100, 99]);
  expect(connectionOf(world).isOpen()).toBe(true);
});
