/**
 * A simulated market: a pure function of seed, symbol and minute, so that a restart, or another process, sees the same
 * candles. Volatility clusters on scales from minutes to days, follows the time of day and has heavy tails. Each day's
 * path is tied at both ends to a slow level, which makes random access possible.
 */
import { isOpen, toExchangeWallS } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { SandboxMarketSource } from '../market-source.ts';
import { rhythmTable } from './daily-rhythm.ts';
import { gaussianAt, smoothGaussianAt, streamOf, uniformAt } from './noise.ts';
import { releaseMoves } from './release-moves.ts';
import { profileOf, type SimulationProfile } from './simulation-profile.ts';

const DAY_MIN = 1440;
/** Cached days of one symbol: 1,500 candles of a stock reach back eight days. */
const MAX_CACHED_DAYS = 12;
/** There are no trades before 1 September 2019. */
const FIRST_S = 1_567_296_000;
/** Scales of clustering in minutes, with their shares of the variance of slow log volatility. */
const CLUSTERS = [
  { scaleMin: 12, share: 0.2 },
  { scaleMin: 50, share: 0.2 },
  { scaleMin: 200, share: 0.24 },
  { scaleMin: 800, share: 0.2 },
  { scaleMin: 3200, share: 0.16 },
] as const;
/** Days over which the level wanders; beyond the longest it returns to its base. */
const LEVEL_SCALES_DAYS = [2, 5, 13, 34, 89] as const;
/** Each scale's share of a day's own movement, times the root of its days. */
const LEVEL_SHARE = 0.45;
/** Outside trading hours the price still moves a little, which creates the gap at the opening. */
const CLOSED_VOLATILITY = 0.25;

/** Parameters of one symbol's candles; the streams are names of random numbers. */
interface Recipe {
  seed: string;
  symbol: MarketSymbol;
  profile: SimulationProfile;
  rhythm: Float64Array;
  clusterStreams: readonly number[];
  levelStreams: readonly number[];
  stream: Readonly<Record<'burst' | 'move' | 'rest' | 'gap' | 'high' | 'low' | 'volume', number>>;
}

/** One UTC day: log price before the first minute and at the end of each, and each minute's expected size of move. */
interface Day {
  startLog: number;
  closeLog: Float64Array;
  sigma: Float64Array;
}

export function simulatedSource(symbol: MarketSymbol, seed: string): SandboxMarketSource {
  const recipe = makeRecipe(symbol, seed);
  const days = new Map<number, Day>();

  function dayOf(day: number): Day {
    const known = days.get(day);
    if (known !== undefined) return known;
    const computed = makeDay(recipe, day);
    if (days.size >= MAX_CACHED_DAYS) days.delete(days.keys().next().value ?? day);
    days.set(day, computed);
    return computed;
  }

  function candleAt(timeS: number): Candle | null {
    if (!(timeS >= FIRST_S) || timeS % MINUTE_S !== 0 || !isOpen(symbol.hours, timeS)) return null;
    const minute = timeS / MINUTE_S;
    return makeCandle(recipe, minute, dayOf(Math.floor(minute / DAY_MIN)));
  }

  return { kind: 'simulated', firstS: FIRST_S, candleAt, sourceTimeOf: () => null };
}

/**
 * Log price at the start of any UTC day (counted from 1970), also before the first candle: the slow path to which the
 * minutes of each day are tied. Cheap enough for years of bars.
 */
export function simulatedLevels(symbol: MarketSymbol, seed: string): (day: number) => number {
  const recipe = makeRecipe(symbol, seed);
  return (day) => levelLog(recipe, day);
}

function makeRecipe(symbol: MarketSymbol, seed: string): Recipe {
  const profile = profileOf(symbol);
  const named = (name: string | number): number => streamOf(seed, symbol.sym, name);
  return {
    seed,
    symbol,
    profile,
    rhythm: rhythmTable(profile.rhythm),
    clusterStreams: CLUSTERS.map((cluster) => named(`cluster ${cluster.scaleMin}`)),
    levelStreams: LEVEL_SCALES_DAYS.map((scale) => named(`level ${scale}`)),
    stream: {
      burst: named('burst'),
      move: named('move'),
      rest: named('rest'),
      gap: named('gap'),
      high: named('high'),
      low: named('low'),
      volume: named('volume'),
    },
  };
}

