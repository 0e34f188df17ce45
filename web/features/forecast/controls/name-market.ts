/** Finds a product that the address names and this browser has not met yet. */
import { rememberMarket } from '../../../site/known-markets.ts';
import { findMarket } from '../../../site/markets-api.ts';
import { toast } from '../../../ui/overlay/toast.ts';

export async function nameMarket(name: string, signal: AbortSignal): Promise<void> {
  try {
    const symbol = await findMarket(name, signal);
    if (signal.aborted) return;
    if (symbol === null) toast.error(`We couldn’t find the market ${name}. Search for another one.`);
    else rememberMarket(symbol);
  } catch {
    if (!signal.aborted) toast.error(`We couldn’t look up the market ${name}. Reload the page to try again.`);
  }
}
