/** Timeframes as text. At one minute every text is the one that Kat had before there were others. */
import { barMinutesOf, type Timeframe } from './timeframes.ts';

/** '1 minute', '15 minutes' */
export function timeframeName(timeframe: Timeframe): string {
  const minutes = barMinutesOf(timeframe);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** 'one-minute candles', '15-minute candles' */
export function candlesName(timeframe: Timeframe): string {
  const minutes = barMinutesOf(timeframe);
  return `${minutes === 1 ? 'one' : minutes}-minute candles`;
}

/** What a count of candles is a count of: minutes, where a candle is one. */
export function barUnit(timeframe: Timeframe, short = false): string {
  if (barMinutesOf(timeframe) > 1) return 'bars';
  return short ? 'min' : 'minutes';
}

/** How long some candles last: '50 min' of one minute, '4 h 10' of five. @param barMinutes  length of a candle */
export function barsDuration(bars: number, barMinutes: number): string {
  const minutes = bars * barMinutes;
  if (barMinutes === 1 || minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${String(rest).padStart(2, '0')}`}`;
}
