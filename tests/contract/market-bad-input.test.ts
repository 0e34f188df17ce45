/**
 * What goes wrong with any market, over real HTTP, streams and a real database: products that end while they are read
 * or streamed, gaps, open bars, names of nothing and clock changes. Each is refused or labelled, and none is charged.
 */
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { aggregateCandles } from '#domain/market/bars.ts';
import { isOpen } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, candleColumnsSchema, fromColumns } from '#domain/market/candle.ts';
import { CATALOGUE_EXCHANGES } from '#domain/market/catalogue/market.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { barSecondsOf, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { type GeneratedProduct, generatedProducts } from '../../sandbox/market/products/generated-products.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { openCandleTickers } from '../../server/market/candles/candle-tickers.ts';
import { marketRoutes } from '../../server/market/candles/history-routes.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { openMarketCatalogue } from '../../server/market/catalogue/market-catalogue.ts';
import { productListOf } from '../../server/market/catalogue/product-lists.ts';
import { catalogueVenues } from '../../server/market/venues/candle-venues.ts';
import { openWatchRows } from '../../server/market/watch/watch-rows.ts';
import { CANDLE_VENUE_IDS } from '../../server/platform/config/config-market.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { MODELS_DIR } from '../../server/server-options.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { readEvents } from '../support/wire/event-reader.ts';
import { openPredictionWorld, type TestUser } from '../support/worlds/prediction-world.ts';

const SEED = 'bad-input';
const UNTOUCHED = { daily: 15, monthly: 300 };
/** Slow enough that a product can end in the middle of a stream, also on a busy machine. */
const PACE_MS = 400;
const log = createLogger('silent');
const never = new AbortController().signal;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** The shipped models never change, and opening them takes longer than most of these tests. */
const runner = inProcessRunner();
let registryOfFile: Promise<ModelRegistry> | undefined;
afterAll(() => runner.close());

async function aMarket(iso?: string, over: { fetch?: typeof fetch } = {}) {
  const clock = movableClock(iso);
  const openedS = clock.ms / 1000;
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: SEED, startMs: null });
  undo.push(() => sandbox.close());
  const source = sandboxSource(sandbox);
  const { addresses } = source;
  const catalogue = openMarketCatalogue({
    lists: new Map(
      catalogueVenues({ order: CANDLE_VENUE_IDS }).map((venue) => [venue, productListOf(venue, { addresses, log })]),
    ),
    log,
    timing: { pauseMs: 0 },
  });
  undo.push(() => catalogue.close());
  const settings = { venueOrder: CANDLE_VENUE_IDS };
  const history = openMarketCandles({ source, settings, clock, log, store: null, catalogue, ...over });
  undo.push(() => history.close());
  const app = marketRoutes({ history, symbols: catalogue });
  app.onError((error) => {
    if (!isAppError(error)) throw error;
    return errorResponse(error);
  });
  const products = generatedProducts(SEED, openedS);
  const perpetual = (isWanted = (product: GeneratedProduct) => product.venues.size > 1) =>
    products.find((each) => each.kind === 'perpetual' && each.trait === 'ordinary' && isWanted(each)) ??
    expect.fail('no such product');
  return {
    clock,
    sandbox,
    catalogue,
    history,
    products,
    perpetual,
    historyOf: (exc: string, sym: string, tf: string = '1min') =>
      app.request(`/history?exc=${exc}&sym=${sym}&fbars=50&lkbk=450&tf=${tf}`),
    /** Every venue of the product ends it; with `venues`, only those. */
    end({ venues }: GeneratedProduct, what: 'delisted' | 'halted', ending = [...venues.keys()]) {
      for (const [dialect, product] of venues)
        if (ending.includes(dialect)) sandbox.faults.add({ part: 'listing', dialect, product, what });
    },
  };
}

type MarketOfTest = Awaited<ReturnType<typeof aMarket>>;

async function aSite(market: MarketOfTest) {
  const { history, catalogue, clock } = market;
  registryOfFile ??= openModelRegistry(MODELS_DIR, runner);
  const registry = await registryOfFile;
  const forecasts = openForecasts({ history, registry, clock, log });
  const world = await openPredictionWorld(dayDatabase, PACE_MS, { forecasts, registry, symbols: catalogue });
  undo.push(() => world.close());
  return {
    ...world,
    forecasts,
    request: (user: TestUser, exc: string, sym: string, more = '') =>
      world.get(`/stream-kat2?exc=${exc}&sym=${sym}&fbars=50&lkbk=450&amp=100&ver=213${more}`, user.token),
  };
}

