/** Where the sandbox market's candles come from: a recording or the simulator, asked the same way. */
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';

export interface MarketSource {
  readonly kind: Extract<MarketKind, 'replayed' | 'simulated'>;
  /** No candle exists before this, epoch seconds of market time. */
  readonly firstS: number;
  /** The whole candle of a minute, as it will have closed; null where the market has none. */
  candleAt(timeS: number): Candle | null;
  /** When a replayed candle was recorded, epoch seconds; null for simulated ones and missing minutes. */
  sourceTimeOf(timeS: number): number | null;
}
