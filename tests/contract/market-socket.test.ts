/** Prices of the catalogue's products on the live socket, from the sandbox's venues to a page. */
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '#domain/time/clock.ts';
import { generatedProducts } from '../../sandbox/market/products/generated-products.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { openLiveBooks } from '../../server/market/books/live-books.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { openMarketCatalogue } from '../../server/market/catalogue/market-catalogue.ts';
import { productListOf } from '../../server/market/catalogue/product-lists.ts';
import { catalogueVenues } from '../../server/market/venues/candle-venues.ts';
import { CANDLE_VENUE_IDS } from '../../server/platform/config/config-market.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { listenAnywhere, openPage } from './support/market/live-socket.ts';

const SEED = 'socket';
const log = createLogger('silent');
const steps: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of steps.splice(0).reverse()) await step();
});

async function start() {
  const clock = systemClock;
  const openedS = clock.nowMs() / 1000;
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: SEED, startMs: null });
  steps.push(() => sandbox.close());
  const source = sandboxSource(sandbox);
  const lists = catalogueVenues({ order: CANDLE_VENUE_IDS }).map(
    (venue) => [venue, productListOf(venue, { addresses: source.addresses, log })] as const,
  );
  const catalogue = openMarketCatalogue({ lists: new Map(lists), log });
  steps.push(() => catalogue.close());
  const settings = { venueOrder: CANDLE_VENUE_IDS };
  const history = openMarketCandles({ source, settings, clock, log, store: null, catalogue });
  steps.push(() => history.close());
  const socketAccess = { isOwnHost: () => true, allowedOrigins: [], trustedProxies: 0 };
  const live = openLiveBooks({ source, history, symbols: catalogue, socketAccess, clock, log });
  const { server, wsUrl } = await listenAnywhere();
  live.attach(server);
  steps.push(() => {
    live.close();
    server.close();
  });
  const open = async () => {
    const page = await openPage(`${wsUrl}/market/ws`);
    steps.push(() => page.socket.terminate());
    return page;
  };
  const ordinary = generatedProducts(SEED, openedS).filter(({ trait }) => trait === 'ordinary');
  const ofKind = (kind: string): string => ordinary.find((each) => each.kind === kind)?.sym ?? expect.fail(kind);
  return { live, open, perpetual: ofKind('perpetual'), spot: ofKind('spot') };
}

test('sends prices and heartbeats of products that no request named before', async () => {
  const { open, perpetual, spot } = await start();
  const page = await open();

  page.request('subscribe', [perpetual, spot], ['ticker', 'heartbeat']);

  const productsOf = (kind: 'ticker' | 'heartbeat') => new Set(page.of(kind).map((event) => event.productId));
  await vi.waitFor(() => expect(productsOf('ticker')).toEqual(new Set([perpetual, spot])));
  await vi.waitFor(() => expect(productsOf('heartbeat')).toEqual(new Set([perpetual, spot])));
  expect(page.of('error')).toEqual([]);
  expect(page.of('ticker').every(({ price }) => (price ?? 0) > 0)).toBe(true);
});

test('refuses a book of such a product, and a code that no product has', async () => {
  const { open, perpetual, live } = await start();
  const page = await open();

  page.request('subscribe', [perpetual], ['level2']);
  page.request('subscribe', ['NOSUCHUSDT.P'], ['ticker']);
  // The ten have their own names here.
  page.request('subscribe', ['BTCUSDT.P'], ['ticker']);

  await vi.waitFor(() =>
    expect(new Set(page.of('error').map(({ reason }) => reason))).toEqual(
      new Set([
        `${perpetual} has no order book`,
        'NOSUCHUSDT.P is not a valid product',
        'BTCUSDT.P is not a valid product',
      ]),
    ),
  );
  expect(live.state().staleProducts).not.toContain(perpetual);
});
