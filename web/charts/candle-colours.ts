/**
 * How a candle looks. Direction has two cues, colour and body: rising bodies are hollow, falling ones filled.
 * Forecast candles keep both in a lighter hand: outlines, with the falling body only tinted.
 */
import type { Candle } from '#domain/market/candle.ts';
import { type Palette, withAlpha } from './palette.ts';

export interface CandleColours {
  /** Body. */
  color: string;
  borderColor: string;
  wickColor: string;
}

export function candleColours(candle: Candle, isForecast: boolean, palette: Palette): CandleColours {
  const isUp = candle.close >= candle.open;
  const line = isUp ? palette.up : palette.down;
  if (!isForecast) return { color: isUp ? palette.surface : line, borderColor: line, wickColor: line };
  return {
    color: isUp ? 'rgba(0, 0, 0, 0)' : withAlpha(line, 0.45),
    borderColor: line,
    wickColor: withAlpha(line, 0.85),
  };
}
