/**
 * The cost of any market: `npm run bench -- markets [PRODUCTS]`. Searches in a catalogue of a thousand products over
 * HTTP, then so many products of the sandbox watched for a minute: memory and processor time of sandbox, candles
 * and prices together, in this one process. Their candles wait for a database that does not answer, so the queue of
 * the store is full. Nothing is asserted.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { AppError } from '#domain/errors/app-error.ts';
import type { CatalogueMarket, CatalogueVenue } from '#domain/market/catalogue/market.ts';
import { systemClock } from '#domain/time/clock.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { openCandleStore } from '../../server/market/candles/candle-store.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { openMarketCatalogue } from '../../server/market/catalogue/market-catalogue.ts';
import { marketListRoutes } from '../../server/market/catalogue/market-list-routes.ts';
import { productListOf } from '../../server/market/catalogue/product-lists.ts';
import { catalogueVenues } from '../../server/market/venues/candle-venues.ts';
import { CANDLE_VENUE_IDS } from '../../server/platform/config/config-market.ts';
import type { Database } from '../../server/platform/database/database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';

const wanted = Number(process.argv[2] ?? 300);
if (!Number.isInteger(wanted) || wanted < 1 || wanted > 300) {
  console.error('bench:markets: 1 to 300 products');
  process.exit(2);
}
const SEARCHES = 5000;
const LISTED = 1000;
const WATCHED_MS = 60_000;
/** As often as a list on a page reads its rows. */
const READ_EVERY_MS = 5000;
const QUERIES = ['', 'b', 'bt', 'btc', 'link', 'usdt', 'chain', 'zz', 'q17', 'X9'];
const log = createLogger('silent');
const unavailable = () => Promise.reject(new AppError('database/unavailable'));
const UNAVAILABLE = { kind: 'pglite', query: unavailable, transaction: unavailable } as unknown as Database;
const never = new AbortController().signal;

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

console.log(JSON.stringify({ searches: await measureSearch() }));
console.log(JSON.stringify({ watched: await measureWatching(wanted) }));

async function measureSearch() {
  const markets = Array.from({ length: LISTED }, (_, i): CatalogueMarket => {
    const base = `${'QXZ'[i % 3]}${(i * 7919).toString(36).toUpperCase()}`.replace(/[^A-Z0-9]/g, '');
    const names = { sym: `${base}USDT.P`, productId: `${base}USDT`, base, quote: 'USDT', kind: 'perpetual' } as const;
    return { venue: 'binance', ...names, status: 'trading', tickSize: 0.001, listedAtS: 1_600_000_000 + i };
  });
  const lists = new Map<CatalogueVenue, () => Promise<{ markets: CatalogueMarket[]; malformed: number }>>([
    ['binance', async () => ({ markets, malformed: 0 })],
  ]);
  const catalogue = openMarketCatalogue({ lists, log });
  const routes = marketListRoutes({ catalogue, clock: systemClock });
  const server = createServer(getRequestListener(routes.fetch)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [whole, handled]: [number[], number[]] = [[], []];
  for (let i = 0; i < SEARCHES; i++) {
    const path = `/markets?limit=20&query=${QUERIES[i % QUERIES.length]}`;
    let beganMs = performance.now();
    await (await fetch(origin + path)).text();
    whole.push(performance.now() - beganMs);
    beganMs = performance.now();
    await (await routes.request(path)).text();
    handled.push(performance.now() - beganMs);
  }
  // Without a client in the process: what a request costs, also beside other load.
  const began = process.cpuUsage();
  for (let i = 0; i < SEARCHES; i++)
    await (await routes.request(`/markets?limit=20&query=${QUERIES[i % QUERIES.length]}`)).text();
  const used = process.cpuUsage(began);
  server.close();
  server.closeAllConnections();
  catalogue.close();
  const figures = (times: number[]) => {
    // The first ones compile the code.
    const sorted = times.slice(SEARCHES / 10).sort((a, b) => a - b);
    return { p50Ms: Number(at(sorted, 0.5).toFixed(2)), p99Ms: Number(at(sorted, 0.99).toFixed(2)) };
  };
  return {
    products: LISTED,
    requests: SEARCHES,
    overHttp: figures(whole),
    handler: figures(handled),
    handlerCpuMs: Number(((used.user + used.system) / 1000 / SEARCHES).toFixed(3)),
  };
}

async function measureWatching(count: number) {
  const sandbox = await startSandboxMarket({
    clock: systemClock,
    dataDir: null,
    speed: 1,
    seed: 'bench',
    startMs: null,
  });
  const source = sandboxSource(sandbox);
  const lists = catalogueVenues({ order: CANDLE_VENUE_IDS }).map(
    (venue) => [venue, productListOf(venue, { addresses: source.addresses, log })] as const,
  );
  const catalogue = openMarketCatalogue({ lists: new Map(lists), log });
  const settings = { venueOrder: CANDLE_VENUE_IDS };
  const store = openCandleStore({ database: UNAVAILABLE, clock: systemClock, log });
  const history = openMarketCandles({ source, settings, clock: systemClock, log, store, catalogue });
  const found = (await catalogue.search('', 1000, never)).filter(({ status }) => status === 'trading');
  const symbols = found.slice(10, 10 + count).map(({ symbol }) => symbol);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const began = process.cpuUsage();
  for (const symbol of symbols) await history.latest(symbol, 450, never).catch(() => undefined);
  const opened = process.cpuUsage(began);
  const settled = process.cpuUsage();
  const peak = { rss: 0, updates: 0 };
  history.watch(() => void peak.updates++);
  const endMs = performance.now() + WATCHED_MS;
  while (performance.now() < endMs) {
    for (const symbol of symbols) void history.latest(symbol, 450, never).catch(() => undefined);
    peak.rss = Math.max(peak.rss, process.memoryUsage().rss);
    await sleep(READ_EVERY_MS);
  }
  const used = process.cpuUsage(settled);
  const seconds = (cpu: NodeJS.CpuUsage): number => (cpu.user + cpu.system) / 1e6;
  const { waiting } = store.state();
  await history.close();
  await store.close();
  catalogue.close();
  await sandbox.close();
  return {
    products: symbols.length,
    addedMb: megabytes(peak.rss - before),
    rssMb: megabytes(peak.rss),
    openingCpuMsEach: Math.round((seconds(opened) * 1000) / symbols.length),
    coreShare: Number((seconds(used) / (WATCHED_MS / 1000)).toFixed(3)),
    updates: peak.updates,
    waitingCandles: waiting,
  };
}
