/** Simulated candles with tails, clustering and a daily rhythm, for tests, golden files and benchmarks. */
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { normalDraw, type Random, seededRandom } from '../paths/random.ts';

export interface GeneratedSpec {
  seed: string;
  count: number;
  /** Opening second of the first candle. Default: 2025-01-01T00:00Z. */
  startS?: number;
  firstOpen?: number;
  /** Long-run volatility of the return of one candle. */
  volatility?: number;
  tickSize?: number;
  /** Seconds from one candle to the next. */
  barS?: number;
}

const NEW_YEAR_2025_S = 1_735_689_600;
/** GARCH(1,1): strong memory, as one-minute returns have. */
const ALPHA = 0.12;
const BETA = 0.86;
const STEPS_A_MINUTE = 12;

export function generatedCandles(spec: GeneratedSpec): Candle[] {
  const {
    seed,
    count,
    startS = NEW_YEAR_2025_S,
    firstOpen = 100,
    volatility = 8e-4,
    tickSize = 0.001,
    barS = MINUTE_S,
  } = spec;
  const random = seededRandom('generated-candles', seed);
  const decimals = Math.max(0, Math.ceil(-Math.log10(tickSize)));
  const onGrid = (price: number): number =>
    Number((Math.max(1, Math.round(price / tickSize)) * tickSize).toFixed(decimals));
  let relative = 1;
  let level = 0;
  let open = onGrid(firstOpen);
  return Array.from({ length: count }, (_, i) => {
    const time = startS + i * barS;
    const rhythm = 1 + 0.3 * Math.sin((2 * Math.PI * time) / 86_400);
    const minute = minutePath(random, volatility * Math.sqrt(relative * rhythm));
    const shock = minute.end / (volatility * Math.sqrt(rhythm));
    relative = Math.min(25, 1 - ALPHA - BETA + ALPHA * shock * shock + BETA * relative);
    const from = level;
    level += minute.end;
    const close = onGrid(firstOpen * Math.exp(level));
    const high = Math.max(open, close, onGrid(firstOpen * Math.exp(from + minute.high)));
    const low = Math.min(open, close, onGrid(firstOpen * Math.exp(from + minute.low)));
    const candle = { time, open, high, low, close, volume: Math.round(1000 * (0.2 + random())) / 100 };
    open = close;
    return candle;
  });
}

function minutePath(random: Random, volatility: number): { end: number; high: number; low: number } {
  let end = 0;
  let high = 0;
  let low = 0;
  for (let step = 0; step < STEPS_A_MINUTE; step++) {
    end += (volatility / Math.sqrt(STEPS_A_MINUTE)) * normalDraw(random);
    high = Math.max(high, end);
    low = Math.min(low, end);
  }
  return { end, high, low };
}
