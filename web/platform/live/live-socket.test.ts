import { expect, test, vi } from 'vitest';
import { type FakeLive, fakeLive, heartbeat, snapshot, ticker } from '../testing/fake-live.ts';
import type { LiveEvent, LiveStatus } from './live-socket.ts';
import type { LiveChannel } from './live-subscriptions.ts';

const BTC = 'BTC-USD';

function watch(world: FakeLive, productId: string, channels: LiveChannel[]) {
  const events: LiveEvent[] = [];
  const statuses: LiveStatus[] = [];
  const onBreak = vi.fn();
  const stop = world.live.watch(productId, channels, {
    onEvent: (event) => events.push(event),
    onStatus: (status) => statuses.push(status),
    onBreak,
  });
  return { events, statuses, onBreak, stop, kinds: () => events.map(({ kind }) => kind), last: () => statuses.at(-1) };
}

/** One watcher of a product's ticker on an open connection. */
async function opened() {
  const world = fakeLive();
  const btc = watch(world, BTC, ['ticker']);
  world.connection().accept();
  await world.advance(0);
  return { world, btc };
}

const carrying = (...products: string[]) => ({
  type: 'subscriptions',
  channels: [{ name: 'ticker', product_ids: products }],
});

/** The server lives, and has nothing of its venue. */
async function unresponsiveVenue(world: FakeLive, ms: number): Promise<void> {
  for (let idleMs = 0; idleMs < ms; idleMs += 5000) {
    await world.advance(5000);
    world.connection().receive({ type: 'alive' });
  }
}

/** How often the page reports that the stream has failed. */
function errorsIn(statuses: readonly LiveStatus[]): number {
  return statuses.filter(({ isRetrying }, i) => isRetrying && !statuses[i - 1]?.isRetrying).length;
}

test('opens the one connection for the first watcher, and requests what many want once', async () => {
  const world = fakeLive();
  expect(world.connections).toHaveLength(0);

  watch(world, BTC, ['level2']);
  watch(world, BTC, ['ticker']);
  watch(world, 'ETH-USD', ['ticker']);
  world.connection().accept();
  await world.advance(0);

  expect(world.connections).toHaveLength(1);
  expect(world.connection().sent).toEqual([
    { type: 'subscribe', product_ids: [BTC], channels: ['level2', 'heartbeat', 'ticker'] },
    { type: 'subscribe', product_ids: ['ETH-USD'], channels: ['ticker', 'heartbeat'] },
  ]);
});

test('leaves a channel with its last watcher, and the connection some seconds after the last of all', async () => {
  const { world, btc } = await opened();
  const second = watch(world, BTC, ['ticker', 'level2']);
  await world.advance(0);
  world.connection().sent.length = 0;

  btc.stop();
  btc.stop();
  await world.advance(0);
  expect(world.connection().sent).toEqual([]);
  second.stop();
  await world.advance(4999);
  expect(world.connection().sent).toEqual([
    { type: 'unsubscribe', product_ids: [BTC], channels: ['ticker', 'heartbeat', 'level2'] },
  ]);
  expect(world.connection().isClosed).toBe(false);
  await world.advance(1);
  expect(world.connection().isClosed).toBe(true);
  await world.advance(60_000);
  expect(world.connections).toHaveLength(1);
});

test('keeps the connection open for a watcher who returns within those seconds', async () => {
  const { world, btc } = await opened();
  btc.stop();
  await world.advance(3000);

  watch(world, BTC, ['ticker']);
  await world.advance(10_000);

  expect(world.connections).toHaveLength(1);
  expect(world.connection().isClosed).toBe(false);
  expect(world.connection().sent.map(({ type }) => type)).toEqual(['subscribe', 'unsubscribe', 'subscribe']);
});

test('requests the snapshot again for a second reader of one book, and gives a second reader of a price the last one immediately', async () => {
  const { world } = await opened();
  watch(world, BTC, ['level2']);
  await world.advance(0);
  world.connection().receive(snapshot(BTC, 100, 2), ticker(BTC, '100'));
  world.connection().sent.length = 0;

  const second = watch(world, BTC, ['level2', 'ticker']);
  await world.advance(0);

  expect(second.kinds()).toEqual(['ticker']);
  expect(world.connection().sent).toEqual([
    { type: 'unsubscribe', product_ids: [BTC], channels: ['level2'] },
    { type: 'subscribe', product_ids: [BTC], channels: ['level2'] },
  ]);
});

test('gives each watcher its product and channels, and heartbeats', async () => {
  const { world, btc } = await opened();
  const eth = watch(world, 'ETH-USD', ['level2']);

  world.connection().receive(ticker(BTC, '1'), snapshot('ETH-USD', 100, 1), heartbeat(BTC), ticker('ETH-USD', '2'));

  expect(btc.kinds()).toEqual(['ticker', 'heartbeat']);
  expect(eth.kinds()).toEqual(['snapshot']);
});

