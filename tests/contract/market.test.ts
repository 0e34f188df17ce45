/** Sandbox market, connector and history together, over real HTTP and WebSocket. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { aggregateCandles } from '#domain/market/bars.ts';
import { isOpen } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, candleColumnsSchema, fromColumns, isWellFormed } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { marketRoutes } from '../../server/market/candles/history-routes.ts';
import { probeVenues } from '../../server/market/venues/probe-venue.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { writeMarketData } from '../support/market/market-data.ts';
import { type MarketStack, startMarketStack } from '../support/market/market-stack.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';

const BTC = symbolNamed('BTC');
const ETH = symbolNamed('ETH');
const MINUTE_MS = 60_000;
const MODELS_DIR = join(import.meta.dirname, '../../models');
const never = new AbortController().signal;

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** The shipped models never change, and opening them takes longer than most of these tests. */
const runner = inProcessRunner();
let registryOfFile: Promise<ModelRegistry> | undefined;
afterAll(() => runner.close());

async function start(...options: Parameters<typeof startMarketStack>): Promise<MarketStack> {
  const stack = await startMarketStack(...options);
  undo.push(() => stack.close());
  return stack;
}

async function tempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'kat-market-'));
  undo.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const closedBefore = (ms: number, barS = 60): number => Math.floor(ms / 1000 / barS) * barS - barS;
const lastOf = async (stack: MarketStack, symbol = BTC): Promise<Candle | undefined> =>
  (await stack.history.latest(symbol, 450, never)).candles.at(-1);

/** Waits for the first message on the connector's socket; from then on a new minute needs no REST call. */
async function untilStreaming(stack: MarketStack): Promise<void> {
  await stack.history.latest(BTC, 1, never);
  const calls = stack.calls.length;
  await vi.waitFor(async () => {
    stack.clock.ms += MINUTE_MS;
    await new Promise((resolve) => setTimeout(resolve, 250));
    const before = stack.calls.length;
    expect((await lastOf(stack))?.time).toBe(closedBefore(stack.clock.ms));
    expect(stack.calls.length).toBe(before);
  });
  expect(stack.calls.length).toBeGreaterThanOrEqual(calls);
}

test('returns 450 closed, well-formed, ordered candles within trading hours for every symbol', async () => {
  const stack = await start();

  for (const symbol of SYMBOLS) {
    const slice = await stack.history.latest(symbol, 450, never);
    const { candles } = slice;

    expect(candles).toHaveLength(450);
    expect(candles.every(isWellFormed)).toBe(true);
    expect(candles.every((c, i) => i === 0 || c.time > (candles[i - 1]?.time ?? 0))).toBe(true);
    expect(candles.every((c) => isOpen(symbol.hours, c.time))).toBe(true);
    expect(candles.at(-1)?.time).toBe(closedBefore(slice.nowMs));
    expect(slice).toMatchObject({ isOpen: true, isStale: false, venueId: 'sandbox', attribution: 'Sandbox market' });
    expect(stack.clock.ms - slice.nowMs).toBeLessThan(MINUTE_MS);
  }
});

test.each(['5min', '15min'] as const)(
  'returns bars of %s from every venue, each the sum of its minutes',
  async (timeframe) => {
    for (const venueId of ['binance', 'bybit', 'okx'] as const) {
      const stack = await start({}, { venueOrder: [venueId, 'alpaca', 'databento'] });
      for (const symbol of venueId === 'binance' ? SYMBOLS : [BTC]) {
        const minutes = await stack.history.latest(symbol, 1499, never);
        const { candles, isStale, nowMs } = await stack.history.latest(symbol, 450, never, timeframe);

        expect([symbol.label, candles.length, isStale]).toEqual([symbol.label, 450, false]);
        expect(candles.every(isWellFormed)).toBe(true);
        expect(candles.at(-1)?.time).toBe(closedBefore(nowMs, barSecondsOf(timeframe)));
        const summed = aggregateCandles(minutes.candles, timeframe).filter(({ time }) => isOpen(symbol.hours, time));
        expect(candles.slice(-summed.length)).toEqual(summed);
      }
    }
  },
);