function makeDay(recipe: Recipe, day: number): Day {
  const { profile, stream } = recipe;
  const closeLog = new Float64Array(DAY_MIN);
  const sigma = new Float64Array(DAY_MIN);
  const pullWeight = new Float64Array(DAY_MIN);
  const moves = releaseMoves(recipe.seed, day);
  let driftless = 0;
  let weights = 0;
  for (let i = 0; i < DAY_MIN; i++) {
    const minute = day * DAY_MIN + i;
    const slow = slowSigma(recipe, minute) * (moves[i] ?? 1);
    const burst = Math.exp(profile.fastVol * gaussianAt(stream.burst, minute) - profile.fastVol ** 2);
    const isResting = uniformAt(stream.rest, minute) < profile.unchangedShare;
    sigma[i] = slow * burst;
    driftless += isResting ? 0 : slow * burst * gaussianAt(stream.move, minute);
    closeLog[i] = driftless;
    weights += isResting ? 0 : slow ** 2;
    pullWeight[i] = weights;
  }
  const startLog = levelLog(recipe, day);
  const endLog = levelLog(recipe, day + 1);
  const pull = (endLog - startLog - driftless) / weights;
  for (let i = 0; i < DAY_MIN; i++) closeLog[i] = startLog + (closeLog[i] ?? 0) + pull * (pullWeight[i] ?? 0);
  closeLog[DAY_MIN - 1] = endLog;
  return { startLog, closeLog, sigma };
}

/** Expected size of a minute's move as a fraction, before its momentary burst; its mean square matches the profile. */
function slowSigma(recipe: Recipe, minute: number): number {
  const { profile, symbol, rhythm, clusterStreams } = recipe;
  let cluster = 0;
  for (const [i, { scaleMin, share }] of CLUSTERS.entries()) {
    cluster += Math.sqrt(share) * smoothGaussianAt(clusterStreams[i] ?? 0, minute, scaleMin);
  }
  const wallMinute = toExchangeWallS(symbol.hours, minute * MINUTE_S) / MINUTE_S;
  const clockFactor = isOpen(symbol.hours, minute * MINUTE_S) ? (rhythm[wallMinute % DAY_MIN] ?? 1) : CLOSED_VOLATILITY;
  return symbol.sample.sdBp * 1e-4 * clockFactor * Math.exp(profile.slowVol * cluster - profile.slowVol ** 2);
}

function levelLog({ profile, symbol, levelStreams }: Recipe, day: number): number {
  const tradedMin = { crypto: DAY_MIN, equity: 390, futures: 1380 }[profile.rhythm];
  const dayMove = symbol.sample.sdBp * 1e-4 * Math.sqrt(tradedMin + (DAY_MIN - tradedMin) * CLOSED_VOLATILITY ** 2);
  let level = Math.log(symbol.sample.price);
  for (const [i, scale] of LEVEL_SCALES_DAYS.entries()) {
    level += LEVEL_SHARE * dayMove * Math.sqrt(scale) * smoothGaussianAt(levelStreams[i] ?? 0, day, scale);
  }
  return level;
}

function makeCandle(recipe: Recipe, minute: number, day: Day): Candle {
  const { symbol, profile, stream } = recipe;
  const i = minute % DAY_MIN;
  const sigma = day.sigma[i] ?? 0;
  const toPrice = (log: number): number => roundToTick(Math.exp(log), symbol);
  const close = toPrice(day.closeLog[i] ?? 0);
  const open = openPrice(recipe, minute, i === 0 ? day.startLog : (day.closeLog[i - 1] ?? 0), sigma);
  const top = Math.max(open, close);
  const bottom = Math.min(open, close);
  const high = Math.max(top, roundToTick(top * Math.exp(wick(stream.high, minute, sigma)), symbol));
  const low = Math.min(bottom, roundToTick(bottom * Math.exp(-wick(stream.low, minute, sigma)), symbol));

  const range = Math.max(Math.log(high / low), symbol.tickSize / close / 2);
  const busyness = profile.volumeSlope * Math.log(range / (symbol.sample.sdBp * 1e-4));
  const unit = 10 ** -profile.volumeDecimals;
  const rawVolume = profile.volume * Math.exp(busyness + 0.6 * gaussianAt(stream.volume, minute));
  const volume = Number((Math.max(1, Math.round(rawVolume / unit)) * unit).toFixed(profile.volumeDecimals));
  return { time: minute * MINUTE_S, open, high, low, close, volume };
}

/** Perpetuals open at the last close or one tick beside it; the slower feeds skip a little. */
function openPrice({ symbol, profile, stream }: Recipe, minute: number, lastLog: number, sigma: number): number {
  const lastClose = roundToTick(Math.exp(lastLog), symbol);
  if (profile.rhythm !== 'crypto') {
    return roundToTick(lastClose * Math.exp(0.1 * sigma * gaussianAt(stream.gap, minute)), symbol);
  }
  const u = uniformAt(stream.gap, minute);
  return u < 0.55 ? lastClose : roundToTick(lastClose + (u < 0.775 ? symbol.tickSize : -symbol.tickSize), symbol);
}

/** Log size of a wick: none in a quarter of the candles, else exponential. */
function wick(stream: number, minute: number, sigma: number): number {
  const u = uniformAt(stream, minute);
  return u < 0.25 ? 0 : -Math.log((1 - u) / 0.75) * 0.42 * sigma;
}

function roundToTick(price: number, symbol: MarketSymbol): number {
  const ticks = Math.max(1, Math.round(price / symbol.tickSize));
  return Number((ticks * symbol.tickSize).toFixed(symbol.decimals));
}