test('counts broken frames, refusals and strangers, and changes nothing', async () => {
  const { world, btc } = await opened();

  for (const text of ['', '{', 'null', '[]', '{"type":7}', '<html></html>', '{"type":"ticker","product_id":"BTC-USD"}'])
    world.connection().receiveText(text);
  world
    .connection()
    .receive({ type: 'news' }, ticker('XRP-USD', '1'), { type: 'error', message: 'Failed to subscribe' });

  expect(btc.events).toEqual([]);
  expect(world.live.ignored()).toEqual({ badFrames: 7, strangers: 2, refusals: 1 });
  expect(world.connection().isClosed).toBe(false);
});

test('marks a product stale more than five seconds after its last heartbeat, whatever else arrives, and live with the next', async () => {
  const { world, btc } = await opened();
  expect(btc.last()).toEqual({ isRetrying: false, isStale: false, lastAliveAtMs: null });
  world.connection().receive(heartbeat(BTC));
  const lastAliveAtMs = world.nowMs();

  for (let s = 0; s < 5; s++) {
    await world.advance(1000);
    world.connection().receive(ticker(BTC, '1'), heartbeat('ETH-USD'));
  }
  expect(btc.last()?.isStale).toBe(false);
  await world.advance(1000);
  expect(btc.last()).toEqual({ isRetrying: false, isStale: true, lastAliveAtMs });

  world.connection().receive(heartbeat(BTC));
  expect(btc.last()?.isStale).toBe(false);
});

test('marks a product stale five seconds after its last sign of life on a heartbeat about a silent venue', async () => {
  const { world, btc } = await opened();
  world.connection().receive(heartbeat(BTC));
  const lastAliveAtMs = world.nowMs();

  for (let s = 1; s <= 5; s++) {
    await world.advance(1000);
    world.connection().receive({ ...heartbeat(BTC), silent_ms: s * 1000 });
  }
  expect(btc.last()?.isStale).toBe(false);
  await world.advance(1000);

  expect(btc.last()).toEqual({ isRetrying: false, isStale: true, lastAliveAtMs });
});

test('shows a picture that was old on arrival with its age, until the product’s next message', async () => {
  const world = fakeLive();
  const btc = watch(world, BTC, ['level2']);
  world.connection().accept();
  await world.advance(1000);

  world.connection().receive({ ...snapshot(BTC, 100, 1), age_ms: 20_000 });

  expect(btc.kinds()).toEqual(['snapshot']);
  expect(btc.last()).toMatchObject({ isStale: true, isRetrying: false });
  expect(world.nowMs() - (btc.last()?.lastAliveAtMs ?? 0)).toBe(20_000);
  world.connection().receive(heartbeat(BTC));
  expect(btc.last()).toMatchObject({ isStale: false });
  world.connection().receive({ ...snapshot(BTC, 100, 1), age_ms: 20_000 });
  expect(btc.last()).toMatchObject({ isStale: false });
});

test('replaces a connection without a frame for fifteen seconds, and subscribes to everything again', async () => {
  const { world, btc } = await opened();
  world.connection().receive(heartbeat(BTC));

  await world.advance(15_000);
  expect(world.connection().isClosed).toBe(false);
  await world.advance(1000);
  expect(world.connection().isClosed).toBe(true);
  expect(btc.onBreak).toHaveBeenCalledOnce();
  expect(btc.last()).toMatchObject({ isRetrying: true, isStale: true });

  await world.advance(1000);
  expect(world.connections).toHaveLength(2);
  world.connection().accept();
  expect(world.connection().sent).toEqual([
    { type: 'subscribe', product_ids: [BTC], channels: ['ticker', 'heartbeat'] },
  ]);
  expect(btc.last()?.isRetrying).toBe(false);
});

test('subscribes to each product separately, so that a refused one costs no other', async () => {
  const { world, btc } = await opened();
  watch(world, 'MSFT', ['ticker']);
  watch(world, 'DOGE-USD', ['ticker']);
  await world.advance(0);

  const refusal = { type: 'error', message: 'Failed to subscribe', reason: 'MSFT is not connected' };
  world.connection().receive(carrying(BTC), refusal);
  world.connection().receive(ticker(BTC, '1'));

  const requests = (products: string[]) => ({
    type: 'subscribe',
    product_ids: products,
    channels: ['ticker', 'heartbeat'],
  });
  expect(world.connection().sent).toEqual([requests([BTC]), requests(['MSFT']), requests(['DOGE-USD'])]);
  expect(btc.kinds()).toEqual(['ticker']);
  await world.advance(16_000);
  expect(world.connection().isClosed).toBe(true);
});