test('advances longer bars with the stream, without a call', async () => {
  const stack = await start();
  await stack.history.latest(BTC, 450, never, '5min');
  await untilStreaming(stack);
  // A whole bar of streamed minutes first: the stream joined in the middle of one.
  const turn = async (): Promise<void> => {
    for (let minute = 0; minute < 5; minute++) {
      stack.clock.ms += MINUTE_MS;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };
  await turn();
  await vi.waitFor(async () => {
    await turn();
    const before = stack.calls.length;
    const { candles } = await stack.history.latest(BTC, 450, never, '5min');
    expect(candles.at(-1)?.time).toBe(closedBefore(stack.clock.ms, 300));
    expect(stack.calls.length).toBe(before);
    const minutes = (await stack.history.latest(BTC, 20, never)).candles;
    expect(candles.slice(-2)).toEqual(aggregateCandles(minutes, '5min').slice(-2));
  });
});

test('forecasts every symbol from its last candle, even of a delayed venue', async () => {
  const stack = await start({ lagS: 900 });
  registryOfFile ??= openModelRegistry(MODELS_DIR, runner);
  const registry = await registryOfFile;
  const log = createLogger('silent');
  const forecasts = openForecasts({ history: stack.history, registry, clock: stack.clock, log });

  for (const symbol of SYMBOLS) {
    const { candles, delayS, nowMs } = await stack.history.latest(symbol, 450, never);
    const isFuture = ['metal', 'index', 'energy'].includes(symbol.assetClass);
    const forecast = await forecasts.current(symbol.exc, symbol, 'bobcat', never);

    // A delay is shown in whole minutes, rounded up.
    expect(delayS).toBe(isFuture ? 960 : 0);
    expect(stack.clock.ms - nowMs).toBe(isFuture ? 15 * MINUTE_MS + 20_000 : 0);
    expect(forecast.t0).toBe(candles.at(-1)?.time);
    expect(forecast.t0).toBe(closedBefore(nowMs));
    expect(forecast.path).toHaveLength(50);
    expect(forecast.path[0]?.time).toBe(forecast.t0 + 60);
  }
});

test.each(['5min', '15min'] as const)(
  'forecasts %s with the shipped models, from a live and a delayed venue',
  async (timeframe) => {
    const stack = await start({ lagS: 900 });
    registryOfFile ??= openModelRegistry(MODELS_DIR, runner);
    const registry = await registryOfFile;
    const log = createLogger('silent');
    const forecasts = openForecasts({ history: stack.history, registry, clock: stack.clock, log });
    const barS = barSecondsOf(timeframe);

    for (const symbol of [BTC, symbolNamed('MSFT'), symbolNamed('Gold')]) {
      const { candles, nowMs } = await stack.history.latest(symbol, 450, never, timeframe);
      for (const model of MODEL_NAMES) {
        const forecast = await forecasts.current(symbol.exc, symbol, model, never, timeframe);
        const minute = await forecasts.current(symbol.exc, symbol, model, never);

        expect(forecast.t0).toBe(candles.at(-1)?.time);
        expect(forecast.t0).toBe(closedBefore(nowMs, barS));
        expect(forecast.path.map(({ time }) => (time - forecast.t0) / barS)).toEqual(
          Array.from({ length: 50 }, (_, i) => i + 1),
        );
        expect(forecast.modelVersion).not.toBe(minute.modelVersion);
        // Fifty longer bars move further than fifty minutes.
        expect(forecast.volatility.rv50).toBeGreaterThan(minute.volatility.rv50);
      }
    }
  },
);

test('returns the same values from stream and REST', async () => {
  const stack = await start();
  await untilStreaming(stack);

  const streamed = (await stack.history.latest(BTC, 20, never)).candles;

  expect(await stack.venue.candles(BTC, 20, never)).toEqual(streamed);
});

test('returns the same candles for the same seed after a restart, and others for another', async () => {
  const first = await start();
  const second = await start();
  const other = await start({ seed: 'other' });

  const candles = await first.venue.candles(ETH, 300, never);

  expect(await second.venue.candles(ETH, 300, never)).toEqual(candles);
  expect(await other.venue.candles(ETH, 300, never)).not.toEqual(candles);
});

test('replays a recording to GET /history in order, and knows its source times', async () => {
  const dataDir = await tempDir();
  const files = await writeMarketData(dataDir, { syms: ['BTCUSDT.P', 'MSFT'] });
  const stack = await start({ dataDir });
  const app = marketRoutes({ history: stack.history });

  for (const { sym, candles } of files) {
    const exc = sym === 'MSFT' ? 'NASDAQ' : 'BINANCE';
    const response = await app.request(`/history?exc=${exc}&sym=${sym}&fbars=50&lkbk=450&amp=100`);
    const shown = fromColumns(candleColumnsSchema.parse(await response.json()));

    const sourceTimes = shown.map((c) => stack.sandbox.sourceTimeOf(sym, c.time));
    const from = candles.findIndex((c) => c.time === sourceTimes[0]);
    const recorded = candles.slice(from, from + 450);
    expect(response.headers.get('x-market-kind')).toBe('replayed');
    expect(from).toBeGreaterThanOrEqual(0);
    expect(sourceTimes).toEqual(recorded.map((c) => c.time));
    expect(shown.map((c) => ({ ...c, time: 0 }))).toEqual(recorded.map((c) => ({ ...c, time: 0 })));
  }
  expect(stack.sandbox.kind).toBe('replayed');
  expect(stack.sandbox.kindOf('ETHUSDT.P')).toBe('simulated');
  expect(stack.sandbox.sourceTimeOf('ETHUSDT.P', closedBefore(stack.clock.ms))).toBeNull();
});

test('closes candles by its own clock in a market sixty times as fast', async () => {
  const stack = await start({ speed: 60 });
  const first = (await lastOf(stack))?.time ?? 0;

  stack.clock.ms += 3000;

  await vi.waitFor(async () => expect((await lastOf(stack))?.time).toBe(first + 180));
  const later = await stack.history.latest(BTC, 450, never);
  // The last one has closed, within the error of the venue's estimated clock.
  expect((first + 240) * 1000).toBeLessThanOrEqual(later.nowMs + 1000);
  expect(later).toMatchObject({ isStale: false });
  expect(stack.calls.filter((path) => path.endsWith('klines')).length).toBeLessThan(10);
});

test("judges services without a clock by the market's time at sixty times the speed", async () => {
  const stack = await start({ speed: 60 });
  const symbols = SYMBOLS.filter((symbol) => symbol.assetClass !== 'crypto');
  for (const symbol of symbols) await stack.history.latest(symbol, 450, never);

  stack.clock.ms += 10_000;

  for (const symbol of symbols) {
    const slice = await stack.history.latest(symbol, 450, never);
    expect(slice.candles.at(-1)?.time).toBe(closedBefore(slice.nowMs));
    expect(stack.sandbox.clock.nowMs() - slice.nowMs).toBeLessThanOrEqual(slice.delayS * 1000 + MINUTE_MS);
    expect(slice).toMatchObject({ isStale: false });
  }
});

test('finds any venue that reports its time correctly, and no other', async () => {
  const { addresses } = (await start()).sandbox;
  const away = { restUrl: 'http://127.0.0.1:1', wsUrl: 'ws://127.0.0.1:1' };
  const portal = { ...away, restUrl: `${addresses.binance.restUrl}/elsewhere` };
  const noVenue = { binance: portal, bybit: away, okx: away };
  const order = ['binance', 'bybit', 'okx'] as const;

  expect(await probeVenues(order, noVenue, WAIT_MS)).toBeNull();
  for (const id of order) expect(await probeVenues(order, { ...noVenue, [id]: addresses[id] }, WAIT_MS)).toBe(id);
  expect(await probeVenues(['bybit'], { ...noVenue, binance: addresses.binance }, WAIT_MS)).toBeNull();
  expect(await probeVenues(['alpaca'], addresses, WAIT_MS)).toBeNull();
});

test('aborts a probe early when the answer is endless', async () => {
  const { addresses } = (await start()).sandbox;
  const end = 16 << 20;
  let readBytes = 0;
  let sent = 0;
  const endless = createServer((_request, response) => {
    const more = (): void => {
      if (response.destroyed) return;
      sent += 1 << 16;
      // The complete response would be a valid answer.
      if (sent > end) response.end('{"serverTime":1762959600000}');
      else response.write(' '.repeat(1 << 16), () => setImmediate(more));
    };
    response.on('close', () => {
      readBytes = sent;
    });
    more();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  undo.push(async () => {
    endless.closeAllConnections();
    endless.close();
  });
  const { port } = endless.address() as AddressInfo;
  const binance = { restUrl: `http://127.0.0.1:${port}`, wsUrl: 'ws://127.0.0.1:1' };

  expect(await probeVenues(['binance'], { ...addresses, binance }, 3000)).toBeNull();

  await vi.waitFor(() => expect(readBytes).toBeGreaterThan(0));
  expect(readBytes).toBeLessThan(end);
});

test('aborts a probe that hangs', async () => {
  const hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  undo.push(async () => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const { port } = hanging.address() as AddressInfo;
  const slow = { restUrl: `http://127.0.0.1:${port}`, wsUrl: 'ws://127.0.0.1:1' };

  expect(await probeVenues(['binance', 'bybit', 'okx'], { binance: slow, bybit: slow, okx: slow }, 200)).toBeNull();
});
