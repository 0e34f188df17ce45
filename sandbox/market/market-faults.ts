/** What may go wrong on purpose: tests take messages away to see that readers notice and repair. */
import type { Candle } from '#domain/market/candle.ts';

export interface MarketFaults {
  /** False: the message is lost on its way. */
  delivers(productId: string, candle: Candle, isClosed: boolean): boolean;
}

export const NO_FAULTS: MarketFaults = { delivers: () => true };