test('reports no error for a refused product, however long nothing arrives', async () => {
  const world = fakeLive();
  const msft = watch(world, 'MSFT', ['ticker']);
  world.connection().accept();
  await world.advance(0);
  world.connection().receive({ type: 'error', message: 'Failed to subscribe', reason: 'MSFT is not connected' });

  await unresponsiveVenue(world, 120_000);

  expect(world.connections).toHaveLength(1);
  expect(world.connection().isClosed).toBe(false);
  expect(msft.last()).toEqual({ isRetrying: false, isStale: false, lastAliveAtMs: null });
});

test('keeps its connection while the venue is silent, and reports one error until the venue sends again', async () => {
  const { world, btc } = await opened();
  world.connection().receive(carrying(BTC), heartbeat(BTC));
  const lastAliveAtMs = world.nowMs();

  await unresponsiveVenue(world, 15_000);
  expect(btc.last()).toEqual({ isRetrying: false, isStale: true, lastAliveAtMs });
  await unresponsiveVenue(world, 105_000);

  expect(world.connections).toHaveLength(1);
  expect(world.connection().isClosed).toBe(false);
  expect(btc.onBreak).not.toHaveBeenCalled();
  expect(btc.last()).toEqual({ isRetrying: true, isStale: true, lastAliveAtMs });
  world.connection().receive(heartbeat(BTC));
  expect(btc.last()).toMatchObject({ isRetrying: false, isStale: false });
  expect(errorsIn(btc.statuses)).toBe(1);
});

test('reports one error for a venue that has sent nothing since the page was opened', async () => {
  const { world, btc } = await opened();
  world.connection().receive(carrying(BTC));

  await unresponsiveVenue(world, 120_000);

  expect(world.connections).toHaveLength(1);
  expect(btc.last()).toEqual({ isRetrying: true, isStale: false, lastAliveAtMs: null });
  world.connection().receive(heartbeat(BTC));
  expect(errorsIn(btc.statuses)).toBe(1);
});

test('reports one error when its own connection dies while the venue is silent', async () => {
  const { world, btc } = await opened();
  world.connection().receive(carrying(BTC), heartbeat(BTC));
  await unresponsiveVenue(world, 20_000);

  world.connection().break();
  await world.advance(1000);
  world.connection().accept();
  world.connection().receive(carrying(BTC));
  await unresponsiveVenue(world, 20_000);

  expect(world.connections).toHaveLength(2);
  expect(errorsIn(btc.statuses)).toBe(1);
});

