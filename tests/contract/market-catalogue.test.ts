/** The lists of five venues, candles and forecasts of generated products, and what is refused: over real HTTP. */

import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { aggregateCandles } from '#domain/market/bars.ts';
import { type Candle, isWellFormed } from '#domain/market/candle.ts';
import { CATALOGUE_EXCHANGES, type CatalogueVenue } from '#domain/market/catalogue/market.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import {
  type GeneratedProduct,
  generatedProducts,
  marketAt,
  spotPairAt,
} from '../../sandbox/market/products/generated-products.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import { openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { marketRoutes } from '../../server/market/candles/history-routes.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { openMarketCatalogue } from '../../server/market/catalogue/market-catalogue.ts';
import { marketListRoutes } from '../../server/market/catalogue/market-list-routes.ts';
import { productListOf } from '../../server/market/catalogue/product-lists.ts';
import { catalogueVenues } from '../../server/market/venues/candle-venues.ts';
import { CANDLE_VENUE_IDS } from '../../server/platform/config/config-market.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { movableClock } from '../support/market/market-stack.ts';

const SEED = 'catalogue';
const MODELS_DIR = join(import.meta.dirname, '../../models');
const log = createLogger('silent');
const never = new AbortController().signal;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function setUp() {
  const clock = movableClock();
  const openedS = clock.ms / 1000;
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: SEED, startMs: null });
  undo.push(() => sandbox.close());
  const source = sandboxSource(sandbox);
  const { addresses } = source;
  const settings = { venueOrder: CANDLE_VENUE_IDS };
  const venues = catalogueVenues({ order: CANDLE_VENUE_IDS });
  const catalogue = openMarketCatalogue({
    lists: new Map(venues.map((venue) => [venue, productListOf(venue, { addresses, log })])),
    log,
    timing: { pauseMs: 0 },
  });
  undo.push(() => catalogue.close());
  const history = openMarketCandles({ source, settings, clock, log, store: null, catalogue });
  undo.push(() => history.close());
  const app = marketRoutes({ history, symbols: catalogue });
  app.route('/', marketListRoutes({ catalogue, clock }));
  app.onError((error) => {
    if (!isAppError(error)) throw error;
    return errorResponse(error);
  });
  const products = generatedProducts(SEED, openedS);
  return {
    clock,
    sandbox,
    catalogue,
    history,
    products,
    openedS,
    addresses,
    get: (path: string) => app.request(path),
    historyOf: (exc: string, sym: string) => app.request(`/history?exc=${exc}&sym=${sym}&fbars=50&lkbk=450&amp=100`),
    pick: (what: (product: GeneratedProduct) => boolean) => products.find(what) ?? expect.fail('no such product'),
  };
}

const excOf = ({ venues }: GeneratedProduct): string => {
  const [venue] = venues.keys();
  return CATALOGUE_EXCHANGES[venue ?? 'binance'];
};

describe.each(Object.keys(CATALOGUE_EXCHANGES) as CatalogueVenue[])('the list of %s', (venue) => {
  test('reads every product that the sandbox lists there, in its status', async () => {
    const { addresses, products, openedS } = await setUp();

    const { markets, malformed } = await productListOf(venue, { addresses, log })(never);
    const generated = new Set(products.map(({ sym }) => sym));
    const hasListing = !['coinbase', 'kraken'].includes(venue);
    const expected = products.flatMap((product) => marketAt(product, venue, openedS) ?? []);

    expect(malformed).toBe(0);
    expect(markets.filter(({ sym }) => generated.has(sym))).toEqual(
      expected.map((market) => (hasListing ? market : { ...market, listedAtS: null })),
    );
    // The coins of the picker are on every venue: as perpetuals, or as pairs against the dollar.
    const pairs = products.flatMap((product) => (venue === 'coinbase' ? (spotPairAt(product, openedS) ?? []) : []));
    expect(markets.filter(({ sym }) => !generated.has(sym)).map(({ base }) => base)).toEqual([
      ...SYMBOLS.filter(({ assetClass }) => assetClass === 'crypto').map(({ label }) => label),
      ...pairs.map(({ base }) => base),
    ]);
    if (venue === 'coinbase') expect(pairs.length).toBeGreaterThan(70);
  });

  test('serves 450 closed candles of a product that only it lists', async () => {
    const { pick, catalogue, history, clock } = await setUp();
    const product = pick(({ venues, trait }) => venues.size === 1 && venues.has(venue) && trait === 'ordinary');
    const symbol = await catalogue.tradedSymbol(excOf(product), product.sym, never);
    if (symbol === null) expect.fail(product.sym);

    const { candles, isStale } = await history.latest(symbol, 450, never);

    expect(candles).toHaveLength(450);
    expect(candles.every(isWellFormed)).toBe(true);
    expect(candles.every(({ time }, i) => i === 0 || time === (candles[i - 1]?.time ?? 0) + 60)).toBe(true);
    expect(candles.at(-1)?.time).toBe(Math.floor(clock.ms / 60_000) * 60 - 60);
    expect(isStale).toBe(false);
  });
});

