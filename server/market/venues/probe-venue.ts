/** Can a real crypto venue be reached from here? Asked once at the start, when MARKET is `auto`. */
import { parseServerTime } from '#domain/market/codecs/binance-klines.ts';
import { parseBybitTime } from '#domain/market/codecs/bybit-klines.ts';
import { parseOkxTime } from '#domain/market/codecs/okx-candles.ts';
import type { CandleVenueId, FeedAddresses } from '../../platform/config/config-market.ts';
import { readBounded } from '../../platform/outbound/foreign-answer.ts';

/** Where each tells its time, and how that is read; the parser refuses everything that no venue would say. */
const PROBES = {
  binance: { path: '/fapi/v1/time', parse: parseServerTime },
  bybit: { path: '/v5/market/time', parse: parseBybitTime },
  okx: { path: '/api/v5/public/time', parse: parseOkxTime },
} as const;

/** A time is a line; what is longer is some other server's page. */
const MAX_ANSWER_BYTES = 16 << 10;

type CryptoVenueId = keyof typeof PROBES;

/** Those of the order that can be asked without keys and around the clock. */
export function probedVenues(order: readonly CandleVenueId[]): CryptoVenueId[] {
  return order.filter((id) => id === 'binance' || id === 'bybit' || id === 'okx');
}

/**
 * Asks all crypto venues of the order at once.
 *
 * @param timeoutMs  how long to wait for an answer
 * @returns the first that answers as a venue would (a captive portal's page is none); null when none does in time
 */
export async function probeVenues(
  order: readonly CandleVenueId[],
  addresses: Pick<FeedAddresses, CryptoVenueId>,
  timeoutMs: number,
): Promise<CryptoVenueId | null> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await Promise.any(probedVenues(order).map((id) => probe(id, addresses[id].restUrl, signal)));
  } catch {
    // Every failure means the same here: no venue can be used, and the sandbox market takes their place.
    return null;
  } finally {
    over.abort();
  }
}

async function probe(id: CryptoVenueId, restUrl: string, signal: AbortSignal): Promise<CryptoVenueId> {
  const { path, parse } = PROBES[id];
  const response = await fetch(restUrl.replace(/\/$/, '') + path, { signal, redirect: 'error' });
  if (!response.ok) throw new Error(`status ${response.status}`);
  parse(JSON.parse(await readBounded(response, MAX_ANSWER_BYTES)));
  return id;
}
