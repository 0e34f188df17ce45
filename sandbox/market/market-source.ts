/** A source of the sandbox market's candles: a recording or the simulator, with the same interface. */
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';

export interface SandboxMarketSource {
  readonly kind: Extract<MarketKind, 'replayed' | 'simulated'>;
  /** No candle exists before this, epoch seconds of market time. */
  readonly firstS: number;
  /** The final candle of a minute, even before the minute ends; null for a minute without one. */
  candleAt(timeS: number): Candle | null;
  /** When a replayed candle was recorded, epoch seconds; null for simulated ones and missing minutes. */
  sourceTimeOf(timeS: number): number | null;
}