const excOf = ({ venues }: GeneratedProduct): string => {
  const [venue = 'binance'] = venues.keys();
  return CATALOGUE_EXCHANGES[venue];
};

const codeOf = async (response: Response): Promise<unknown[]> => [
  response.status,
  ((await response.json()) as { code?: string }).code,
];

async function candlesIn(response: Response): Promise<Candle[]> {
  expect(response.status).toBe(200);
  return fromColumns(candleColumnsSchema.parse(await response.json()));
}

describe.each(['delisted', 'halted'] as const)('a product that is %s', (what) => {
  test('ends its stream with the reason while it runs, and costs nothing', async () => {
    const market = await aMarket();
    const site = await aSite(market);
    const product = market.perpetual();
    const user = await site.user('lion');
    const events = readEvents(await site.request(user, excOf(product), product.sym));
    const start = (await events.next())?.data as { reservationId: string };
    await events.next();
    await events.next();

    market.end(product, what);
    await market.catalogue.refresh();
    const rest = await events.rest();

    expect(rest.length).toBeLessThan(48);
    expect(rest.at(-1)?.data).toMatchObject({ code: `market/${what}` });
    expect(await site.left(user)).toEqual(UNTOUCHED);
    expect(await site.savedRows(user)).toEqual([]);
    const again = await site.get(`/forecast/reservations/${start.reservationId}`, user.token);
    expect(await codeOf(again)).toEqual([404, 'forecast/unknown-reservation']);
    expect(await codeOf(await site.request(user, excOf(product), product.sym))).toEqual([409, `market/${what}`]);
    expect(await site.left(user)).toEqual(UNTOUCHED);
  });

  test.each(TIMEFRAMES)('is refused with the reason when its bars of %s stop, before its lists are due', async (tf) => {
    const market = await aMarket();
    const product = market.perpetual();
    await candlesIn(await market.historyOf(excOf(product), product.sym, tf));

    market.end(product, what);

    await vi.waitFor(async () => {
      // Again and again: a message that is read after the step holds the venue's clock back.
      market.clock.ms += (barSecondsOf(tf) + 10) * 1000;
      expect(await codeOf(await market.historyOf(excOf(product), product.sym, tf))).toEqual([409, `market/${what}`]);
    });
  });

  test('has no current price and no range any more where it is watched', async () => {
    const market = await aMarket();
    const product = market.perpetual();
    const rows = openWatchRows({ history: market.history, symbols: market.catalogue, patienceMs: 10_000 });
    undo.push(() => rows.close());
    const ended = new AbortController();
    undo.push(() => ended.abort());
    const parts = { symbols: [], knownSymbol: market.catalogue.knownSymbol, signal: ended.signal, log, periodMs: 0 };
    const tickers = openCandleTickers({ history: market.history, ...parts });
    const pair = { sym: product.sym, timeframe: '1min' } as const;
    await vi.waitFor(async () => expect((await rows.rowsOf([pair]))[0]?.state).toBe('known'));
    await vi.waitFor(() => expect(tickers.isFresh(product.sym)).toBe(true));

    market.end(product, what);

    await vi.waitFor(() => {
      market.clock.ms += 60_000;
      expect(tickers.isFresh(product.sym)).toBe(false);
    });
    await vi.waitFor(async () => {
      const [row] = await rows.rowsOf([pair]);
      if (what === 'delisted') expect(row?.state).toBe('unknown');
      else expect(row).toMatchObject({ state: 'known', isStale: true, range: null });
    });
  });

  test('is served from another venue that goes on trading it', async () => {
    const market = await aMarket();
    const product = market.perpetual();
    const [first = 'binance'] = product.venues.keys();
    await candlesIn(await market.historyOf(excOf(product), product.sym));

    market.end(product, what, [first]);
    const endedMs = market.clock.ms;

    await vi.waitFor(async () => {
      market.clock.ms += 60_000;
      const response = await market.historyOf(excOf(product), product.sym);
      expect(market.clock.ms - endedMs).toBeGreaterThan(5 * 60_000);
      expect(response.headers.get('x-market-stale')).toBe('false');
      expect((await candlesIn(response)).at(-1)?.time).toBe(Math.floor(market.clock.ms / 60_000) * 60 - 60);
    });
  });
});

