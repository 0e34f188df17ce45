/** One process collects these within each service's allowance; all processes read them from the database. */
import type { Hono } from 'hono';
import { type FearGreedAnswer, fearGreedSchema } from '#domain/market/reference/fear-greed.ts';
import { coinsSchema } from '#domain/market/reference/global-metrics.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Core } from '../../core.ts';
import type { FeedAddresses } from '../../platform/config/addresses.ts';
import type { FeedKeys } from '../../platform/config/config-market.ts';
import { callBudget } from '../../platform/feeds/call-budget.ts';
import { callStore } from '../../platform/feeds/call-store.ts';
import { type FeedRequest, feedRequests, jsonOf } from '../../platform/feeds/feed-requests.ts';
import { type FeedKind, feedStore } from '../../platform/feeds/feed-store.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type JobOptions, startJob } from '../../platform/processes/schedule.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { coinGecko, coinGeckoPlan } from './feeds/coingecko.ts';
import { COINMARKETCAP_CALLS_PER_MONTH, coinMarketCap } from './feeds/coinmarketcap.ts';
import { snapshotStore } from './feeds/price-snapshot-store.ts';
import type { LivePrices } from './live-overlay.ts';
import { marketFigures } from './market-figures.ts';
import { COINS, FEAR_GREED, metricsRoutes } from './metrics-routes.ts';
import { originOf } from './upstream-cache.ts';

export interface ReferenceMetricsOptions extends Pick<Core, 'database' | 'clock' | 'log'> {
  source: {
    kind: MarketKind;
    addresses: Pick<FeedAddresses, 'coingecko' | 'coinmarketcap' | 'fearGreed'>;
    keys: Pick<FeedKeys, 'coingecko' | 'coinmarketcap'>;
  };
  /** Must not fail: empty while no price is known. */
  livePrices(signal: AbortSignal): Promise<LivePrices>;
  /** For a sandbox, which has no allowance. */
  sandboxPeriodMs?: number;
  fetch?: typeof globalThis.fetch | undefined;
}

export interface ReferenceMetrics {
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
/** Two requests, and the fallback for the first. */
const FIGURES_LIMIT_MS = 3 * RUN_LIMIT_MS;

/** Calls allowed per month, by feed, for each service with an allowance. */
export function callAllowances(keys: Pick<FeedKeys, 'coingecko' | 'coinmarketcap'>): Record<string, number> {
  return {
    coingecko: coinGeckoPlan(keys.coingecko).callsPerMonth,
    ...(keys.coinmarketcap === null ? {} : { coinmarketcap: COINMARKETCAP_CALLS_PER_MONTH }),
  };
}

export function openMetrics(options: ReferenceMetricsOptions): ReferenceMetrics {
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
  const fetchCoinMarketCap =
    keys.coinmarketcap === null
      ? null
      : coinMarketCap({ ...addresses.coinmarketcap, key: keys.coinmarketcap, log, fetch, spend: capBudget?.spend });
  const fetchFearGreed = fearGreed({ ...addresses.fearGreed, log, fetch });

  const named = (service: string) => originOf(source, service).attribution;
  const collectFigures = marketFigures({
    gecko,
    fetchCoinMarketCap,
    geckoBudget,
    capBudget,
    periodMs,
    store,
    snapshots,
    clock,
    named,
  });

  /** Every server reads this table, so no sandbox price may appear as live in it, not even until the next answer. */
  async function takeOverSnapshots() {
    try {
      const last = await store.get(COINS);
      const coins = coinsSchema.safeParse(last?.body);
      await snapshots.takeOver(coins.success ? coins.data : [], last?.fetchedAtMs ?? clock.nowMs());
    } catch (error) {
      // The database may be restarting: the first answer also removes the other kind's rows.
      log.warn({ err: error }, 'price snapshots of another market kind could not be replaced');
    }
  }

  async function collectFearGreed(signal: AbortSignal) {
    const body = await fetchFearGreed(signal);
    await store.put(FEAR_GREED, { body, attribution: named('alternative.me'), fetchedAtMs: clock.nowMs() });
    return undefined;
  }

  async function thin() {
    const removed = await snapshots.thin(clock.nowMs());
    if (removed > 0) log.info({ removed }, 'price history thinned');
    return undefined;
  }

  const takeover = takeOverSnapshots();
  const start = (name: string, job: Pick<JobOptions, 'periodMs' | 'run' | 'limitMs'>) =>
    startJob({ name: `${kind}:${name}`, store: jobs, log, limitMs: RUN_LIMIT_MS, ...job });
  const started = [
    // Named after the plan: the wait for an allowance is the plan's, and the job of another plan is due immediately.
    start(`market-figures:${keys.coingecko?.plan ?? 'keyless'}`, {
      periodMs,
      limitMs: FIGURES_LIMIT_MS,
      async run(signal) {
        await takeover;
        return collectFigures(signal);
      },
    }),
    start('fear-greed', { periodMs: isLive ? FEAR_GREED_PERIOD_MS : periodMs, run: collectFearGreed }),
    start('price-history', { periodMs: THINNING_PERIOD_MS, run: thin }),
  ];

  return {
    routes: metricsRoutes({ store, snapshots, kind, clock, staleMs: STALE_MS, livePrices }),
    async close() {
      await Promise.all([takeover, ...started.map((job) => job.close())]);
    },
  };
}

export interface FearGreedOptions {
  restUrl: string;
  log: Logger;
  fetch?: typeof fetch | undefined;
}

function fearGreed({ restUrl, log, fetch }: FearGreedOptions): FeedRequest<FearGreedAnswer> {
  const requests = feedRequests({ baseUrl: restUrl, log, fetch });
  return requests.question({ path: '/fng/', query: { limit: 1 }, read: jsonOf(fearGreedSchema) });
}
