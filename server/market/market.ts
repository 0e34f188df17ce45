/** A failing feed takes down neither the others nor the server. */
import type { Server } from 'node:http';
import type { Context, Hono } from 'hono';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Core } from '../core.ts';
import type { FeedAddresses } from '../platform/config/addresses.ts';
import { CANDLE_VENUE_IDS, type MarketConfig } from '../platform/config/config-market.ts';
import type { Database } from '../platform/database/database.ts';
import { feedStore } from '../platform/feeds/feed-store.ts';
import { openFunctionRoutes } from '../platform/http/calls/open-function.ts';
import type { Readiness } from '../platform/http/health.ts';
import type { Bus } from '../platform/processes/bus.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { leaderStore } from '../platform/processes/leader-store.ts';
import { startLeadership } from '../platform/processes/leadership.ts';
import { type Job, startJob } from '../platform/processes/schedule.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { startBookMinutes } from './books/book-minutes.ts';
import { type LiveBooksOptions, openLiveBooks, type SocketAccess } from './books/live-books.ts';
import type { FeedWeek } from './calendar/calendar-events.ts';
import { openCalendarFeed } from './calendar/calendar-feed.ts';
import { calendarFunction } from './calendar/calendar-function.ts';
import { openReleaseCalendar, type ReleaseCalendar, readSchedule, warnOfEnd } from './calendar/release-calendar.ts';
import { releaseStore } from './calendar/release-store.ts';
import { type CandleStore, openCandleStore } from './candles/candle-store.ts';
import type { FailoverHistory } from './candles/failover-history.ts';
import { marketRoutes } from './candles/history-routes.ts';
import { openMarketCandles } from './candles/market-candles.ts';
import { type CandlePast, candlePast } from './candles/past-candles.ts';
import { type MarketCatalogue, openMarketCatalogue } from './catalogue/market-catalogue.ts';
import { marketListRoutes } from './catalogue/market-list-routes.ts';
import { newProducts } from './catalogue/new-products.ts';
import { productListOf } from './catalogue/product-lists.ts';
import type { SymbolLookup } from './catalogue/symbol-lookup.ts';
import { marketReadiness } from './market-readiness.ts';
import type { MarketSource } from './market-source.ts';
import type { MarketState } from './market-state.ts';
import { coinbaseCandlesRoutes } from './reference/coinbase-candles.ts';
import { krakenOhlcRoutes } from './reference/kraken-ohlc.ts';
import { livePricesOf } from './reference/live-overlay.ts';
import { openMetrics } from './reference/metrics.ts';
import { originOf } from './reference/upstream-cache.ts';
import { openSharedCandles } from './sharing/shared-candles.ts';
import type { MarketSharing } from './sharing/sharing.ts';
import { catalogueVenues } from './venues/candle-venues.ts';
import { watchRoutes } from './watch/watch-routes.ts';
import { openWatchRows } from './watch/watch-rows.ts';

export interface MarketOptions extends Pick<Core, 'database' | 'clock' | 'log'> {
  source: MarketSource;
  /** Identifies a caller, whose newly opened products are counted. Absent: they aren't. */
  addressOf?: (c: Context) => string | null;
  settings: Pick<MarketConfig, 'venueOrder' | 'releasesFile'>;
  /** Who may connect to the live socket. */
  socketAccess: SocketAccess;
  /** With a broker, one process reads the venues for all. */
  bus: Bus;
  /** Minimum time between two updates of a book while the process is overloaded, milliseconds. Default: none. */
  bookEveryMs?: () => number;
  /** Opens a live socket now or in its turn, or refuses it; default: now. */
  admit?: LiveBooksOptions['admit'];
}

