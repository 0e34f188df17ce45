/** CoinMarketCap: figures of the whole market when CoinGecko fails. */
import * as z from 'zod/mini';
import { optionalField } from '#domain/market/codecs/optional-field.ts';
import { type GlobalMetrics, globalMetricsSchema } from '#domain/market/reference/global-metrics.ts';
import { statusRefusal } from '../../../platform/feeds/body-refusal.ts';
import { type FeedRequest, feedRequests, jsonOf } from '../../../platform/feeds/feed-requests.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';

export interface CoinMarketCapOptions {
  restUrl: string;
  key: string;
  log: Logger;
  spend: (() => Promise<void>) | undefined;
  fetch?: typeof fetch | undefined;
}

/** For the free plan; one call per try. */
export const COINMARKETCAP_CALLS_PER_MONTH = 10_000;

const answerSchema = z.object({
  status: z.object({ error_code: z.coerce.number() }),
  data: z.object({
    btc_dominance: z.number(),
    eth_dominance: optionalField(z.number()),
    quote: z.object({ USD: z.object({ total_market_cap: z.number(), total_volume_24h: z.number() }) }),
  }),
});
const readAnswer = jsonOf(answerSchema);

/** Converted to CoinGecko's format, which our route returns. */
export function coinMarketCap({ restUrl, key, log, spend, fetch }: CoinMarketCapOptions): FeedRequest<GlobalMetrics> {
  const requests = feedRequests({
    baseUrl: restUrl,
    headers: { 'x-cmc_pro_api_key': key },
    readRefusal: statusRefusal,
    log,
    ...(spend === undefined ? {} : { spend }),
    fetch,
  });
  return requests.question({ path: '/v1/global-metrics/quotes/latest', read: readGlobal });
}

function readGlobal(body: string): GlobalMetrics {
  const { status, data } = readAnswer(body);
  if (status.error_code !== 0) throw new Error(`error ${status.error_code}`);
  const { total_market_cap, total_volume_24h } = data.quote.USD;
  return globalMetricsSchema.parse({
    data: {
      total_market_cap: { usd: total_market_cap },
      total_volume: { usd: total_volume_24h },
      market_cap_percentage: { btc: data.btc_dominance, eth: data.eth_dominance },
    },
  });
}
