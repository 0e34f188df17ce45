/** A seeded walk that looks like a market but isn't one; plain arithmetic, so every machine draws the same. */
import { areaPath, type CandlePaths, candlePaths, type DrawableCandle, type Point } from './candle-paths.ts';

export interface FieldOptions {
  seed: number;
  historyBars: number;
  forecastBars: number;
  width: number;
  height: number;
  step: number;
  bodyWidth: number;
  /** Share of the height that the walk spans, around the middle. */
  fill?: number;
}

export interface CandleField {
  history: CandlePaths;
  forecast: CandlePaths;
  /** x of the line between history and forecast. */
  joinX: number;
  /** y of the last real close. */
  joinY: number;
  /** Height of one unit of the walk. */
  unit: number;
  band80: string;
  band95: string;
}

/** Share of a burst's extra volatility that remains after each bar. */
const CALM = 0.9;
/** Standard normal quantiles at 0.9 and 0.975. */
const REACH_80 = 1.28;
const REACH_95 = 1.96;

export function candleField(options: FieldOptions): CandleField {
  const { seed, historyBars, forecastBars, width, height, step, bodyWidth, fill = 0.62 } = options;
  const candles = randomCandles(seed, historyBars + forecastBars);
  const top = Math.max(...candles.map((candle) => candle.high));
  const bottom = Math.min(...candles.map((candle) => candle.low));
  const scale = (height * fill) / (top - bottom);
  const yOf = (price: number): number => height / 2 - (price - (top + bottom) / 2) * scale;

  const left = step / 2;
  const joinX = historyBars * step;
  const place = { step, bodyWidth, yOf };
  const joinClose = candles[historyBars - 1]?.close ?? 0;
  const band = (reach: number): string =>
    bandPath(joinX, width, step, yOf(joinClose), reach * meanMove(candles) * scale);
  return {
    history: candlePaths(candles.slice(0, historyBars), { ...place, left }),
    forecast: candlePaths(candles.slice(historyBars), { ...place, left: left + joinX }),
    joinX,
    joinY: yOf(joinClose),
    unit: scale,
    band80: band(REACH_80),
    band95: band(REACH_95),
  };
}

/** A walk whose volatility clusters. */
export function randomCandles(seed: number, bars: number): DrawableCandle[] {
  const random = uniforms(seed);
  const bell = (): number => random() + random() + random() + random() - 2;
  const candles: DrawableCandle[] = [];
  let close = 0;
  let volatility = 1;
  for (let bar = 0; bar < bars; bar++) {
    volatility = CALM * volatility + (1 - CALM) * (0.4 + 1.2 * random()) + (random() < 0.04 ? 0.9 : 0);
    const open = close;
    close = open + volatility * bell() - 0.02 * open;
    const high = Math.max(open, close) + volatility * 0.5 * random();
    const low = Math.min(open, close) - volatility * 0.5 * random();
    candles.push({ open, high, low, close });
  }
  return candles;
}

function meanMove(candles: readonly DrawableCandle[]): number {
  return Math.sqrt(
    candles.reduce((sum, { open, close }) => sum + (close - open) ** 2, 0) / Math.max(1, candles.length),
  );
}

/** A band that widens with the square root of the bars ahead, around the last real close. */
function bandPath(joinX: number, width: number, step: number, middle: number, reach: number): string {
  const upper: Point[] = [];
  const lower: Point[] = [];
  for (let x = joinX; x < width + step / 2; x += step / 2) {
    const half = reach * Math.sqrt((x - joinX) / step);
    upper.push({ x, y: middle - half });
    lower.push({ x, y: middle + half });
  }
  return areaPath(upper, lower);
}

function uniforms(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
