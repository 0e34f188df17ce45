/** The trades of a minute add up exactly to its candle. Open candle, ticker and book are all built from them. */
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { SandboxMarketSource } from '../market-source.ts';
import { gaussianAt, streamOf, uniformAt } from './noise.ts';
import { fromUnits, shareVolume } from './volume-shares.ts';

export interface Trade {
  /** Rises from trade to trade of a symbol, with jumps from minute to minute. */
  id: number;
  /** Epoch milliseconds of market time; several trades may share one. */
  timeMs: number;
  price: number;
  size: number;
  /** The taker's side: a buy hits an ask. */
  side: 'buy' | 'sell';
  /** Volume of the minute up to and including this trade, exact. */
  volumeSoFar: number;
}

export interface Ticks {
  /** Oldest first, the first at the very start of the minute; empty for a minute without candle. */
  tradesOf(timeS: number): readonly Trade[];
}

const IDS_A_MINUTE = 1000;
const MIN_TRADES = 12;
const MAX_TRADES = 400;
/** Of one symbol in a second of real time, however fast the market runs. */
const MAX_TRADES_A_SECOND = 400;
/** Additional trades for each basis point of a minute's range. */
const TRADES_A_BP = 9;
/** Deviation of the path from the straight line between two stops, as a share of the minute's range. */
const STRAY = 0.22;
/** The running minute, the one before, and some past ones for other callers. */
const MAX_CACHED_MINUTES = 6;
const MINUTE_MS = MINUTE_S * 1000;

/** The trades of a source's candles, with the last few minutes cached. @param speed  a fast market has fewer trades */
export function ticksOf(
  symbol: Pick<MarketSymbol, 'sym' | 'tickSize'>,
  source: SandboxMarketSource,
  seed: string,
  speed = 1,
): Ticks {
  const stream = streamOf(seed, symbol.sym, 'ticks');
  const mostTrades = Math.min(MAX_TRADES, Math.floor((MAX_TRADES_A_SECOND * MINUTE_S) / speed));
  const cache = new Map<number, readonly Trade[]>();
  return {
    tradesOf(timeS) {
      const known = cache.get(timeS);
      if (known !== undefined) return known;
      const candle = source.candleAt(timeS);
      const trades = candle === null ? [] : tradesOfCandle(candle, symbol.tickSize, stream, mostTrades);
      if (cache.size >= MAX_CACHED_MINUTES) cache.delete(cache.keys().next().value ?? timeS);
      cache.set(timeS, trades);
      return trades;
    },
  };
}

/** @param tickSize  price step of trades within the candle, if the candle's prices are multiples of it */
export function tradesOfCandle(candle: Candle, tickSize: number, stream: number, mostTrades = MAX_TRADES): Trade[] {
  // Each minute has its own random numbers.
  const own = streamOf(stream, candle.time);
  const stops = stopsOf(candle);
  const count = countOf(candle, { stops: stops.length, mostTrades, own });
  const prices = pathThrough(stops, count, candle, gridOf(candle, tickSize), own);
  const times = timesOf(count, own);
  const weights = Array.from({ length: count }, (_, i) => Math.exp(1.1 * gaussianAt(own ^ 3, i)));
  const { sizes, totals } = shareVolume(candle.volume ?? 0, weights);
  return prices.map((price, i) => {
    const last = prices[i - 1] ?? price;
    const isBuy = price === last ? uniformAt(own ^ 4, i) < 0.5 : price > last;
    return {
      id: (candle.time / MINUTE_S) * IDS_A_MINUTE + i,
      timeMs: candle.time * 1000 + (times[i] ?? 0),
      price,
      size: sizes[i] ?? 0,
      side: isBuy ? 'buy' : 'sell',
      volumeSoFar: totals[i] ?? 0,
    };
  });
}

/** Prices that the path must touch, in order; the extreme opposite the close is first. Equal neighbours are merged. */
function stopsOf({ open, high, low, close }: Candle): number[] {
  const stops = close >= open ? [open, low, high, close] : [open, high, low, close];
  return stops.filter((price, i) => i === 0 || price !== stops[i - 1]);
}