test.each(['5min', '15min'] as const)(
  'serves bars of %s of perpetuals and spot pairs, sums of their minutes',
  async (timeframe) => {
    const { pick, catalogue, history } = await setUp();
    const barS = barSecondsOf(timeframe);
    for (const venue of ['binance', 'coinbase', 'kraken'] as const) {
      const product = pick(({ venues, trait }) => venues.size === 1 && venues.has(venue) && trait === 'ordinary');
      const symbol = (await catalogue.tradedSymbol(excOf(product), product.sym, never)) ?? expect.fail(product.sym);

      const bars = (await history.latest(symbol, 450, never, timeframe)).candles;
      const minutes = (await history.latest(symbol, 450, never)).candles;

      expect(bars, venue).toHaveLength(450);
      expect(bars.every(({ time }, i) => i === 0 || time === (bars[i - 1]?.time ?? 0) + barS)).toBe(true);
      const sums = aggregateCandles(minutes, timeframe).slice(-5);
      const prices = ({ time, open, high, low, close }: Candle) => [time, open, high, low, close];
      expect(bars.slice(-5).map(prices), venue).toEqual(sums.map(prices));
    }
  },
);

test('keeps the stream of a product that is read: a new minute needs no call', async () => {
  const { pick, catalogue, history, clock } = await setUp();
  const product = pick(({ venues, trait }) => venues.has('binance') && trait === 'ordinary');
  const symbol = (await catalogue.tradedSymbol('BINANCE', product.sym, never)) ?? expect.fail();
  const updates: number[] = [];
  history.watch(({ symbol: { sym }, candle, isClosed }) => {
    if (sym === product.sym && isClosed) updates.push(candle.time);
  });
  await history.latest(symbol, 10, never);

  await vi.waitFor(() => {
    clock.ms += 60_000;
    expect(updates.length).toBeGreaterThan(0);
  });

  expect((await history.latest(symbol, 10, never)).candles.at(-1)?.time).toBeGreaterThanOrEqual(updates[0] ?? 0);
});

test('forecasts ordinary, thin and new products, and refuses one with fewer than 120 candles', async () => {
  const { products, catalogue, history, clock, openedS } = await setUp();
  const runner = inProcessRunner();
  undo.push(() => runner.close());
  const registry = await openModelRegistry(MODELS_DIR, runner);
  const forecasts = openForecasts({ history, registry, clock, log });
  const forecast = async (product: GeneratedProduct) => {
    const symbol = (await catalogue.tradedSymbol(excOf(product), product.sym, never)) ?? expect.fail(product.sym);
    return forecasts.current(symbol.exc, symbol, 'bobcat', never);
  };
  const young = products.filter(({ listedAtS }) => openedS - listedAtS < 120 * 60);
  const forecastable = products.filter(
    (product, i) => product.trait === 'thin' || (product.trait === 'new' && !young.includes(product)) || i % 40 === 0,
  );
  expect([young.length > 0, forecastable.length > 15]).toEqual([true, true]);

  for (const product of forecastable) {
    const { path, lastClose } = await forecast(product);
    expect(path, product.sym).toHaveLength(50);
    expect(Math.abs(Math.log(lastClose / product.price))).toBeLessThan(2);
  }
  for (const product of young)
    await expect(forecast(product)).rejects.toMatchObject({ code: 'market/too-few-candles' });
});

test('labels thin and new products, and serves them', async () => {
  const { pick, historyOf, openedS } = await setUp();
  const thin = pick(({ trait }) => trait === 'thin');
  const young = pick(({ trait, listedAtS }) => trait === 'new' && openedS - listedAtS < 200 * 60);
  const plain = pick(({ trait }) => trait === 'ordinary');

  for (const [product, activity] of [
    [thin, 'thin'],
    [young, 'new'],
    [plain, null],
  ] as const) {
    const response = await historyOf(excOf(product), product.sym);
    expect([response.status, response.headers.get('x-market-activity')], product.sym).toEqual([200, activity]);
  }
});

test.each([
  ['halted', 'market/halted'],
  ['delisted', 'market/delisted'],
] as const)('refuses the candles of a %s product and says why', async (trait, code) => {
  const { pick, historyOf, openedS } = await setUp();
  const product = pick((each) => each.trait === trait && (each.endsAtS ?? 0) < openedS);

  const response = await historyOf(excOf(product), product.sym);

  expect([response.status, await response.json()]).toEqual([409, expect.objectContaining({ code })]);
});

test('refuses a product from the minute on in which its venues delist it, and no forecast uses its old candles', async () => {
  const { pick, historyOf, catalogue, clock, openedS } = await setUp();
  const leaving = pick(({ trait, endsAtS }) => trait === 'delisted' && (endsAtS ?? 0) > openedS);
  expect((await historyOf(excOf(leaving), leaving.sym)).status).toBe(200);

  clock.ms += 31 * 60_000;
  await catalogue.refresh();

  const response = await historyOf(excOf(leaving), leaving.sym);
  expect(await response.json()).toMatchObject({ code: 'market/delisted' });
});
