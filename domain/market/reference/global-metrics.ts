/** CoinGecko's version 3 format, which our own endpoints use too. Nearly every number of a coin may be null. */
import * as z from 'zod/mini';
import { optionalField } from '../codecs/optional-field.ts';

const figure = z.number().check(z.nonnegative(), z.lt(1e21));
const change = z.number().check(z.gt(-1e15), z.lt(1e15));
const share = z.number().check(z.nonnegative(), z.lte(100));
const maybe = <T extends z.ZodMiniType>(schema: T) => z._default(z.nullable(schema), null);

/** GET /api/v3/global */
export const globalMetricsSchema = z.object({
  data: z.object({
    total_market_cap: z.object({ usd: figure }),
    /** Of 24 hours. */
    total_volume: z.object({ usd: figure }),
    market_cap_percentage: z.object({ btc: share, eth: optionalField(share) }),
    market_cap_change_percentage_24h_usd: z.optional(z.nullable(change)),
    /** Epoch seconds. */
    updated_at: optionalField(z.int()),
  }),
});
export type GlobalMetrics = z.output<typeof globalMetricsSchema>;

const text = z.string().check(z.minLength(1), z.maxLength(100));

/** One row of GET /api/v3/coins/markets; prices in US dollars, changes of 24 hours. */
export const coinSchema = z.object({
  id: text,
  /** Lower case, not unique. */
  symbol: text.check(z.maxLength(32)),
  name: text,
  current_price: maybe(figure),
  market_cap: maybe(figure),
  market_cap_rank: maybe(z.int()),
  total_volume: maybe(figure),
  high_24h: maybe(figure),
  low_24h: maybe(figure),
  price_change_24h: maybe(change),
  price_change_percentage_24h: maybe(change),
  price_change_percentage_24h_in_currency: maybe(change),
  circulating_supply: maybe(figure),
  last_updated: maybe(z.string().check(z.maxLength(40))),
});
export type Coin = z.output<typeof coinSchema>;

/** Largest first. */
export const coinsSchema = z.array(coinSchema).check(z.maxLength(250));

/** Maximum rows per call; the page shows 20 of 50. */
export const MAX_COINS = 250;
