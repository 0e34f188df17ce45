/** Longer bars, added up from whole minutes. */
import { type Candle, MINUTE_S } from './candle.ts';
import { barMinutesOf, type Timeframe } from './timeframes.ts';

/**
 * A bar exists only if every one of its minutes does, so none covers a gap.
 * @param minutes  well-formed one-minute candles, strictly rising in time
 * @param offsetMinutes  minutes past the whole bar at which bars open; 0 as venues have it
 */
export function aggregateCandles(minutes: readonly Candle[], timeframe: Timeframe, offsetMinutes = 0): Candle[] {
  const count = barMinutesOf(timeframe);
  const barS = count * MINUTE_S;
  const offsetS = offsetMinutes * MINUTE_S;
  const bars: Candle[] = [];
  let first = 0;
  while (first + count <= minutes.length) {
    const opening = minutes[first];
    const last = minutes[first + count - 1];
    if (opening === undefined || last === undefined) break;
    // Times rise by at least a minute, so the last one is in place only if all are.
    const isWhole = (opening.time - offsetS) % barS === 0 && last.time - opening.time === barS - MINUTE_S;
    if (isWhole) bars.push(addUp(minutes.slice(first, first + count)));
    first += isWhole ? count : 1;
  }
  return bars;
}

/** The bar that opens at `startS`, as far as it has come; null unless its minutes so far follow on one another. */
export function formingBar(minutes: readonly Candle[], startS: number, barS: number): Candle | null {
  const parts = minutes.filter(({ time }) => time >= startS && time < startS + barS);
  const isWhole = parts.length > 0 && parts.every(({ time }, i) => time === startS + i * MINUTE_S);
  return isWhole ? addUp(parts) : null;
}

/** One bar of these candles. @param parts  at least one, oldest first, without a gap */
export function addUp(parts: readonly Candle[]): Candle {
  const [opening, closing] = [parts[0], parts.at(-1)];
  if (opening === undefined || closing === undefined) throw new Error('a bar has at least one minute');
  return {
    time: opening.time,
    open: opening.open,
    high: parts.reduce((highest, { high }) => Math.max(highest, high), 0),
    low: parts.reduce((lowest, { low }) => Math.min(lowest, low), Number.POSITIVE_INFINITY),
    close: closing.close,
    volume: parts.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
  };
}
