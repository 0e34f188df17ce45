/** Direction has two cues, colour and body: rising bodies are hollow, falling ones filled, a forecast's only tinted. */
import type { Candle } from '#domain/market/candle.ts';
import { type Palette, withAlpha } from '../palette.ts';

export interface CandleColours {
  color: string;
  borderColor: string;
  wickColor: string;
}

/** Bodies contrast with their wicks, and falling bodies with rising ones. */
const PALE_BODY = 0.7;
const THIN_WICK = 0.45;

export interface CandleKind {
  isForecast: boolean;
  /** The bar is too narrow for a hollow body: a rising one is drawn paler instead, as a hollow one looks from afar. */
  isThin: boolean;
  /** A forecast whose minute is over: a line replaces it, and the real candle is drawn over that. */
  isPassed?: boolean;
  /** A real candle that was forecast: in a colour that no forecast has. */
  isActual?: boolean;
  /** Its price is old. */
  isLate?: boolean;
}

const LATE = 0.4;
const NONE = 'rgba(0, 0, 0, 0)';

export function candleColours(candle: Candle, kind: CandleKind, palette: Palette): CandleColours {
  const { isForecast, isThin, isPassed = false, isActual = false, isLate = false } = kind;
  if (isPassed) return { color: NONE, borderColor: NONE, wickColor: NONE };
  const isUp = candle.close >= candle.open;
  const own = isUp ? palette.up : palette.down;
  const full = isActual ? palette.text : own;
  const pale = (alpha: number) => withAlpha(full, isLate ? alpha * LATE : alpha);
  if (isThin) {
    const body = pale(isUp ? PALE_BODY : 1);
    return { color: body, borderColor: body, wickColor: pale(THIN_WICK) };
  }
  const line = isLate ? pale(1) : full;
  if (!isForecast) return { color: isUp ? palette.surface : line, borderColor: line, wickColor: line };
  return { color: isUp ? NONE : pale(0.45), borderColor: line, wickColor: pale(0.85) };
}
