/** Loads when the first trade opens. */

import type { ClosedTrade } from '../paper-trade.ts';
import { marketKind } from './account-trades-api.ts';
import { addLocalTrade } from './local-trades.ts';

/** It is stored in this browser; the list takes it from there to the account. @throws Error without the settings */
export async function storeTrade({ owner, symbol: _, ...trade }: ClosedTrade): Promise<void> {
  addLocalTrade(owner, { ...trade, marketKind: await marketKind() });
}
