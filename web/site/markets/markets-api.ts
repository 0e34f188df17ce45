/** GET /markets: products by code or name, for everyone. */
import { type FoundMarket, foundMarketsSchema, symbolOfFound } from '#domain/market/catalogue/found-market.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { CallError, readRefusal } from '../../platform/calls/call-error.ts';
import { routeUrl } from '../../platform/calls/route-url.ts';
import { retryingFetch } from '../../platform/calls/shed-retry.ts';

/** The best first. @throws CallError with a message for users, or the network's error */
export async function searchMarkets(query: string, limit: number, signal: AbortSignal): Promise<FoundMarket[]> {
  const response = await retryingFetch(routeUrl('/markets', { query, limit }), { signal });
  const body: unknown = await response.json().catch(() => null);
  const parsed = foundMarketsSchema.safeParse(body);
  if (response.ok && parsed.success) return parsed.data.markets;
  const { code = 'unknown', message = 'We couldn’t read the list of markets.' } = readRefusal(body);
  throw new CallError(code, message, response.status);
}

/** @param name  a label or a code. @returns null when no product has it */
export async function findMarket(name: string, signal: AbortSignal): Promise<MarketSymbol | null> {
  const wanted = name.toUpperCase();
  const found = await searchMarkets(name, 10, signal);
  const exact = found.find(({ label, sym }) => label.toUpperCase() === wanted || sym === wanted);
  return exact === undefined ? null : symbolOfFound(exact);
}
