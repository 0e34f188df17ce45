/** Checks once at start, with MARKET=auto, whether a real crypto venue can be reached. */
import { parseServerTime } from '#domain/market/codecs/binance-klines.ts';
import { parseBybitTime } from '#domain/market/codecs/bybit-klines.ts';
import { parseOkxTime } from '#domain/market/codecs/okx-candles.ts';
import type { FeedAddresses } from '../../platform/config/addresses.ts';
import type { CandleVenueId } from '../../platform/config/config-market.ts';
import { readBounded } from '../../platform/outbound/foreign-answer.ts';

/** Each venue's time endpoint and its parser, which rejects anything that is not a venue's answer. */
const PROBES = {
  binance: { path: '/fapi/v1/time', parse: parseServerTime },
  bybit: { path: '/v5/market/time', parse: parseBybitTime },
  okx: { path: '/api/v5/public/time', parse: parseOkxTime },
} as const;

/** A time is one line; a longer answer is another server's page. */
const MAX_ANSWER_BYTES = 16 << 10;

type CryptoVenueId = keyof typeof PROBES;

/** The venues that can be probed around the clock without keys. */
export function probedVenues(order: readonly CandleVenueId[]): CryptoVenueId[] {
  return order.filter((id) => id === 'binance' || id === 'bybit' || id === 'okx');
}

/**
 * Probes all crypto venues of the order in parallel.
 *
 * @param timeoutMs  how long to wait for an answer
 * @returns the first that gives a venue's answer (a captive portal's page is not one); null when none does in time
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
    // Every failure means the same here: no venue is usable, and the sandbox market is used.
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
