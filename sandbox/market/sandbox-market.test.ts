/** Tests how the streams of Binance and Alpaca answer their readers, and the server that all services share. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { openedForTests } from '../../tests/support/run/opened-for-tests.ts';
import { startSandboxMarket } from './sandbox-market.ts';

const OPEN_MS = Date.parse('2025-11-12T15:30:20Z');
const clock = { ms: OPEN_MS, nowMs: () => clock.ms };
const opened = openedForTests(() =>
  startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'streams', startMs: null }),
);

const sockets: WebSocket[] = [];
beforeEach(() => {
  clock.ms = OPEN_MS;
});
afterEach(async () => {
  opened().faults.clear();
  // A service forgets its reader once the connection has closed.
  await Promise.all(
    sockets.splice(0).map((socket) => {
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.terminate();
      return closed;
    }),
  );
});

interface Kline {
  e: 'kline';
  s: string;
  k: { t: number; x: boolean };
}

const isKline = (message: object): message is Kline => 'e' in message && message.e === 'kline';

/** Klines come at any time, so they have a list apart from the replies. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  const replies: object[] = [];
  const klines: Kline[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    const message: object = JSON.parse(String(data));
    if (isKline(message)) klines.push(message);
    else replies.push(message);
    wake();
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  sockets.push(socket);
  async function until<Found>(find: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const next = () => until(() => replies.shift());
  return {
    next,
    until,
    klines,
    request(message: object | string) {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
      return next();
    },
  };
}

test('sends klines of Binance that a reader subscribed to, and no others', async () => {
  const { request, until, klines } = await connect(`${opened().addresses.binance.wsUrl}/market/ws`);
  const streams = (method: string, names: string[], id?: unknown) =>
    request({ method, params: names.map((name) => `${name}@kline_1m`), id });

  expect(await streams('SUBSCRIBE', ['btcusdt', 'ethusdt'], 7)).toEqual({ result: null, id: 7 });
  expect(await streams('UNSUBSCRIBE', ['btcusdt'], 'a')).toEqual({ result: null, id: 'a' });
  expect(await streams('UNSUBSCRIBE', ['dogeusdt'])).toEqual({ result: null, id: null });
  klines.length = 0;
  clock.ms += 60_000;

  const opensMs = Date.parse('2025-11-12T15:30:00Z');
  expect(await until(() => klines.find(({ k }) => k.x))).toMatchObject({ s: 'ETHUSDT', k: { t: opensMs } });
  expect(await until(() => klines.find(({ k }) => k.t > opensMs))).toMatchObject({ s: 'ETHUSDT', k: { x: false } });
  expect(klines.filter(({ s }) => s !== 'ETHUSDT')).toEqual([]);
});

test('refuses a request to Binance that is no JSON, or of an unknown method', async () => {
  const { request } = await connect(`${opened().addresses.binance.wsUrl}/market/stream`);

  expect(await request('{')).toEqual({
    error: { code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' },
  });
  expect(await request({ method: 'COMBINE', params: [] })).toEqual({
    error: { code: 2, msg: 'Invalid request: unknown variant' },
  });
});

const KEY = { key: 'sandbox', secret: 'sandbox' };
const alpaca = () => connect(`${opened().addresses.alpaca.wsUrl}/v2/iex`);
const error = (code: number, msg: string) => [{ T: 'error', code, msg }];

test('greets a reader of Alpaca, and takes its subscriptions once it has authenticated', async () => {
  const { request, next } = await alpaca();
  const bars = (action: string, symbols: string[]) => request({ action, bars: symbols });

  expect(await next()).toEqual([{ T: 'success', msg: 'connected' }]);
  expect(await bars('subscribe', ['MSFT'])).toEqual(error(401, 'not authenticated'));
  expect(await request({ action: 'auth', ...KEY, secret: 'other' })).toEqual(error(402, 'auth failed'));
  expect(await request({ action: 'auth' })).toEqual(error(402, 'auth failed'));
  expect(await request({ action: 'auth', ...KEY })).toEqual([{ T: 'success', msg: 'authenticated' }]);
  expect(await request({ action: 'auth', ...KEY })).toEqual(error(403, 'already authenticated'));
  expect(await bars('subscribe', ['MSFT', 'NONE', 'AAPL'])).toMatchObject([
    { T: 'subscription', trades: [], bars: ['MSFT', 'AAPL'] },
  ]);
  expect(await bars('unsubscribe', ['MSFT'])).toMatchObject([{ bars: ['AAPL'] }]);
  expect(await request({ action: 'subscribe' })).toMatchObject([{ bars: ['AAPL'] }]);
  for (const invalid of ['auth', { action: 'listen' }])
    expect(await request(invalid)).toEqual(error(400, 'invalid syntax'));
});

test('allows Alpaca’s key one connection, and a refused symbol none', async () => {
  const [first, second] = [await alpaca(), await alpaca()];
  await Promise.all([first.next(), second.next()]);

  expect(await first.request({ action: 'auth', ...KEY })).toMatchObject([{ T: 'success' }]);
  expect(await second.request({ action: 'auth', ...KEY })).toEqual(error(406, 'connection limit exceeded'));
  opened().faults.add({ part: 'stream', dialect: 'alpaca', what: 'refusal', product: 'TSLA' });
  expect(await first.request({ action: 'subscribe', bars: ['TSLA'] })).toEqual(error(405, 'symbol limit exceeded'));
});

test.each(['/alpaca/v2/sip', '/binance/ws', '/databento/live', '/nobody'])('accepts no stream at %s', async (path) => {
  const base = opened().addresses.databento.restUrl.replace('http:', 'ws:').replace('/databento', '');

  await expect(connect(base + path)).rejects.toThrow('Unexpected server response: 404');
});

test('answers only calls that read, and only for a service that it knows', async () => {
  const { restUrl } = opened().addresses.binance;
  const statusOf = async (url: string, method = 'GET') => (await fetch(url, { method })).status;

  expect(await statusOf(`${restUrl}/fapi/v1/ping`, 'POST')).toBe(405);
  expect(await statusOf(restUrl.replace('binance', 'nobody'))).toBe(404);
  expect(await statusOf(restUrl)).toBe(404);
  expect(opened().faultControlUrl).toBeNull();
  expect(await statusOf(restUrl.replace('binance', 'control/faults'))).toBe(404);
});

test('knows its own symbols, under their dollar names too, and no others', () => {
  expect([opened().kindOf('BTCUSDT.P'), opened().kindOf('BTCUSD')]).toEqual(['simulated', 'simulated']);
  expect(opened().sourceTimeOf('MSFT', OPEN_MS / 1000)).toBeNull();
  expect(() => opened().kindOf('NONE')).toThrow('The sandbox market has no symbol NONE.');
});
