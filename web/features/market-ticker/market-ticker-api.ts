/** Newest prices of many coins, from the stored price snapshots. */
import * as z from 'zod/mini';
import { inTime } from '../../platform/calls/time-limit.ts';
import { tables } from '../../platform/supabase.ts';

export interface TickerItem {
  symbol: string;
  /** US dollars; null when unknown. */
  price: number | null;
  /** Per cent. */
  changePercent24h: number | null;
  /** US dollars. */
  volume24h: number | null;
}

export interface TickerPrices {
  /** Highest price first; each symbol once. */
  items: TickerItem[];
  /** Time of the newest price; null without prices. */
  updatedAtMs: number | null;
}

const figure = z.nullable(z.number());
const rowSchema = z.object({
  symbol: z.string().check(z.minLength(1), z.maxLength(32)),
  price: z.number().check(z.positive()),
  change_24h: figure,
  pct_24h: figure,
  volume_24h: figure,
  fetched_at: z.string(),
});

const FIELDS = 'symbol, price, change_24h, pct_24h, volume_24h, fetched_at';
/** Patterns of wrapped coins, dollar coins and staked coins, whose price is a duplicate or constant. */
const LEFT_OUT = ['w%', '%usd%', '%st%'] as const;
const LIMIT = 250;

/** @throws Error when the database refuses, does not answer in time or answers something else */
export function fetchTicker(signal: AbortSignal): Promise<TickerPrices> {
  return inTime(signal, fetchStored);
}

async function fetchStored(signal: AbortSignal): Promise<TickerPrices> {
  const client = await tables();
  const { data, error } = await LEFT_OUT.reduce(
    (query, pattern) => query.not('symbol', 'ilike', pattern),
    client.from('price_snapshots').select(FIELDS),
  )
    .order('price', { ascending: false })
    .order('fetched_at', { ascending: false })
    .limit(LIMIT)
    // The component that shows the prices retries.
    .retry(false)
    .abortSignal(signal);
  if (error !== null) throw new Error(error.message || 'price_snapshots could not be read', { cause: error });
  return pricesOf(z.array(z.unknown()).parse(data));
}

function pricesOf(rows: readonly unknown[]): TickerPrices {
  const items = new Map<string, TickerItem>();
  let updatedAtMs: number | null = null;
  for (const row of rows) {
    const parsed = rowSchema.safeParse(row);
    if (!parsed.success) continue;
    const { symbol, price, pct_24h, volume_24h, fetched_at } = parsed.data;
    const fetchedAtMs = Date.parse(fetched_at);
    if (fetchedAtMs > (updatedAtMs ?? 0)) updatedAtMs = fetchedAtMs;
    if (!items.has(symbol)) items.set(symbol, { symbol, price, changePercent24h: pct_24h, volume24h: volume_24h });
  }
  return { items: [...items.values()], updatedAtMs };
}
