/** Windows of the sandbox market's simulated past: what a model would have read then, and what followed. */
import { HORIZON_BARS, LOOKBACK_BARS } from '../../domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '../../domain/market/candle.ts';
import type { MarketSymbol } from '../../domain/market/symbols.ts';
import { simulatedSource } from '../../sandbox/market/simulation/simulation.ts';

/** The sandbox market's default seed. */
export const SEED = 'kat';

export interface SimulatedWindow {
  /** Last real minute. */
  t0: number;
  lookback: Candle[];
  outcome: Candle[];
}

/** Null if trading was closed at `t0` or closes within the 50 minutes after it. */
export function windowReader(symbol: MarketSymbol): (t0: number) => SimulatedWindow | null {
  const source = simulatedSource(symbol, SEED);
  return (t0) => {
    const outcome: Candle[] = [];
    for (let bar = 1; bar <= HORIZON_BARS; bar++) {
      const candle = source.candleAt(t0 + bar * MINUTE_S);
      if (candle === null) return null;
      outcome.push(candle);
    }
    const lookback: Candle[] = [];
    if (source.candleAt(t0) === null) return null;
    for (let time = t0; lookback.length < LOOKBACK_BARS; time -= MINUTE_S) {
      const candle = source.candleAt(time);
      if (candle !== null) lookback.push(candle);
      if (time < source.firstS) return null;
    }
    return { t0, lookback: lookback.reverse(), outcome };
  };
}
