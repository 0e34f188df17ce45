/** The whole market's figures, its largest coins, and fear and greed, from our own endpoints. */
import * as z from 'zod/mini';
import { fearGreedSchema, fearGreedValue } from '#domain/market/reference/fear-greed.ts';
import {
  type Coin,
  coinsSchema,
  type GlobalMetrics,
  globalMetricsSchema,
} from '#domain/market/reference/global-metrics.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { fetchJson, headerTimeMs } from '../../platform/calls/fetch-json.ts';
import { COINS_FETCHED } from './market-snapshot.ts';

const GLOBAL_PATH = '/api/v3/global';
const COINS_PATH = `/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=${COINS_FETCHED}&page=1&sparkline=false&price_change_percentage=24h`;
const SPARKLINES_PATH = '/api/v3/coins/sparklines';
const FEAR_GREED_PATH = '/fng/?limit=1';

const sparklinesSchema = z.object({
  /** Time of the first price; null without any. */
  sinceMs: z.nullable(z.number()),
  /** By symbol, oldest first. */
  prices: z.record(z.string(), z.array(z.number().check(z.positive()))),
});
export type Sparklines = z.output<typeof sparklinesSchema>;

const GLOBAL_FAILED = 'Global market fetch failed';
const COINS_FAILED = 'Coin list fetch failed';
export const DATA_FAILED = 'Data fetch failed';

export interface Known<T> {
  value: T;
  /** When the source was queried; null when the server does not report it. */
  fetchedAtMs: number | null;
  isStale: boolean;
  kind: MarketKind | null;
  /** 'CoinGecko'; null when the server does not report it. */
  attribution: string | null;
}

/** @throws CallError 'Global market fetch failed' for every failure: refused, no answer in time, or another shape */
export function fetchGlobal(signal: AbortSignal): Promise<Known<GlobalMetrics>> {
  return fetchKnown(GLOBAL_PATH, GLOBAL_FAILED, (body) => globalMetricsSchema.parse(body), signal);
}

/** @throws CallError 'Coin list fetch failed' */
export function fetchCoins(signal: AbortSignal): Promise<Known<readonly Coin[]>> {
  return fetchKnown(COINS_PATH, COINS_FAILED, (body) => coinsSchema.parse(body), signal);
}

/** @returns 0 to 100  @throws CallError 'Data fetch failed' */
export function fetchFearGreed(signal: AbortSignal): Promise<Known<number>> {
  return fetchKnown(FEAR_GREED_PATH, DATA_FAILED, (body) => fearGreedValue(fearGreedSchema.parse(body)), signal);
}

/** @throws CallError */
export function fetchSparklines(signal: AbortSignal): Promise<Sparklines> {
  return fetchJson(SPARKLINES_PATH, {
    signal,
    failure: { code: 'market', message: COINS_FAILED },
    read: (body) => sparklinesSchema.parse(body),
  });
}

function fetchKnown<T>(
  path: string,
  message: string,
  read: (body: unknown) => T,
  signal: AbortSignal,
): Promise<Known<T>> {
  return fetchJson(path, {
    signal,
    failure: { code: 'market', message },
    read: (body, headers) => ({
      value: read(body),
      fetchedAtMs: headerTimeMs(headers, 'x-fetched-at'),
      isStale: headers.get('x-market-stale') === 'true',
      kind: MARKET_KINDS.find((kind) => kind === headers.get('x-market-kind')) ?? null,
      attribution: headers.get('x-market-attribution'),
    }),
  });
}
