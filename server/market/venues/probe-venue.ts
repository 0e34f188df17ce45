/** Checks once at start, with MARKET=auto, whether a real crypto venue can be reached. */
import type { FeedAddresses } from '../../platform/config/addresses.ts';
import type { CandleVenueId } from '../../platform/config/config-market.ts';
import { readBounded } from '../../platform/outbound/foreign-answer.ts';
import { BINANCE } from './binance.ts';
import { BYBIT } from './bybit.ts';
import { OKX } from './okx.ts';

/** Calls go to their time endpoints, whose parsers reject anything that is not a venue's answer. */
const WIRES = { binance: BINANCE, bybit: BYBIT, okx: OKX } as const;

/** A time is one line; a longer answer is another server's page. */
const MAX_ANSWER_BYTES = 16 << 10;

type CryptoVenueId = keyof typeof WIRES;

/** The venues that can be probed around the clock without keys. */
export function probedVenues(order: readonly CandleVenueId[]): CryptoVenueId[] {
  return order.filter((id) => id === 'binance' || id === 'bybit' || id === 'okx');
}

/** In parallel. @returns the first with a venue's answer (no captive portal's page) within `timeoutMs`; null without */
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
  const { path, parse } = WIRES[id].time;
  const response = await fetch(restUrl.replace(/\/$/, '') + path, { signal, redirect: 'error' });
  if (!response.ok) throw new Error(`status ${response.status}`);
  parse(JSON.parse(await readBounded(response, MAX_ANSWER_BYTES)));
  return id;
}
