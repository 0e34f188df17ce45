/**
 * Reference figures: the whole market, the largest coins with their price snapshots, fear and greed. Collected on a
 * schedule by one process, within what each service allows, and read by all from the database.
 */
import type { Hono } from 'hono';
import { isAppError } from '#domain/errors/app-error.ts';
import { coinsSchema } from '#domain/market/global-metrics.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedAddresses, FeedKeys } from '../platform/config-market.ts';
import type { Database } from '../platform/database.ts';
import { jobStore } from '../platform/job-store.ts';
import type { Logger } from '../platform/log.ts';
import { type JobOptions, startJob } from '../platform/schedule.ts';
import { type CallBudget, callBudget } from './feeds/call-budget.ts';
import { callStore } from './feeds/call-store.ts';
import { coinGecko, coinGeckoPlan } from './feeds/coingecko.ts';
import { COINMARKETCAP_CALLS_PER_MONTH, coinMarketCap } from './feeds/coinmarketcap.ts';
import { fearGreed } from './feeds/fear-greed.ts';
import { type FeedKind, feedStore } from './feeds/feed-store.ts';
import { snapshotStore } from './feeds/price-snapshot-store.ts';
import { originOf } from './kept-answer.ts';
import type { LivePrices } from './live-overlay.ts';
import { COINS, FEAR_GREED, GLOBAL, metricsRoutes } from './metrics-routes.ts';

export interface MetricsOptions {
  source: {
    kind: MarketKind;
    addresses: Pick<FeedAddresses, 'coingecko' | 'coinmarketcap' | 'fearGreed'>;
    keys: Pick<FeedKeys, 'coingecko' | 'coinmarketcap'>;
  };
  database: Database;
  clock: Clock;
  log: Logger;
  /** Must not fail: empty where nothing is known. */
  livePrices(signal: AbortSignal): Promise<LivePrices>;
  /** Of a sandbox, which has no allowance. */
  sandboxPeriodMs?: number;
  fetch?: typeof globalThis.fetch | undefined;
}

export interface Metrics {
  routes: Hono;
  close(): Promise<void>;
}

const SANDBOX_PERIOD_MS = 60_000;
/** The index changes at midnight, UTC. */
const FEAR_GREED_PERIOD_MS = 3_600_000;
const THINNING_PERIOD_MS = 6 * 3_600_000;
/** Three periods of the slowest feed that changes within the day. */
const STALE_MS = 90 * 60_000;
/** Three tries of at most 8 s, and the waits between them. */
const RUN_LIMIT_MS = 40_000;

export function openMetrics(options: MetricsOptions): Metrics {
  const { source, database, clock, log, livePrices, fetch } = options;
  const { addresses, keys } = source;
  const kind: FeedKind = source.kind === 'live' ? 'live' : 'simulated';
  const isLive = kind === 'live';
  const store = feedStore(database, kind);
  const snapshots = snapshotStore(database, kind);
  const calls = callStore(database);
  const jobs = jobStore(database);

  const plan = coinGeckoPlan(keys.coingecko);
  const periodMs = isLive ? plan.periodMs : (options.sandboxPeriodMs ?? SANDBOX_PERIOD_MS);
  const budgetOf = (feed: string, callsPerMonth: number, callsPerRound: number) =>
    isLive ? callBudget({ feed, callsPerMonth, callsPerRound, calls, clock }) : null;
  const geckoBudget = budgetOf('coingecko', plan.callsPerMonth, 2);
  const capBudget = budgetOf('coinmarketcap', COINMARKETCAP_CALLS_PER_MONTH, 1);
  const gecko = coinGecko({
    ...addresses.coingecko,
    key: keys.coingecko,
    log,
    isLive,
    fetch,
    spend: geckoBudget?.spend,
  });
  const askCap =
    keys.coinmarketcap === null
      ? null
      : coinMarketCap({ ...addresses.coinmarketcap, key: keys.coinmarketcap, log, fetch, spend: capBudget?.spend });
  const askFearGreed = fearGreed({ ...addresses.fearGreed, log, fetch });

  const named = (service: string) => originOf(source, service).attribution;
  const pacedBy = async (budget: CallBudget | null) => ({ nextInMs: (await budget?.nextInMs(periodMs)) ?? periodMs });

  async function collectGlobal(signal: AbortSignal) {
    const { body, attribution, budget } = await askGlobal(signal);
    await store.put(GLOBAL, { body, attribution: named(attribution), fetchedAtMs: clock.nowMs() });
    return pacedBy(budget);
  }

  /** The budget is that of whoever answered: with CoinGecko's spent, the other goes on at its own pace. */
  async function askGlobal(signal: AbortSignal) {
    try {
      return { body: await gecko.global(signal), attribution: 'CoinGecko', budget: geckoBudget };
    } catch (error) {
      if (askCap === null || signal.aborted || !isAppError(error)) throw error;
      return { body: await askCap(signal), attribution: 'CoinMarketCap', budget: capBudget };
    }
  }

  /** The table is read by all, whoever serves: nothing of a sandbox may stand there as live, not even until the next answer. */
  async function takeOverSnapshots() {
    try {
      const last = await store.get(COINS);
      const coins = coinsSchema.safeParse(last?.body);
      await snapshots.takeOver(coins.success ? coins.data : [], last?.fetchedAtMs ?? clock.nowMs());
    } catch (error) {
      // The database may be restarting: the first answer removes the other kind's rows too.
      log.warn({ err: error }, 'price snapshots could not be taken over');
    }
  }

  async function collectCoins(signal: AbortSignal) {
    await tookOver;
    const coins = await gecko.coins(signal);
    const fetchedAtMs = clock.nowMs();
    await snapshots.put(coins, fetchedAtMs);
    await store.put(COINS, { body: coins, attribution: named('CoinGecko'), fetchedAtMs });
    return pacedBy(geckoBudget);
  }

  async function collectFearGreed(signal: AbortSignal) {
    const body = await askFearGreed(signal);
    await store.put(FEAR_GREED, { body, attribution: named('alternative.me'), fetchedAtMs: clock.nowMs() });
    return undefined;
  }

  async function thin() {
    const removed = await snapshots.thin(clock.nowMs());
    if (removed > 0) log.info({ removed }, 'price history thinned');
    return undefined;
  }

  const tookOver = takeOverSnapshots();
  const start = (name: string, job: Pick<JobOptions, 'periodMs' | 'run'>) =>
    startJob({ name: `${kind}:${name}`, store: jobs, log, limitMs: RUN_LIMIT_MS, ...job });
  const started = [
    start('global-metrics', { periodMs, run: collectGlobal }),
    start('coins', { periodMs, run: collectCoins }),
    start('fear-greed', { periodMs: isLive ? FEAR_GREED_PERIOD_MS : periodMs, run: collectFearGreed }),
    start('price-history', { periodMs: THINNING_PERIOD_MS, run: thin }),
  ];

  return {
    routes: metricsRoutes({ store, kind, clock, staleMs: STALE_MS, livePrices }),
    async close() {
      await Promise.all([tookOver, ...started.map((job) => job.close())]);
    },
  };
}
