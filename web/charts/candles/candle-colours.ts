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
  /** A forecast whose minute is over: the real candle is drawn over it. */
  isPassed?: boolean;
}

const PASSED = 0.3;

export function candleColours(candle: Candle, kind: CandleKind, palette: Palette): CandleColours {
  const { isForecast, isThin, isPassed = false } = kind;
  const isUp = candle.close >= candle.open;
  const line = isUp ? palette.up : palette.down;
  if (isPassed) {
    const pale = withAlpha(line, PASSED);
    return { color: isThin ? pale : 'rgba(0, 0, 0, 0)', borderColor: pale, wickColor: pale };
  }
  if (isThin) {
    const body = withAlpha(line, isUp ? PALE_BODY : 1);
    return { color: body, borderColor: body, wickColor: withAlpha(line, THIN_WICK) };
  }
  if (!isForecast) return { color: isUp ? palette.surface : line, borderColor: line, wickColor: line };
  return {
    color: isUp ? 'rgba(0, 0, 0, 0)' : withAlpha(line, 0.45),
    borderColor: line,
    wickColor: withAlpha(line, 0.85),
  };
}
