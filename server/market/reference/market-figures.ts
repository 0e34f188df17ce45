/** Both CoinGecko requests are one run, so that a pause in its calls applies to both, whichever process has the run. */
import { isAppError } from '#domain/errors/app-error.ts';
import type { GlobalMetrics } from '#domain/market/reference/global-metrics.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { CallBudget } from '../../platform/feeds/call-budget.ts';
import type { FeedRequest } from '../../platform/feeds/feed-requests.ts';
import type { FeedStore } from '../../platform/feeds/feed-store.ts';
import type { CoinGecko } from './feeds/coingecko.ts';
import type { SnapshotStore } from './feeds/price-snapshot-store.ts';
import { COINS, GLOBAL } from './metrics-routes.ts';

export interface MarketFiguresOptions {
  gecko: CoinGecko;
  /** Null without its key. */
  fetchCoinMarketCap: FeedRequest<GlobalMetrics> | null;
  /** Null: without an allowance. */
  geckoBudget: CallBudget | null;
  capBudget: CallBudget | null;
  periodMs: number;
  store: FeedStore;
  snapshots: Pick<SnapshotStore, 'put'>;
  clock: Clock;
  /** The attribution as text, by the service that answered. */
  named(service: string): string;
}

/** Share of a period: a run may start slightly early where two clocks differ. */
const FRESH_SHARE = 0.9;

/** A run skips figures that another has just fetched. @throws AppError when CoinGecko failed without a fallback */
export function marketFigures(options: MarketFiguresOptions) {
  const { gecko, fetchCoinMarketCap, geckoBudget, capBudget, periodMs, store, snapshots, clock, named } = options;

  const paceOf = async (budget: CallBudget | null) => (await budget?.nextInMs(periodMs)) ?? periodMs;

  async function isYounger(feed: string, maxAgeMs: number): Promise<boolean> {
    const last = await store.get(feed);
    const ageMs = last === null ? Number.POSITIVE_INFINITY : clock.nowMs() - last.fetchedAtMs;
    return ageMs >= 0 && ageMs < FRESH_SHARE * maxAgeMs;
  }

  const putGlobal = (body: GlobalMetrics, service: string) =>
    store.put(GLOBAL, { body, attribution: named(service), fetchedAtMs: clock.nowMs() });

  async function collectGlobal(signal: AbortSignal): Promise<void> {
    if (await isYounger(GLOBAL, periodMs)) return;
    try {
      await putGlobal(await gecko.global(signal), 'CoinGecko');
    } catch (error) {
      if (fetchCoinMarketCap === null || signal.aborted || !isAppError(error)) throw error;
      // CoinMarketCap has its own pace, independent of retries at CoinGecko.
      if (await isYounger(GLOBAL, await paceOf(capBudget))) throw error;
      await putGlobal(await fetchCoinMarketCap(signal), 'CoinMarketCap');
    }
  }

  async function collectCoins(signal: AbortSignal): Promise<void> {
    if (await isYounger(COINS, periodMs)) return;
    const body = await gecko.coins(signal);
    const fetchedAtMs = clock.nowMs();
    await snapshots.put(body, fetchedAtMs);
    await store.put(COINS, { body, attribution: named('CoinGecko'), fetchedAtMs });
  }

  return async (signal: AbortSignal): Promise<{ nextInMs: number }> => {
    const failures: unknown[] = [];
    for (const collect of [collectGlobal, collectCoins]) {
      await collect(signal).catch((error: unknown) => failures.push(error));
      signal.throwIfAborted();
    }
    // The later error knows best how long calls are paused.
    if (failures.length > 0) throw failures.at(-1);
    return { nextInMs: await paceOf(geckoBudget) };
  };
}
