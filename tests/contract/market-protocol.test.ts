/** What the sandbox market sends, and how the connector handles a venue that misbehaves. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import type { Candle } from '#domain/market/candle.ts';
import { toKlineEvent, toKlineRow } from '#domain/market/codecs/binance-klines.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { systemClock } from '#domain/time/clock.ts';
import { type SandboxMarket, startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { binanceVenue } from '../../server/market/venues/binance.ts';
import { openUpstreamSocket } from '../../server/market/venues/transport/upstream-socket.ts';
import type { CandleUpdate } from '../../server/market/venues/venue.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { stillClock } from '../support/run/still-clock.ts';

const BTC = symbolNamed('BTC');
const log = createLogger('silent');
const NOON_S = Date.parse('2025-11-12T15:00:00Z') / 1000;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function startSandbox(): Promise<SandboxMarket> {
  const clock = movableClock();
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 's', startMs: null });
  undo.push(() => sandbox.close());
  return sandbox;
}

test('returns klines of twelve fields, prices as text, oldest first, the last one open', async () => {
  const { restUrl } = (await startSandbox()).addresses.binance;

  const response = await fetch(`${restUrl}/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=3`);
  const rows: unknown = await response.json();

  const text = expect.stringMatching(/^\d+(\.\d+)?$/);
  const row = (openS: number) => [
    ...[openS * 1000, text, text, text, text, text],
    ...[openS * 1000 + 59_999, text, expect.any(Number), text, text, '0'],
  ];
  expect(rows).toEqual([row(NOON_S - 120), row(NOON_S - 60), row(NOON_S)]);
});

test.each([
  ['start and end', `startTime=${(NOON_S - 600) * 1000}&endTime=${(NOON_S - 480) * 1000}`, [-600, -540, -480]],
  ['start and limit', `startTime=${(NOON_S - 600) * 1000 - 1}&limit=2`, [-600, -540]],
  ['end and limit', `endTime=${(NOON_S - 600) * 1000}&limit=2`, [-660, -600]],
  ['a time still to come', `startTime=${(NOON_S + 600) * 1000}`, []],
])('returns klines by %s', async (_what, query, expected) => {
  const { restUrl } = (await startSandbox()).addresses.binance;

  const response = await fetch(`${restUrl}/fapi/v1/klines?symbol=BTCUSDT&interval=1m&${query}`);
  const rows: unknown[][] = await response.json();

  expect(rows.map((row) => Number(row[0]) / 1000 - NOON_S)).toEqual(expected);
});

test('streams klines under both current paths, and none under the retired one', async () => {
  const { wsUrl } = (await startSandbox()).addresses.binance;
  const first = (path: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(wsUrl + path);
      undo.push(() => socket.terminate());
      socket.once('message', (data) => resolve(JSON.parse(String(data))));
      socket.once('error', reject);
    });

  const kline = { e: 'kline', s: 'ETHUSDT', k: { i: '1m', x: false, t: NOON_S * 1000 } };
  expect(await first('/market/ws/ethusdt@kline_1m')).toMatchObject(kline);
  expect(await first('/market/stream?streams=ethusdt@kline_1m')).toMatchObject({
    stream: 'ethusdt@kline_1m',
    data: kline,
  });
  await expect(first('/ws/ethusdt@kline_1m')).rejects.toThrow('404');
});

const aCandle = (time: number, close = 100.5): Candle => ({ time, open: 100, high: 101, low: 99, close, volume: 3 });

/** A venue that answers `rows`, and sends on each connection what `speak` sends. */
async function startVenue(rows: readonly unknown[], greet: (socket: WebSocket, connection: number) => void) {
  const server: Server = createServer((request, response) => {
    const isTime = request.url?.startsWith('/fapi/v1/time') ?? false;
    response.end(JSON.stringify(isTime ? { serverTime: NOON_S * 1000 } : rows));
  });
  const sockets = new WebSocketServer({ server, autoPong: false });
  let connections = 0;
  sockets.on('connection', (socket) => greet(socket, connections++));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const [restUrl, wsUrl] = [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`];
  const venue = binanceVenue({
    restUrl,
    wsUrl,
    symbols: [BTC],
    clock: systemClock,
    log,
    socketTiming: { retryMs: () => 10 },
  });
  return { venue, wsUrl, connections: () => connections };
}

test('drops malformed rows and the open candle, then sorts and deduplicates the rest', async () => {
  const rows = [
    toKlineRow(aCandle(NOON_S - 60)),
    ['NaN'],
    toKlineRow(aCandle(NOON_S - 180)),
    toKlineRow({ ...aCandle(NOON_S - 120), high: 1 }),
    toKlineRow(aCandle(NOON_S - 180)),
    toKlineRow(aCandle(NOON_S)),
  ];
  const { venue } = await startVenue(rows, () => {});

  const candles = await venue.candles(BTC, 6, new AbortController().signal);

  expect(candles.map((c) => c.time)).toEqual([NOON_S - 180, NOON_S - 60]);
  expect(venue.malformed).toBe(2);
});

test('ignores junk and other symbols on the stream, and reconnects after a cut', async () => {
  const send = (socket: WebSocket, closeS: number): void => {
    const event = (id: string) => JSON.stringify(toKlineEvent(id, aCandle(closeS), true, NOON_S * 1000));
    const broken = JSON.stringify(toKlineEvent('BTCUSDT', { ...aCandle(closeS), low: -1 }, true, NOON_S * 1000));
    for (const text of ['{', '[]', '{"result":null}', event('NONEUSDT'), broken, event('BTCUSDT')]) socket.send(text);
  };
  const { venue } = await startVenue([], (socket, connection) => {
    send(socket, NOON_S + connection * 60);
    setTimeout(() => socket.terminate(), 30);
  });
  const stop = new AbortController();
  undo.push(() => stop.abort());

  const seen: CandleUpdate[] = [];
  for await (const update of venue.updates([BTC], stop.signal)) {
    if (seen.push(update) === 3) break;
  }

  expect(seen.map((update) => update.candle.time)).toEqual([NOON_S, NOON_S + 60, NOON_S + 120]);
  expect(venue.malformed).toBe(6);
});

test('closes the connection for good when the reader stops reading updates', async () => {
  const closed: number[] = [];
  const { venue, connections } = await startVenue([], (socket, connection) => {
    socket.on('close', () => closed.push(connection));
    socket.send(JSON.stringify(toKlineEvent('BTCUSDT', aCandle(NOON_S), false, NOON_S * 1000)));
  });

  for await (const _update of venue.updates([BTC], new AbortController().signal)) break;

  await vi.waitFor(() => expect(closed).toEqual([0]));
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(connections()).toBe(1);
});

test('replaces a half-open connection', async () => {
  const { wsUrl, connections } = await startVenue([], () => {});
  const stop = new AbortController();
  undo.push(() => stop.abort());

  openUpstreamSocket({
    url: wsUrl,
    log,
    signal: stop.signal,
    onMessage: () => {},
    timing: { pingMs: 20, silenceMs: 60, retryMs: () => 10 },
  });

  await vi.waitFor(() => expect(connections()).toBeGreaterThanOrEqual(3));
});

test('increases the retry delay with each drop, and resets it only after a stable connection', async () => {
  const clock = stillClock();
  const lifeMs = [5, 5, 80, 5];
  const { wsUrl, connections } = await startVenue([], (socket, connection) => {
    const livedMs = lifeMs[connection];
    if (livedMs === undefined) return;
    setTimeout(() => {
      clock.advance(livedMs);
      socket.terminate();
    }, 5);
  });
  const stop = new AbortController();
  undo.push(() => stop.abort());
  const attempts: number[] = [];
  const retryMs = (attempt: number): number => {
    attempts.push(attempt);
    return 5;
  };

  openUpstreamSocket({
    url: wsUrl,
    log,
    signal: stop.signal,
    onMessage: () => {},
    timing: { stableMs: 80, retryMs },
  });

  await vi.waitFor(() => expect(connections()).toBe(5));
  expect(attempts).toEqual([0, 1, 0, 1]);
});