test('doubles the delays from one second to ten', async () => {
  const { world } = await opened();
  const delaysMs: number[] = [];

  for (let i = 0; i < 6; i++) {
    const before = world.connections.length;
    const lostAtMs = world.nowMs();
    world.connection().break();
    while (world.connections.length === before) await world.advance(100);
    delaysMs.push(world.nowMs() - lostAtMs);
  }

  expect(delaysMs).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test.each([
  [29_000, 4000],
  [30_000, 1000],
])('follows a connection that lived %i ms after two drops by another within %i ms', async (livedMs, delayMs) => {
  const { world } = await opened();
  for (const wait of [1000, 2000]) {
    world.connection().break();
    await world.advance(wait);
  }
  world.connection().accept();
  for (let lived = 0; lived < livedMs; lived += 1000) {
    world.connection().receive(heartbeat(BTC));
    await world.advance(1000);
  }

  world.connection().break();
  await world.advance(delayMs - 1);
  expect(world.connections).toHaveLength(3);
  await world.advance(1);

  expect(world.connections).toHaveLength(4);
});

test('ignores late messages of a dropped connection', async () => {
  const { world, btc } = await opened();
  const old = world.connection();
  old.break();
  await world.advance(1000);

  old.receive(ticker(BTC, '1'));
  old.break();

  expect(btc.events).toEqual([]);
  expect(world.connections).toHaveLength(2);
});

test('is stale at once and tries nothing without a network, and immediately with it', async () => {
  const { world, btc } = await opened();

  world.connection().receive(heartbeat(BTC));
  expect(btc.last()?.isStale).toBe(false);

  world.live.setOnline(false);
  expect(btc.last()).toMatchObject({ isRetrying: true, isStale: true });
  expect(btc.onBreak).toHaveBeenCalledOnce();
  await world.advance(60_000);
  expect(world.connections).toHaveLength(1);
  world.live.setOnline(true);

  expect(world.connections).toHaveLength(2);
});

test('pauses a hidden tab after a minute and a half and resumes it with a fresh snapshot when it is seen again', async () => {
  const world = fakeLive();
  const btc = watch(world, BTC, ['level2']);
  world.connection().accept();
  await world.advance(0);
  world.live.setHidden(true);
  for (let s = 0; s < 89; s++) {
    await world.advance(1000);
    world.connection().receive(heartbeat(BTC));
  }
  expect(world.connection().isClosed).toBe(false);

  await world.advance(1000);
  expect(world.connection().isClosed).toBe(true);
  expect(btc.onBreak).toHaveBeenCalledOnce();
  await world.advance(60_000);
  expect(world.connections).toHaveLength(1);
  world.live.setHidden(false);

  expect(world.connections).toHaveLength(2);
});

test('reports no error of the venue when a tab that was hidden for long is seen again', async () => {
  const { world, btc } = await opened();
  world.connection().receive(carrying(BTC), heartbeat(BTC));
  world.live.setHidden(true);
  for (let hiddenMs = 0; hiddenMs < 90_000; hiddenMs += 5000) {
    await world.advance(5000);
    world.connection().receive(heartbeat(BTC));
  }
  expect(world.connection().isClosed).toBe(true);
  await world.advance(300_000);
  btc.statuses.length = 0;

  world.live.setHidden(false);
  world.connection().accept();
  world.connection().receive(carrying(BTC));
  await world.advance(1000);
  world.connection().receive(heartbeat(BTC));

  expect(btc.last()).toMatchObject({ isRetrying: false, isStale: false });
  expect(errorsIn(btc.statuses)).toBe(0);
});

test('changes nothing for a tab that was hidden for a moment', async () => {
  const { world, btc } = await opened();

  world.live.setHidden(true);
  world.connection().receive(heartbeat(BTC));
  await world.advance(10_000);
  world.live.setHidden(false);

  expect(world.connections).toHaveLength(1);
  expect(btc.onBreak).not.toHaveBeenCalled();
});

const alive = (bookEveryMs?: number) => ({
  type: 'alive',
  time: '2026-01-01T00:00:00Z',
  ...(bookEveryMs === undefined ? {} : { book_every_ms: bookEveryMs }),
});

test('reports how often books are updated once each time it changes, and to a later watcher at first', async () => {
  const { world } = await opened();
  const [first, second] = [vi.fn(), vi.fn()];
  const watching = { onEvent: () => {}, onStatus: () => {} };
  world.live.watch(BTC, ['level2'], { ...watching, onBookPace: first });

  world.connection().receive(alive(), alive(1000), alive(1000), alive(200));
  world.live.watch('ETH-USD', ['level2'], { ...watching, onBookPace: second });
  world.connection().receive(alive(200), alive());

  expect(first.mock.calls.flat()).toEqual([null, 1000, 200, null]);
  expect(second.mock.calls.flat()).toEqual([200, null]);
});

test('forgets the pace of books once the connection breaks', async () => {
  const { world } = await opened();
  const onBookPace = vi.fn();
  world.live.watch(BTC, ['level2'], { onEvent: () => {}, onStatus: () => {}, onBookPace });
  world.connection().receive(alive(1000));

  world.connection().break();
  await world.advance(1000);
  world.connection().accept();

  expect(onBookPace.mock.calls.flat()).toEqual([null, 1000, null]);
});

test('requests a book again that was one too many, and reports until then that it retries', async () => {
  const { world } = await opened();
  const link = watch(world, 'LINK-USD', ['level2']);
  await world.advance(0);
  world.connection().sent.length = 0;
  world.connection().receive({
    type: 'error',
    message: 'Failed to subscribe',
    reason: 'LINK-USD is not connected, too many order books are open',
  });
  expect(link.last()).toMatchObject({ isRetrying: true });

  world.connection().receive({ type: 'alive' });
  await world.advance(10_000);
  world.connection().receive({ type: 'alive' });
  await world.advance(5000);
  expect(world.connection().sent).toEqual([
    { type: 'subscribe', product_ids: ['LINK-USD'], channels: ['level2', 'heartbeat'] },
  ]);
  world.connection().receive(carrying(BTC, 'LINK-USD'));
  world.connection().receive(heartbeat('LINK-USD'));
  await world.advance(1000);
  expect(link.last()).toMatchObject({ isRetrying: false });
});

test('does not request a product again that has no order book', async () => {
  const { world } = await opened();
  watch(world, 'GC1!', ['level2']);
  await world.advance(0);
  world.connection().sent.length = 0;
  world.connection().receive({ type: 'error', message: 'Failed to subscribe', reason: 'GC1! has no order book' });
  await world.advance(14_000);
  expect(world.connection().sent).toEqual([]);
});
