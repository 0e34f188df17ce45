/** The whole market's figures, its largest coins, fear and greed, from our own addresses. Specification 1, sections 7 and 8. */
import { fearGreedSchema, fearGreedValue } from '#domain/market/fear-greed.ts';
import { coinsSchema, globalMetricsSchema } from '#domain/market/global-metrics.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { CallError } from '../../platform/call-error.ts';
import { COINS_FETCHED, type MarketSnapshot, toSnapshot } from './market-snapshot.ts';

const GLOBAL_PATH = '/api/v3/global';
const COINS_PATH = `/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=${COINS_FETCHED}&page=1&sparkline=false&price_change_percentage=24h`;
const FEAR_GREED_PATH = '/fng/?limit=1';

const GLOBAL_FAILED = 'Global market fetch failed';
const COINS_FAILED = 'Coin list fetch failed';
const DATA_FAILED = 'Data fetch failed';

export interface KnownMarket {
  snapshot: MarketSnapshot;
  /** True when the index could not be had and its default stands there. */
  isFearGreedDefault: boolean;
  /** When the sources were asked, the one longest ago; null when the server does not say. */
  fetchedAtMs: number | null;
  /** True when that is longer ago than it should be. */
  isStale: boolean;
  kind: MarketKind | null;
  /** 'CoinGecko, alternative.me'; null when the server does not say. */
  attribution: string | null;
}

/**
 * @throws CallError 'Global market fetch failed' or 'Coin list fetch failed' when the server refuses one of them, 'Data
 *         fetch failed' when it does not answer or answers something else; never for the index alone
 */
export async function fetchMarket(signal: AbortSignal): Promise<KnownMarket> {
  const [global, coins, index] = await Promise.all([
    ask(GLOBAL_PATH, GLOBAL_FAILED, signal),
    ask(COINS_PATH, COINS_FAILED, signal),
    askFearGreed(signal),
  ]);
  const answers = [global, coins];
  const times = answers.flatMap(({ headers }) => timeOf(headers.get('x-fetched-at')) ?? []);
  const named = [...answers, ...(index === null ? [] : [index])].map(({ headers }) =>
    headers.get('x-market-attribution'),
  );
  const whose = [...new Set(named.flatMap((names) => names?.split(', ') ?? []))];
  return {
    snapshot: toSnapshot({
      global: parsed(globalMetricsSchema.safeParse(global.body)),
      coins: parsed(coinsSchema.safeParse(coins.body)),
      fearGreed: index?.value ?? null,
    }),
    isFearGreedDefault: index === null,
    fetchedAtMs: times.length === 0 ? null : Math.min(...times),
    isStale: answers.some(({ headers }) => headers.get('x-market-stale') === 'true'),
    kind: MARKET_KINDS.find((kind) => kind === global.headers.get('x-market-kind')) ?? null,
    attribution: whose.length === 0 ? null : whose.join(', '),
  };
}

interface Answer {
  body: unknown;
  headers: Headers;
}

async function ask(path: string, refused: string, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(path, { signal, headers: { accept: 'application/json' } });
    if (!response.ok) throw new CallError('market', refused, response.status);
    const body: unknown = await response.json();
    return { body, headers: response.headers };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof CallError ? error : new CallError('market', DATA_FAILED, 0, error);
  }
}

async function askFearGreed(signal: AbortSignal): Promise<{ value: number; headers: Headers } | null> {
  try {
    const { body, headers } = await ask(FEAR_GREED_PATH, DATA_FAILED, signal);
    return { value: fearGreedValue(fearGreedSchema.parse(body)), headers };
  } catch {
    signal.throwIfAborted();
    // The rest of the panel is worth showing without it; its default is marked as one.
    return null;
  }
}

function parsed<T>(result: { success: true; data: T } | { success: false; error: unknown }): T {
  if (!result.success) throw new CallError('market', DATA_FAILED, 200, result.error);
  return result.data;
}

function timeOf(header: string | null): number | null {
  const timeMs = Date.parse(header ?? '');
  return Number.isNaN(timeMs) ? null : timeMs;
}