/** Wild minutes have more trades, and no minute has more trades than units of volume. */
function countOf(
  { high, low, volume = 0 }: Candle,
  { stops, mostTrades, own }: { stops: number; mostTrades: number; own: number },
): number {
  const rangeBp = Math.log(high / low) * 10_000;
  const wanted = (MIN_TRADES + TRADES_A_BP * rangeBp) * Math.exp(0.4 * gaussianAt(own ^ 5, 0));
  const text = decimalText(volume);
  const units = volume * 10 ** (text.split('.')[1]?.length ?? 0);
  const most = Math.max(stops, Math.floor(Math.min(mostTrades, units)));
  return Math.max(stops, Math.min(most, Math.round(wanted)));
}

/** Fixes the stops among the trades, then fills between two of them with a random walk tied to both. */
function pathThrough(stops: readonly number[], count: number, candle: Candle, grid: Grid, own: number): number[] {
  const prices = new Array<number>(count).fill(candle.open);
  const places = placesOf(stops.length, count, own);
  const range = candle.high - candle.low;
  for (let s = 1; s < stops.length; s++) {
    const [from, to] = [places[s - 1] ?? 0, places[s] ?? 0];
    const [start = 0, end = 0] = [stops[s - 1], stops[s]];
    const steps = to - from;
    const walk = [0];
    for (let i = 1; i <= steps; i++) walk.push((walk[i - 1] ?? 0) + gaussianAt(own ^ 1, from + i));
    const drift = (walk[steps] ?? 0) / steps;
    const size = (STRAY * range) / Math.sqrt(steps);
    for (let i = 0; i < steps; i++) {
      const straight = start + ((end - start) * i) / steps;
      const price = i === 0 ? start : onGrid(straight + size * ((walk[i] ?? 0) - drift * i), grid);
      prices[from + i] = Math.max(candle.low, Math.min(candle.high, price));
    }
    prices[to] = end;
  }
  if (stops.length > 1) for (let i = (places.at(-1) ?? 0) + 1; i < count; i++) prices[i] = candle.close;
  return prices;
}

/** Index of each stop: the first trade, two in between if the minute has them, the last trade. */
function placesOf(stops: number, count: number, own: number): number[] {
  const places = [0];
  for (let s = 1; s < stops; s++) {
    const share = (s - 0.35 + 0.7 * (uniformAt(own ^ 6, s) - 0.5)) / (stops - 1);
    const least = (places[s - 1] ?? 0) + 1;
    const most = count - (stops - s);
    places.push(s === stops - 1 ? count - 1 : Math.max(least, Math.min(most, Math.round(share * count))));
  }
  return places;
}

/** Milliseconds into the minute: irregular, in bursts, the first at 0, the last shortly before the end. */
function timesOf(count: number, own: number): number[] {
  const sums = [0];
  for (let i = 1; i < count; i++) sums.push((sums[i - 1] ?? 0) + (-Math.log(uniformAt(own ^ 2, i))) ** 1.5);
  const lastMs = MINUTE_MS - 1 - Math.floor(1500 * uniformAt(own ^ 2, 0));
  const whole = sums[count - 1] ?? 0;
  return sums.map((sum) => (whole === 0 ? 0 : Math.floor((sum / whole) * lastMs)));
}

interface Grid {
  tickSize: number;
  decimals: number;
}

/** The symbol's price step, or a finer one if a recorded candle's prices fall between steps. */
function gridOf({ open, high, low, close }: Candle, tickSize: number): Grid {
  const decimals = decimalsOf(tickSize);
  const isOn = (price: number): boolean => price === onGrid(price, { tickSize, decimals });
  if ([open, high, low, close].every(isOn)) return { tickSize, decimals };
  const finest = Math.min(10, Math.max(...[open, high, low, close].map(decimalsOf)));
  return { tickSize: fromUnits(1, finest), decimals: finest };
}

function onGrid(price: number, { tickSize, decimals }: Grid): number {
  return Number((Math.round(price / tickSize) * tickSize).toFixed(decimals));
}

function decimalsOf(value: number): number {
  return decimalText(value).split('.')[1]?.length ?? 0;
}
