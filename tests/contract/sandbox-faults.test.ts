/** Fault injection in the sandbox market as readers meet it on the wire, and its control over HTTP. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Fault } from '../../sandbox/faults/faults.ts';
import {
  type SandboxMarket,
  type SandboxMarketOptions,
  startSandboxMarket,
} from '../../sandbox/market/sandbox-market.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { openRawSocket, type RawMessage, type RawSocket } from '../support/wire/raw-socket.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(options: Partial<SandboxMarketOptions> = {}) {
  const clock = movableClock();
  const base = { clock, dataDir: null, speed: 1, seed: 's', startMs: null };
  const sandbox = await startSandboxMarket({ ...base, ...options });
  undo.push(() => sandbox.close());
  return { sandbox, clock };
}

const klinesOf = (sandbox: SandboxMarket, symbol = 'BTCUSDT', init: RequestInit = {}): Promise<Response> =>
  fetch(`${sandbox.addresses.binance.restUrl}/fapi/v1/klines?symbol=${symbol}&interval=1m&limit=9`, init);
const onKlines = { part: 'rest', dialect: 'binance', path: '/fapi/v1/klines' } as const;

test('applies a fault only to its service, path and product', async () => {
  const { sandbox } = await start();
  sandbox.faults.add({ ...onKlines, product: 'ETHUSDT', what: 'status' });

  const refused = await klinesOf(sandbox, 'ETHUSDT');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([500, null]);
  expect((await klinesOf(sandbox, 'BTCUSDT')).status).toBe(200);
  expect((await fetch(`${sandbox.addresses.binance.restUrl}/fapi/v1/time`)).status).toBe(200);
  sandbox.faults.clear();
  expect((await klinesOf(sandbox, 'ETHUSDT')).status).toBe(200);
});

test('ends a fault after its time', async () => {
  const { sandbox } = await start();
  sandbox.faults.add({ ...onKlines, what: 'status', forMs: 600_000 });

  expect((await klinesOf(sandbox)).status).toBe(500);
  const endMs = performance.now() + 600_000;
  vi.spyOn(performance, 'now').mockImplementation(() => endMs);
  expect((await klinesOf(sandbox)).status).toBe(200);
  expect(sandbox.faults.list()).toEqual([]);
});

test('injects a page instead of JSON, half an answer, no answer and a cut connection', async () => {
  const { sandbox } = await start();
  const broken = async (what: 'html' | 'cut-off' | 'stall' | 'refusal', init: RequestInit = {}) => {
    sandbox.faults.add({ ...onKlines, what, count: 1 });
    return klinesOf(sandbox, 'BTCUSDT', init);
  };

  const page = await broken('html');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html;charset=UTF-8']);
  expect(await page.text()).toContain('<html>');
  await expect((await broken('cut-off')).json()).rejects.toThrow(SyntaxError);
  await expect(broken('stall', { signal: AbortSignal.timeout(150) })).rejects.toThrow(/timeout|aborted/);
  await expect(broken('refusal')).rejects.toThrow('fetch failed');
  expect((await klinesOf(sandbox)).status).toBe(200);
});

test('cuts an answer of lines off within a line, never after one', async () => {
  const { sandbox } = await start();
  const headers = { authorization: `Basic ${btoa('sandbox:')}` };
  const fixed = 'dataset=GLBX.MDP3&symbols=GC.v.0&stype_in=continuous&schema=ohlcv-1m&encoding=json';

  for (let minutes = 2; minutes <= 40; minutes += 2) {
    const start = new Date(Date.parse('2025-11-12T14:59:00Z') - minutes * 60_000).toISOString();
    const target = `/v0/timeseries.get_range?${fixed}&start=${start}&end=2025-11-12T14:59:00Z`;
    sandbox.faults.add({ part: 'rest', dialect: 'databento', what: 'cut-off', count: 1 });
    const answer = await fetch(sandbox.addresses.databento.restUrl + target, { headers });
    const lastLine = (await answer.text()).split('\n').at(-1) ?? '';

    expect(lastLine).toMatch(/^\{/);
    expect(() => JSON.parse(lastLine)).toThrow(SyntaxError);
  }
});

test('injects rows out of order and repeated rows', async () => {
  const { sandbox } = await start();
  const good: unknown[][] = await (await klinesOf(sandbox)).json();

  sandbox.faults.add({ ...onKlines, what: 'disorder' });
  const rows: unknown[][] = await (await klinesOf(sandbox)).json();

  const [first, second] = [good[0], good[1]];
  expect(rows.slice(0, 2)).toEqual([second, first]);
  expect(rows.slice(-2)).toEqual([first, second]);
  expect(rows).toHaveLength(11);
});

const aboutBtc = (message: RawMessage): boolean => message.type === 'l2update' && message.product_id === 'BTC-USD';

async function reading(
  products = ['BTC-USD'],
  channels = ['level2_batch', 'heartbeat'],
): Promise<Awaited<ReturnType<typeof start>> & { socket: RawSocket; step(): Promise<RawMessage> }> {
  const { sandbox, clock } = await start();
  const socket = await openRawSocket(sandbox.addresses.coinbase.wsUrl);
  undo.push(() => socket.end());
  socket.send({ type: 'subscribe', product_ids: products, channels });
  await socket.received((message) => message.type === 'snapshot');
  const step = (): Promise<RawMessage> => {
    const from = socket.messages.length;
    clock.ms += 3000;
    return socket.received(aboutBtc, from);
  };
  return { sandbox, clock, socket, step };
}

const onSocket = { part: 'stream', dialect: 'coinbase', product: 'BTC-USD', containing: 'l2update' } as const;
const changesOf = (message: RawMessage): unknown[][] => (Array.isArray(message.changes) ? message.changes : []);

test('injects a crossed book, bad levels, half a frame, an unknown product and wrong times', async () => {
  const { sandbox, clock, socket, step } = await reading();
  const snapshot = await socket.received((message) => message.type === 'snapshot');
  const bestAsk = Number(Array.isArray(snapshot.asks) ? snapshot.asks[0][0] : Number.NaN);

  sandbox.faults.add({ ...onSocket, what: 'crossed', count: 1 });
  const crossed = changesOf(await step()).at(-1);
  expect(crossed?.[0]).toBe('buy');
  expect(Number(crossed?.[1])).toBeGreaterThan(bestAsk - 200);

  sandbox.faults.add({ ...onSocket, what: 'values', value: 'negative', count: 1 });
  expect(JSON.stringify(changesOf(await step()))).toContain('"-');

  sandbox.faults.add({ part: 'stream', dialect: 'coinbase', what: 'skew', skewMs: 90_000 });
  expect(Date.parse(String((await step()).time)) - clock.ms).toBe(90_000);
  sandbox.faults.clear();
  expect(Date.parse(String((await step()).time))).toBe(clock.ms);

  const from = socket.messages.length;
  sandbox.faults.add({ ...onSocket, what: 'stranger', count: 1 });
  const own = await step();
  const stranger = await socket.received((message) => message.product_id === 'XYZ-ABC', from);
  expect(changesOf(stranger)).toEqual(changesOf(own));

  sandbox.faults.add({ ...onSocket, what: 'broken', count: 1 });
  clock.ms += 3000;
  await expect.poll(() => socket.broken.length).toBe(1);
  await step();
});

test('injects lost messages, and two in the wrong order', async () => {
  // A message that is held back follows the next one, which could be a heartbeat.
  const { sandbox, clock, socket, step } = await reading(['BTC-USD'], ['level2_batch']);

  sandbox.faults.add({ ...onSocket, what: 'gap', count: 2 });
  // What was sent before has arrived by then.
  expect(await socket.ping(WAIT_MS)).toBe(true);
  const from = socket.messages.length;
  for (let left = 1; left >= 0; left--) {
    clock.ms += 3000;
    await expect.poll(() => sandbox.faults.list().map((fault) => fault.count)).toEqual(left === 0 ? [] : [left]);
  }
  expect(socket.messages.slice(from).filter(aboutBtc)).toEqual([]);

  sandbox.faults.add({ ...onSocket, what: 'disorder', count: 1 });
  clock.ms += 3000;
  await expect.poll(() => sandbox.faults.list()).toEqual([]);
  const later = await step();
  const earlier = await socket.received((message) => aboutBtc(message) && message.time !== later.time, from);
  expect(Date.parse(String(earlier.time))).toBe(Date.parse(String(later.time)) - 3000);
  expect(socket.messages.indexOf(earlier)).toBeGreaterThan(socket.messages.indexOf(later));
});

test('injects silence with or without pongs, and recovers', async () => {
  const { sandbox, clock, socket, step } = await reading();

  sandbox.faults.add({ part: 'stream', dialect: 'coinbase', what: 'stall' });
  // Everything already in flight has arrived by then.
  expect(await socket.ping(300)).toBe(false);
  const from = socket.messages.length;
  clock.ms += 3000;
  expect(await socket.ping(1500)).toBe(false);
  sandbox.faults.clear();
  sandbox.faults.add({ part: 'stream', dialect: 'coinbase', what: 'stall', hasPongs: true });
  expect(await socket.ping(WAIT_MS)).toBe(true);
  expect(socket.messages.slice(from)).toEqual([]);

  sandbox.faults.clear();
  await step();
});

test('injects a refused subscription of one product, and a cut socket', async () => {
  const { sandbox, socket } = await reading();
  sandbox.faults.add({ part: 'stream', dialect: 'coinbase', what: 'refusal', product: 'ETH-USD' });

  socket.send({ type: 'subscribe', product_ids: ['ETH-USD'], channels: ['ticker'] });

  expect(await socket.received((message) => message.type === 'error')).toMatchObject({
    message: 'Failed to subscribe',
  });
  socket.send({ type: 'subscribe', product_ids: ['SOL-USD'], channels: ['ticker'] });
  await socket.received((message) => message.type === 'ticker' && message.product_id === 'SOL-USD');

  sandbox.faults.add({ part: 'stream', dialect: 'coinbase', what: 'close', count: 1 });

  await socket.closed;
});

test('sets, lists and clears faults over HTTP in a market with fault control', async () => {
  const { sandbox } = await start({ hasFaultControl: true });
  const url = sandbox.faultControlUrl ?? '';
  const fault: Fault = { ...onKlines, what: 'status', status: 503, count: 5 };
  const post = (body: unknown, type = 'application/json') =>
    fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': type } });

  const added = await post(fault);
  await klinesOf(sandbox);
  const listed = await fetch(url);
  const refused = await post({ ...fault, what: 'flood' });
  const two = await post([fault, { part: 'stream', dialect: 'coinbase', what: 'stall' }]);
  const ended = await fetch(url, { method: 'DELETE' });

  expect([added.status, await added.json()]).toEqual([200, { faults: [fault] }]);
  expect(await listed.json()).toEqual({ faults: [{ ...fault, count: 4 }] });
  expect([refused.status, await refused.json()]).toEqual([400, { error: expect.any(String) }]);
  expect((await two.json()).faults).toHaveLength(3);
  expect([ended.status, await ended.json()]).toEqual([200, { faults: [] }]);
  expect((await klinesOf(sandbox)).status).toBe(200);
  expect((await post(fault, 'text/plain')).status).toBe(415);
  expect((await post({ ...fault, path: 'x'.repeat(70_000) })).status).toBe(413);
  expect((await fetch(url, { method: 'PUT', body: '{}' })).status).toBe(405);
  expect(sandbox.faults.list()).toEqual([]);
});

test('offers no fault control by default', async () => {
  const { sandbox } = await start();

  const root = sandbox.addresses.binance.restUrl.replace(/binance$/, 'control/faults');

  expect(sandbox.faultControlUrl).toBeNull();
  expect((await fetch(root)).status).toBe(404);
});