test('serves a product that was halted as soon as it trades again', async () => {
  const market = await aMarket();
  const product = market.perpetual();
  market.end(product, 'halted');
  await market.catalogue.refresh();
  expect(await codeOf(await market.historyOf(excOf(product), product.sym))).toEqual([409, 'market/halted']);

  market.sandbox.faults.clear();
  await market.catalogue.refresh();

  expect(await candlesIn(await market.historyOf(excOf(product), product.sym))).toHaveLength(450);
});

test('refuses unknown timeframes and symbols of other venues in a stream, and charges nothing', async () => {
  const market = await aMarket();
  const site = await aSite(market);
  const user = await site.user('lion');
  const alone = market.perpetual(({ venues }) => venues.size === 1 && venues.has('okx'));

  for (const [exc, sym, more, code] of [
    ['BINANCE', alone.sym, '', 'market/unknown-symbol'],
    ['COINBASE', 'BTCUSDT.P', '', 'market/unknown-symbol'],
    ['OKX', 'NOSUCHUSDT.P', '', 'market/unknown-symbol'],
    ['NASDAQ', alone.sym, '', 'market/unknown-symbol'],
    ['OKX', alone.sym, '&tf=2min', 'request/invalid'],
    ['OKX', alone.sym, '&tf=15min&tf=5min', 'request/invalid'],
    ['OKX', alone.sym, '&tf=15MIN', 'request/invalid'],
  ] as const)
    expect(await codeOf(await site.request(user, exc, sym, more)), `${exc} ${sym} ${more}`).toEqual([400, code]);

  expect(await site.left(user)).toEqual(UNTOUCHED);
});

test.each(TIMEFRAMES)('shows no bar of %s before it has closed, and forecasts from none', async (timeframe) => {
  const market = await aMarket('2025-11-12T14:59:57Z');
  const { forecasts } = await aSite(market);
  const product = market.perpetual();
  const barS = barSecondsOf(timeframe);
  const closesS = Date.parse('2025-11-12T15:00:00Z') / 1000;
  const lastOf = async (symbol: { exc: string; sym: string }) =>
    (await candlesIn(await market.historyOf(symbol.exc, symbol.sym, timeframe))).at(-1)?.time;
  const symbols = [
    (await market.catalogue.tradedSymbol(excOf(product), product.sym, never)) ?? expect.fail(),
    symbolNamed('BTC'),
    symbolNamed('MSFT'),
  ];

  for (const symbol of symbols) {
    expect(await lastOf(symbol), symbol.sym).toBe(closesS - 2 * barS);
    expect((await forecasts.current(symbol.exc, symbol, 'bobcat', never, timeframe)).t0).toBe(closesS - 2 * barS);
  }
  market.clock.ms += 4000;

  for (const symbol of symbols) {
    await vi.waitFor(async () => expect(await lastOf(symbol), symbol.sym).toBe(closesS - barS));
    const forecast = await forecasts.current(symbol.exc, symbol, 'bobcat', never, timeframe);
    expect([forecast.t0, forecast.path[0]?.time]).toEqual([closesS - barS, closesS]);
  }
});

test('makes no bar of a quarter of an hour from a stream that lost a minute inside it', async () => {
  const market = await aMarket();
  const symbol = symbolNamed('BTC');
  const of = async (timeframe: Timeframe) => candlesIn(await market.historyOf(symbol.exc, symbol.sym, timeframe));
  const lost = { part: 'stream', dialect: 'binance', what: 'gap', product: 'BTCUSDT', containing: '"x":true' } as const;
  let closed = 0;
  market.history.watch((update) => {
    if (update.symbol.sym === symbol.sym && update.isClosed) closed += 1;
  });
  const left = () => market.sandbox.faults.list().length;
  await of('15min');
  // The stream is connected once it closes a minute.
  await vi.waitFor(async () => {
    market.clock.ms += 60_000;
    await of('1min');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(closed).toBeGreaterThan(0);
  });
  // At least two more minutes of the bar follow the lost one.
  const closesS = Math.ceil((market.clock.ms / 1000 + 180) / 900) * 900;
  market.sandbox.faults.add({ ...lost, count: 1 });

  while (market.clock.ms / 1000 < closesS) {
    const before = closed - left();
    market.clock.ms += 60_000;
    await vi.waitFor(() => expect(closed - left()).toBeGreaterThan(before));
    const bars = await of('15min');
    const whole = new Map(aggregateCandles(await of('1min'), '15min').map((bar) => [bar.time, bar]));
    for (const bar of bars.slice(-3)) {
      expect(bar.time + 900).toBeLessThanOrEqual(market.clock.ms / 1000);
      const { high, low, open, close } = whole.get(bar.time) ?? expect.fail(String(bar.time));
      expect(bar).toMatchObject({ open, high, low, close });
    }
  }

  expect((await of('15min')).at(-1)?.time).toBe(closesS - 900);
  expect(left()).toBe(0);
});

