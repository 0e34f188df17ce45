/** CoinGecko API, version 3: the whole market and its largest coins, with the configured key and plan. */
import * as z from 'zod/mini';
import {
  type Coin,
  coinSchema,
  type GlobalMetrics,
  globalMetricsSchema,
  MAX_COINS,
} from '#domain/market/reference/global-metrics.ts';
import type { FeedKeys } from '../../../platform/config/config-market.ts';
import { statusRefusal } from '../../../platform/feeds/body-refusal.ts';
import { type FeedRequest, feedRequests, jsonOf } from '../../../platform/feeds/feed-requests.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';

export interface CoinGeckoOptions {
  restUrl: string;
  key: FeedKeys['coingecko'];
  log: Logger;
  /** False: a sandbox, which has no allowance. */
  isLive: boolean;
  spend: (() => Promise<void>) | undefined;
  fetch?: typeof fetch | undefined;
}

export interface CoinGecko {
  global: FeedRequest<GlobalMetrics>;
  /** The largest 250, largest first; malformed rows are dropped. */
  coins: FeedRequest<Coin[]>;
}

interface Plan {
  periodMs: number;
  callsPerMonth: number;
  bucket: { size: number; perMinute: number };
}

const MINUTE_MS = 60_000;

/** Calls a month, two per period: 8,928 of 10,000 with a demo key, 2,976 without, 89,280 on the smallest paid plan. */
const PLANS = {
  keyless: { periodMs: 30 * MINUTE_MS, callsPerMonth: 5000, bucket: { size: 2, perMinute: 4 } },
  demo: { periodMs: 10 * MINUTE_MS, callsPerMonth: 10_000, bucket: { size: 4, perMinute: 20 } },
  paid: { periodMs: MINUTE_MS, callsPerMonth: 100_000, bucket: { size: 10, perMinute: 100 } },
} as const satisfies Record<string, Plan>;

export function coinGeckoPlan(key: FeedKeys['coingecko']): Plan {
  return PLANS[key?.plan ?? 'keyless'];
}

const SANDBOX_BUCKET = { size: 100, perMinute: 1000 };
/** The public API refuses paid keys, and the paid one refuses all others. */
const PUBLIC_URL = 'https://api.coingecko.com';
const PAID_URL = 'https://pro-api.coingecko.com';
/** With a smaller share of valid rows the answer is not the list we expect. */
const ENOUGH_SHARE = 0.5;

export function coinGecko({ restUrl, key, log, isLive, spend, fetch }: CoinGeckoOptions): CoinGecko {
  const isPaid = key?.plan === 'paid';
  const requests = feedRequests({
    baseUrl: isPaid && restUrl === PUBLIC_URL ? PAID_URL : restUrl,
    headers: key === null ? {} : { [isPaid ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: key.key },
    readRefusal: statusRefusal,
    bucket: isLive ? coinGeckoPlan(key).bucket : SANDBOX_BUCKET,
    log,
    ...(spend === undefined ? {} : { spend }),
    fetch,
  });
  return {
    global: requests.question({ path: '/api/v3/global', read: jsonOf(globalMetricsSchema) }),
    coins: requests.question({
      path: '/api/v3/coins/markets',
      query: {
        vs_currency: 'usd',
        order: 'market_cap_desc',
        per_page: MAX_COINS,
        page: 1,
        sparkline: 'false',
        price_change_percentage: '24h',
      },
      read: readCoins,
    }),
  };
}

const readRows = jsonOf(z.array(z.unknown()));

/** @throws Error when most rows are malformed, or there is none */
function readCoins(body: string): Coin[] {
  const rows = readRows(body);
  const coins = rows.flatMap((row) => {
    const coin = coinSchema.safeParse(row);
    return coin.success ? [coin.data] : [];
  });
  if (coins.length === 0 || coins.length < rows.length * ENOUGH_SHARE)
    throw new Error(`${coins.length} of ${rows.length} coins are well-formed`);
  return coins.slice(0, MAX_COINS);
}
