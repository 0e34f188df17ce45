/** What the page does about names that it doesn’t know: of a product, in the address or in a saved prediction; of a timeframe. */
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { rememberMarket } from '../../../site/markets/known-markets.ts';
import { findMarket } from '../../../site/markets/markets-api.ts';
import { toast } from '../../../ui/overlay/toast.ts';

/** Null when no product has the name. @throws as findMarket */
export async function foundMarket(name: string, signal: AbortSignal): Promise<MarketSymbol | null> {
  const found = await findMarket(name, signal);
  return found === null || signal.aborted ? null : rememberMarket(found);
}

/** The page then knows it, or says that there is none. */
export async function nameMarket(name: string, signal: AbortSignal): Promise<void> {
  try {
    const found = await foundMarket(name, signal);
    if (found === null && !signal.aborted) toast.error(`We couldn’t find the market ${name}. Search for another one.`);
  } catch {
    if (!signal.aborted) toast.error(`We couldn’t look up the market ${name}. Reload the page to try again.`);
  }
}

/** Says that the address names a timeframe that does not exist. */
export function refuseTimeframe(name: string): void {
  toast.error(`There is no timeframe ${name.slice(0, 20)}. The chart shows 1 minute.`);
}
