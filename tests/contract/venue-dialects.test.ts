/** What the sandbox sends in the protocols of Bybit and OKX, and how their connectors handle refusals and silence. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import * as z from 'zod/mini';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { systemClock } from '#domain/time/clock.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { bybitVenue } from '../../server/market/venues/bybit.ts';
import { okxVenue } from '../../server/market/venues/okx.ts';
import { openUpstreamSocket } from '../../server/market/venues/transport/upstream-socket.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const BTC = symbolNamed('BTC');
const COINS = SYMBOLS.filter(({ assetClass }) => assetClass === 'crypto').map(({ label }): string => label);
const OPEN_MS = Date.parse('2025-11-12T15:00:00Z');
const MINUTE_MS = 60_000;
const log = createLogger('silent');
const never = new AbortController().signal;
const clock = movableClock();
const opened = openedForTests(() => startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'd', startMs: null }));
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const rows = z.array(z.array(z.string()));
const okxAnswer = z.object({ data: rows });
const decimal = expect.stringMatching(/^\d+(\.\d+)?$/);
const fetchJson = async (url: string): Promise<unknown> => (await fetch(url)).json();
const minutesBack = (...minutes: number[]) => minutes.map((back) => String(OPEN_MS - back * MINUTE_MS));

describe('Bybit', () => {
  test('accepts subscriptions, answers pings, and refuses other topics and paths on the socket', async () => {
    const { wsUrl } = opened().addresses.bybit;
    const { received, send } = await talk(`${wsUrl}/v5/public/linear`);

    send('{"req_id":"7","op":"ping"}');
    send('{"op":"subscribe","args":["kline.1.MSFT"]}');
    send('{"op":');
    send('{"op":"subscribe","args":["kline.1.BTCUSDT"]}');

    await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(5));
    expect(received[0]).toMatchObject({ success: true, ret_msg: 'pong', op: 'ping', req_id: '7' });
    expect(received[1]).toMatchObject({ success: false });
    expect(received[2]).toMatchObject({ success: false });
    expect(received[3]).toMatchObject({ success: true, op: 'subscribe' });
    expect(received[4]).toMatchObject({
      topic: 'kline.1.BTCUSDT',
      type: 'snapshot',
      ts: clock.ms,
      data: [{ start: OPEN_MS, end: OPEN_MS + 59_999, interval: '1', open: decimal, confirm: false }],
    });
    await expect(talk(`${wsUrl}/v5/public/spot`)).rejects.toThrow('404');
  });
});

describe('OKX', () => {
  const candles = (query: string, path = 'candles') =>
    fetchJson(`${opened().addresses.okx.restUrl}/api/v5/market/${path}?instId=BTC-USDT-SWAP&bar=1m&${query}`);
  const starts = (answer: unknown) => okxAnswer.parse(answer).data.map(([start]) => start);

  test('returns bars beyond the newest 1,440 only at the history address', async () => {
    const query = `after=${OPEN_MS - 1437 * MINUTE_MS}&limit=5`;

    expect(starts(await candles(query))).toEqual(minutesBack(1438, 1439));
    expect(starts(await candles(query, 'history-candles'))).toEqual(minutesBack(1438, 1439, 1440, 1441, 1442));
    expect(starts(await candles('limit=1000'))).toHaveLength(300);
  });

  test('accepts subscriptions, answers a bare ping, and refuses other channels and paths on the socket', async () => {
    const { wsUrl } = opened().addresses.okx;
    const { received, send } = await talk(`${wsUrl}/ws/v5/business`);
    const args = [
      { channel: 'candle1m', instId: 'MSFT-USDT-SWAP' },
      { channel: 'candle1m', instId: 'BTC-USDT-SWAP' },
    ];

    send('ping');
    send('no json');
    send(JSON.stringify({ op: 'subscribe', args }));

    await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(5));
    expect(received[0]).toBe('pong');
    expect(received[1]).toMatchObject({ event: 'error', code: '60012' });
    expect(received[2]).toMatchObject({ event: 'error', code: '60018' });
    expect(received[3]).toMatchObject({ event: 'subscribe', arg: args[1] });
    expect(received[4]).toMatchObject({ arg: args[1], data: [[String(OPEN_MS), ...Array(7).fill(decimal), '0']] });
    await expect(talk(`${wsUrl}/ws/v5/public`)).rejects.toThrow('404');
  });
});

/** Everything that a socket sends, parsed when it is JSON. */
async function talk(url: string) {
  const socket = new WebSocket(url);
  const received: unknown[] = [];
  undo.push(() => socket.terminate());
  socket.on('message', (data) => received.push(String(data) === 'pong' ? 'pong' : JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { received, send: (text: string) => socket.send(text) };
}

const okJson = (body: object): Response => Response.json(body);
const tooMany = { code: 'venue/unavailable', details: { retryAfterS: 10 } };

test.each([
  ['Bybit, too many calls', bybitVenue, () => okJson({ retCode: 10006, retMsg: 'Too many visits!' }), tooMany],
  ['Bybit, too many of the address', bybitVenue, () => okJson({ retCode: 10018, retMsg: 'ip rate limit' }), tooMany],
  ['Bybit, a ban', bybitVenue, () => new Response('', { status: 403 }), { details: { retryAfterS: 600 } }],
  ['OKX, too many calls', okxVenue, () => okJson({ code: '50011', msg: 'Too Many Requests', data: [] }), tooMany],
])('delays the next callers without a call: %s', async (_what, open, refuse, expected) => {
  let calls = 0;
  const venue = open({
    restUrl: 'http://venue.test',
    wsUrl: 'ws://venue.test',
    symbols: SYMBOLS,
    clock: systemClock,
    log,
    fetch: async () => {
      calls += 1;
      return refuse();
    },
  });

  await expect(venue.candles(BTC, 10, never)).rejects.toMatchObject(expected);
  await expect(venue.candles(BTC, 10, never)).rejects.toMatchObject({ code: 'venue/unavailable' });

  expect(calls).toBe(1);
});

test.each([
  ['Bybit', 'bybit', bybitVenue, 'DOGEUSDT'],
  ['OKX', 'okx', okxVenue, 'DOGE-USDT-SWAP'],
] as const)(
  'streams all other symbols when %s refuses the stream of one symbol',
  async (_name, dialect, open, product) => {
    opened().faults.add({ part: 'stream', dialect, what: 'refusal', product });
    const venue = open({ ...opened().addresses[dialect], symbols: SYMBOLS, clock, log });
    const seen = new Set<string>();
    const stop = new AbortController();
    undo.push(() => {
      stop.abort();
      opened().faults.clear();
    });

    const others = COINS.filter((label) => label !== 'DOGE');
    for await (const { symbol } of venue.updates(SYMBOLS, stop.signal)) {
      if (seen.add(symbol.label).size === others.length) break;
    }

    expect(seen).toEqual(new Set(others));
  },
);

test('reads over a day of OKX in five pages, the last at the history address', async () => {
  const paths: string[] = [];
  const venue = okxVenue({
    ...opened().addresses.okx,
    symbols: SYMBOLS,
    clock,
    log,
    fetch: (input, init) => {
      paths.push(new URL(String(input)).pathname.split('/').at(-1) ?? '');
      return fetch(input, init);
    },
  });

  expect(await venue.candles(BTC, 1499, never)).toHaveLength(1499);
  expect(paths).toEqual(['time', 'candles', 'candles', 'candles', 'candles', 'history-candles']);
});

test('blocks no later call when OKX has removed an instrument', async () => {
  let calls = 0;
  const venue = okxVenue({
    restUrl: 'http://venue.test',
    wsUrl: 'ws://venue.test',
    symbols: SYMBOLS,
    clock: systemClock,
    log,
    fetch: async (input) => {
      calls += 1;
      const isTime = String(input).includes('/public/time');
      return okJson(isTime ? { code: '0', data: [{ ts: '1' }] } : { code: '51001', msg: 'deleted', data: [] });
    },
  });

  for (let i = 0; i < 5; i++) {
    await expect(venue.candles(BTC, 10, never)).rejects.toMatchObject({ details: { reason: 'code 51001 deleted' } });
  }

  expect(calls).toBe(10);
});

test('greets on every connection, sends its own pings, and reconnects when only pongs arrive', async () => {
  const received: string[][] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    const texts: string[] = [];
    received.push(texts);
    socket.on('message', (data) => {
      texts.push(String(data));
      if (String(data) === 'ping') socket.send('pong');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = new AbortController();
  undo.push(() => {
    stop.abort();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  const messages: string[] = [];

  openUpstreamSocket({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    signal: stop.signal,
    greeting: ['subscribe to this'],
    keepAlive: { text: 'ping', everyMs: 15, isAnswer: (text) => text === 'pong' },
    onMessage: (text) => messages.push(text),
    timing: { pingMs: 10, stuckMs: 120, retryMs: () => 10 },
  });

  const pings = (texts: string[]) => texts.filter((text) => text === 'ping').length;
  await vi.waitFor(() => {
    expect(received.length).toBeGreaterThanOrEqual(3);
    // A busy machine may be too late for the pings of one connection.
    expect(received.some((texts) => pings(texts) > 1)).toBe(true);
  });
  for (const [first = 'subscribe to this'] of received) expect(first).toBe('subscribe to this');
  expect(messages).toEqual([]);
});