test('has no bar where a venue that has minutes alone lacks one, and forecasts from whole bars alone', async () => {
  const gold = symbolNamed('Gold');
  const lostS = Date.parse('2025-11-12T12:07:00Z') / 1000;
  const losing: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).includes('timeseries')) return answer;
    const rows = (await answer.text()).split('\n');
    return new Response(rows.filter((row) => !row.includes(`${lostS}000000000`)).join('\n'), answer);
  };
  const market = await aMarket(undefined, { fetch: losing });
  const { forecasts } = await aSite(market);

  const bars = await candlesIn(await market.historyOf(gold.exc, gold.sym, '15min'));
  const forecast = await forecasts.current(gold.exc, gold, 'bobcat', never, '15min');

  const lostBarS = Math.floor(lostS / 900) * 900;
  const around = bars.map(({ time }) => time - lostBarS).filter((awayS) => Math.abs(awayS) <= 900);
  expect(around).toEqual([-900, 900]);
  expect(forecast.path).toHaveLength(50);
  expect(forecast.lookback.some(({ time }) => time === lostBarS)).toBe(false);
});

describe.each([
  ['in spring', '2026-03-06', '2026-03-09', [14.5, 13.5]],
  ['in autumn', '2025-10-31', '2025-11-03', [13.5, 14.5]],
] as const)('the clock change of New York %s', (_when, friday, monday, [before, after]) => {
  test.each(TIMEFRAMES)('moves a share’s sessions and no bar of %s', async (timeframe) => {
    const market = await aMarket(`${monday}T20:30:20Z`);
    const share = symbolNamed('MSFT');
    const barS = barSecondsOf(timeframe);

    const bars = await candlesIn(await market.historyOf(share.exc, share.sym, timeframe));
    const opening = (day: string) =>
      bars.find(({ time }) => new Date(time * 1000).toISOString().startsWith(day))?.time ?? null;
    const hourOf = (day: string) => ((opening(day) ?? 0) - Date.parse(`${day}T00:00:00Z`) / 1000) / 3600;

    expect(bars).toHaveLength(450);
    expect(bars.every(({ time }) => time % barS === 0 && isOpen('nasdaq', time))).toBe(true);
    expect(bars.every(({ time }, i) => i === 0 || time > (bars[i - 1]?.time ?? 0))).toBe(true);
    expect(hourOf(monday)).toBe(after);
    if (timeframe !== '1min') expect(hourOf(friday)).toBe(before);
  });

  test('leaves a coin’s bars unbroken, and the hour before the opening without a forecast', async () => {
    const market = await aMarket(`${monday}T${after === 13.5 ? '13' : '14'}:29:20Z`);
    const { forecasts } = await aSite(market);
    const [coin, share] = [symbolNamed('BTC'), symbolNamed('MSFT')];

    for (const timeframe of TIMEFRAMES) {
      const bars = await candlesIn(await market.historyOf(coin.exc, coin.sym, timeframe));
      const barS = barSecondsOf(timeframe);
      expect(bars.every(({ time }, i) => i === 0 || time === (bars[i - 1]?.time ?? 0) + barS)).toBe(true);
      const { path } = await forecasts.current(coin.exc, coin, 'bobcat', never, timeframe);
      expect(path.map(({ time }) => time)).toEqual(
        Array.from({ length: 50 }, (_, i) => (bars.at(-1)?.time ?? 0) + (i + 1) * barS),
      );
      await expect(forecasts.current(share.exc, share, 'bobcat', never, timeframe)).rejects.toMatchObject({
        code: 'market/closed',
      });
    }
  });
});
