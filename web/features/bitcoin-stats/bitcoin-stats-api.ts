import * as z from 'zod/mini';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { serverMessage } from '../../platform/calls/server-message.ts';
import { inTime } from '../../platform/calls/time-limit.ts';
import { tables } from '../../platform/supabase.ts';

export const STATS_FAILED = 'Failed to load BTC stats';
export const NO_SNAPSHOT = 'No BTC snapshot';

export interface BitcoinSnapshot {
  /** US dollars. */
  price: number;
  /** US dollars and per cent; null when the source lacks them. */
  change24h: number | null;
  percent24h: number | null;
  /** US dollars. */
  volume24h: number | null;
  fetchedAtMs: number;
  kind: MarketKind;
}

const figure = z.nullable(z.number());
const rowSchema = z.object({
  price: z.number().check(z.positive()),
  change_24h: figure,
  pct_24h: figure,
  volume_24h: z.nullable(z.number().check(z.nonnegative())),
  fetched_at: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  market_kind: z.enum(MARKET_KINDS),
});

const FIELDS = 'price, change_24h, pct_24h, volume_24h, fetched_at, market_kind';

/** @throws CallError with the database's message, 'No BTC snapshot', or 'Failed to load BTC stats' */
export async function fetchBitcoin(signal: AbortSignal): Promise<BitcoinSnapshot> {
  try {
    return await inTime(signal, fetchStored);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof CallError ? error : new CallError('network', STATS_FAILED, 0, error);
  }
}

async function fetchStored(signal: AbortSignal): Promise<BitcoinSnapshot> {
  const client = await tables();
  const { data, error, status } = await client
    .from('price_snapshots')
    .select(FIELDS)
    .eq('symbol', 'BTC')
    .order('fetched_at', { ascending: false })
    .limit(1)
    // The component that shows the prices retries.
    .retry(false)
    .abortSignal(signal);
  if (error !== null) throw new CallError('store', serverMessage(error, STATS_FAILED), status, error);
  const [row] = z.array(z.unknown()).parse(data);
  if (row === undefined) throw new CallError('store/empty', NO_SNAPSHOT, status);
  const { price, change_24h, pct_24h, volume_24h, fetched_at, market_kind } = rowSchema.parse(row);
  return {
    price,
    change24h: change_24h,
    percent24h: pct_24h,
    volume24h: volume_24h,
    fetchedAtMs: Date.parse(fetched_at),
    kind: market_kind,
  };
}
