/** Data of the market panel: each part is live, its last value until a newer arrives, or its fallback. */
import { useQuery } from '@tanstack/react-query';
import type { Coin, GlobalMetrics } from '#domain/market/reference/global-metrics.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import {
  DATA_FAILED,
  fetchCoins,
  fetchFearGreed,
  fetchGlobal,
  fetchSparklines,
  type Known,
  type Sparklines,
} from './market-panel-api.ts';
import { type MarketSnapshot, toSnapshot } from './market-snapshot.ts';

/** R-MARKET-15. */
const REFRESH_MS = 30_000;
/** A new point comes every ten minutes. */
const LINES_REFRESH_MS = 10 * 60_000;
const CLOCK_MS = 10_000;

/** 'fallback': fixed figures, not the market's (R-MARKET-17). */
export type PartState = 'live' | 'fallback';

export interface ShownMarket {
  snapshot: MarketSnapshot;
  /** Market capitalization, volume, dominance. */
  global: PartState;
  /** Prices and the list. */
  coins: PartState;
  /** 'default' beside live figures. */
  fearGreed: PartState | 'default';
  /** When the index was queried, if that is too long ago. */
  fearGreedOldMs: number | null;
  /** Oldest query time of the live parts; null when unknown, or when none is live. */
  fetchedAtMs: number | null;
  kind: MarketKind | null;
  /** 'CoinGecko, alternative.me'; null when unknown. */
  attribution: string | null;
}

export interface MarketPanelState {
  /** `data` is null until the first answers arrive; `failure` covers the figures and the list, never the index. */
  known: LastData<ShownMarket>;
  /** Empty until loaded, and if they cannot be: the rest of the table is whole without them. */
  lines: Sparklines;
  nowMs: number;
}

export function useMarket(): MarketPanelState {
  const nowMs = useNow(CLOCK_MS);
  const global = usePart('global', fetchGlobal, nowMs);
  const coins = usePart('coins', fetchCoins, nowMs);
  const index = usePart('fear-greed', fetchFearGreed, nowMs);
  const lines = useQuery({
    queryKey: ['market-panel', 'sparklines'],
    queryFn: ({ signal }) => fetchSparklines(signal),
    refetchInterval: LINES_REFRESH_MS,
  });
  const stale = [global, coins].flatMap(({ staleSinceMs }) => staleSinceMs ?? []);
  return {
    known: {
      data: [global, coins, index].every(isSettled) ? shown(global, coins, index) : null,
      failure: failureOf(global, coins),
      staleSinceMs: stale.length === 0 ? null : Math.min(...stale),
      isRetrying: global.isRetrying || coins.isRetrying,
      retry() {
        for (const part of [global, coins, index])
          if (part.failure !== null || part.staleSinceMs !== null) part.retry();
      },
    },
    lines: lines.data ?? NO_LINES,
    nowMs,
  };
}

const NO_LINES: Sparklines = { sinceMs: null, prices: {} };

/** The server may answer although its source has sent nothing newer. */
function usePart<T>(
  name: string,
  fetch: (signal: AbortSignal) => Promise<Known<T>>,
  nowMs: number,
): LastData<Known<T>> {
  const query = useQuery({
    queryKey: ['market-panel', name],
    queryFn: ({ signal }) => fetch(signal),
    refetchInterval: REFRESH_MS,
  });
  const lastData = useLastData(query, REFRESH_MS, nowMs, ({ fetchedAtMs }) => fetchedAtMs);
  const { data, staleSinceMs } = lastData;
  if (staleSinceMs !== null || data?.isStale !== true) return lastData;
  return { ...lastData, staleSinceMs: data.fetchedAtMs };
}

function isSettled({ data, failure }: LastData<unknown>): boolean {
  return data !== null || failure !== null;
}

function shown(
  global: LastData<Known<GlobalMetrics>>,
  coins: LastData<Known<readonly Coin[]>>,
  index: LastData<Known<number>>,
): ShownMarket {
  const figures = [global.data, coins.data].filter((part) => part !== null);
  const times = figures.flatMap(({ fetchedAtMs }) => fetchedAtMs ?? []);
  const named = [...figures, ...(index.data === null ? [] : [index.data])].map(({ attribution }) => attribution);
  const attributions = [...new Set(named.flatMap((names) => names?.split(', ') ?? []))];
  const missingIndex = figures.length === 0 ? 'fallback' : 'default';
  return {
    snapshot: toSnapshot({
      global: global.data?.value ?? null,
      coins: coins.data?.value ?? null,
      fearGreed: index.data?.value ?? null,
    }),
    global: global.data === null ? 'fallback' : 'live',
    coins: coins.data === null ? 'fallback' : 'live',
    fearGreed: index.data === null ? missingIndex : 'live',
    fearGreedOldMs: index.staleSinceMs,
    fetchedAtMs: times.length === 0 ? null : Math.min(...times),
    kind: (global.data ?? coins.data ?? index.data)?.kind ?? null,
    attribution: attributions.length === 0 ? null : attributions.join(', '),
  };
}

function failureOf(global: LastData<Known<unknown>>, coins: LastData<Known<unknown>>): string | null {
  if (global.failure !== null && coins.failure !== null) return DATA_FAILED;
  const failure = global.failure ?? coins.failure;
  if (failure !== null) return failure;
  const isUnresponsive = global.data?.isStale === true || coins.data?.isStale === true;
  return isUnresponsive ? 'The sources haven’t responded.' : null;
}