export interface Market {
  history: FailoverHistory;
  /** Null: this process is alone, or each process reads for itself. */
  sharing: MarketSharing | null;
  past: CandlePast;
  releases: ReleaseCalendar;
  /** The ten symbols, and every product of the connected venues. */
  symbols: SymbolLookup;
  /** Counts a product beside the ten that a caller opens. @throws AppError `request/too-many` */
  openProduct(c: Context, sym: string): Promise<void>;
  /** The same products, by a part of their code or name. */
  catalogue: Pick<MarketCatalogue, 'search'>;
  routes: readonly Hono[];
  state(): MarketState;
  isReady(): Promise<Readiness>;
  /** True while a page reads the live socket. */
  hasReaders(): boolean;
  /** Handles the live socket's upgrade requests. */
  attach(server: Server): void;
  /** Closes its readers' sockets: a server with open sockets does not end. */
  detach(): void;
  /** True while this process reads the venues for all; null where each process reads for itself. */
  isLeading(): boolean | null;
  /** Passes the reading of venues to another process; without another one, no process reads them. */
  stopLeading(): Promise<void>;
  close(): Promise<void>;
}

export function openMarket(options: MarketOptions): Market {
  const { source, settings, socketAccess, database, clock, log, bus, bookEveryMs, admit } = options;
  const stopping = new AbortController();
  // A replay shifts its candles to now: stored ones would be future candles of another market.
  const store = source.kind === 'live' ? openCandleStore({ database, clock, log }) : null;
  const retention = store === null ? null : startCandleRetention({ store, database, log });
  const sharing = bus.kind === 'nats' ? shareMarket(source, bus, database, log) : null;
  const catalogue = openCatalogue({ source, settings, log });
  const own = openMarketCandles({ source, settings, clock, log, store, catalogue });
  const history = sharing === null ? own : openSharedCandles({ sharing, own, log, symbols: catalogue });
  const live = openLiveBooks({
    source,
    history,
    symbols: catalogue,
    socketAccess,
    clock,
    log,
    sharing,
    bookEveryMs,
    admit,
  });
  // A simulated book teaches nothing.
  const bookMinutes =
    source.kind === 'live'
      ? startBookMinutes({ database, clock, log, books: live.books, productIds: live.bookProductIds })
      : null;
  const { releasesFile } = settings;
  const calendar = openCalendar({ source, releasesFile, database, clock, log });
  const livePrices = (signal: AbortSignal) => livePricesOf(history, signal);
  const metrics = openMetrics({ source, database, clock, log, livePrices });
  const opened = newProducts();
  const { addressOf = () => null } = options;
  const watch = openWatchRows({ history, symbols: catalogue, recordedAtS: source.recordedAtS });
  return {
    history,
    sharing,
    past: candlePast({ history, store }),
    releases: calendar.releases,
    symbols: catalogue,
    catalogue,
    openProduct: (c, sym) => opened.open(addressOf(c), [sym]),
    routes: [
      marketRoutes({ history, symbols: catalogue, newProducts: opened, addressOf }),
      marketListRoutes({ catalogue, clock }),
      watchRoutes({ ...watch, newProducts: opened, addressOf }),
      calendar.routes,
      metrics.routes,
      ...chartFeedRoutes({ source, clock, log }),
    ],
    // The leader cannot see the readers of the processes that follow it.
    hasReaders: () => live.hasReaders() || sharing?.leadership.term != null,
    attach: (server) => live.attach(server),
    detach: () => live.close(),
    stopLeading: async () => sharing?.leadership.close(),
    isLeading: () => (sharing === null ? null : sharing.leadership.term !== null),
    state: () => ({ feeds: history.state(), store: store?.state() ?? null, liveSocket: live.state() }),
    isReady: marketReadiness(history, stopping.signal),
    async close() {
      stopping.abort();
      catalogue.close();
      await bookMinutes?.close();
      // Before the feeds end, so that the next leader starts while ours still runs.
      await sharing?.leadership.close();
      live.close();
      watch.close();
      // In parallel: without a database each may take its time. The store also gets what readers fetched last.
      const candles = history.close().then(() => store?.close());
      await Promise.all([candles, retention?.close(), calendar.close(), metrics.close()]);
    },
  };
}

function openCatalogue({ source, settings, log }: Pick<MarketOptions, 'source' | 'settings' | 'log'>): MarketCatalogue {
  const order = source.kind === 'live' ? settings.venueOrder : CANDLE_VENUE_IDS;
  const { addresses } = source;
  const lists = catalogueVenues({ order }).map((venue) => [venue, productListOf(venue, { addresses, log })] as const);
  return openMarketCatalogue({ lists: new Map(lists), log });
}

function shareMarket({ kind }: MarketSource, bus: Bus, database: Database, log: Logger): MarketSharing {
  const leadership = startLeadership({ name: `market:${kind}`, store: leaderStore(database), log });
  return { bus, leadership, prefix: `market.${kind}` };
}

const PERIOD_MS = 3_600_000;

export interface CandleRetentionDeps extends Pick<Core, 'database' | 'log'> {
  store: Pick<CandleStore, 'makePartitions' | 'removeOld'>;
}

/** A missed run loses nothing: a candle of a week without a partition has a place too. */
export function startCandleRetention({ store, database, log }: CandleRetentionDeps): Job {
  return startJob({
    name: 'market-candles-remove-old',
    periodMs: PERIOD_MS,
    store: jobStore(database),
    log,
    async run() {
      const created = await store.makePartitions();
      const { partitions, rows } = await store.removeOld();
      if (created + partitions + rows > 0)
        log.info({ made: created, dropped: partitions, rows }, 'partitions of candles changed');
      return undefined;
    },
  });
}

export interface ChartFeedsDeps extends Pick<Core, 'clock' | 'log'> {
  source: Pick<MarketSource, 'kind' | 'addresses'>;
}

/** Charts that reach back further than minutes: weekly and monthly bars from Kraken, hourly candles from Coinbase. */
export function chartFeedRoutes({ source, clock, log }: ChartFeedsDeps): Hono[] {
  const { kraken, coinbase } = source.addresses;
  return [
    krakenOhlcRoutes({ restUrl: kraken.restUrl, origin: originOf(source, 'Kraken'), clock, log }),
    coinbaseCandlesRoutes({ restUrl: coinbase.restUrl, origin: originOf(source, 'Coinbase Exchange'), clock, log }),
  ];
}

const HOUR_MS = 3_600_000;

export interface CalendarOptions extends Pick<Core, 'database' | 'clock' | 'log'> {
  /** The operator's own schedule of releases; null: the shipped one. */
  releasesFile: string | null;
  source: { kind: MarketKind; addresses: Pick<FeedAddresses, 'calendarUrl'> };
  fetch?: typeof globalThis.fetch | undefined;
}

export interface Calendar {
  routes: Hono;
  releases: ReleaseCalendar;
  close(): Promise<void>;
}

/** @throws Error for a schedule that can't be read */
export function openCalendar(options: CalendarOptions): Calendar {
  const { source, releasesFile, database, clock, log, fetch } = options;
  const kind = source.kind === 'live' ? 'live' : 'simulated';
  const [store, jobs] = [feedStore(database, kind), jobStore(database)];
  // Of a simulated market the true dates say nothing: it moves at the releases of its own calendar.
  const schedule = kind === 'live' ? readSchedule(releasesFile) : [];
  const known = releaseStore(database, kind);
  const releases = openReleaseCalendar({ week: (signal) => feed.week(signal), schedule, log });
  const learn = (week: FeedWeek | null) => known.learnAll(releases.standing(week), clock.nowMs());
  const url = source.addresses.calendarUrl;
  const feed = openCalendarFeed({ url, kind, store, jobs, clock, log, learn, fetch });
  // Also while the feed does not answer.
  const scheduled =
    schedule.length === 0
      ? null
      : startJob({
          name: `${kind}:releases`,
          periodMs: HOUR_MS,
          store: jobs,
          log,
          async run(signal) {
            await learn(await feed.week(signal));
            warnOfEnd(schedule, clock.nowMs(), log);
            return undefined;
          },
        });
  return {
    routes: openFunctionRoutes([calendarFunction({ kind, clock, log, week: feed.week })]),
    releases,
    async close() {
      await Promise.all([scheduled?.close(), feed.close()]);
    },
  };
}
