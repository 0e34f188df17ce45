/** Known with its score, void with a reason, or undecided. Pure: the same candles give the same verdict. */
import type { Candle } from '#domain/market/candle.ts';
import { candlesByTime, candlesOf } from '#domain/market/candle-span.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import { forecastTimes, outcomeEndS, type VoidReason } from '#domain/record/scoring/outcome.ts';
import { type PathScore, scorePath } from '#domain/record/scoring/scoring.ts';
import { isTradedAt } from '../market/candles/candle-history.ts';
import type { PastSeries } from '../market/candles/past-candles.ts';
import { REPAIR_S, RETURN_S } from './candle-sources.ts';

export interface SavedForecast {
  symbol: MarketSymbol;
  /** The kind of market it was made on. */
  marketKind: MarketKind;
  timeframe: Timeframe;
  /** The last of the 150 saved real candles, oldest first; the very last one is the join. */
  tail: readonly Candle[];
  path: readonly Candle[];
}

export interface PastFound {
  /** Every series that may hold the outcome, of any kind, the serving venue's first. */
  series: readonly PastSeries[];
  /** True when the store was read too: what no series has does not exist. */
  isAll: boolean;
  /** True when a venue serves the symbol now; its series is the first. */
  isServed: boolean;
  /** Epoch seconds of the market's time. */
  nowS: number;
}

export type Verdict =
  | { state: 'known'; candles: Candle[]; score: PathScore }
  | { state: 'void'; reason: VoidReason }
  | { state: 'later' };

const LATER: Verdict = { state: 'later' };

export function judgeOutcome(saved: SavedForecast, past: PastFound): Verdict {
  const { symbol, marketKind, timeframe, tail, path } = saved;
  const join = tail.at(-1);
  if (join === undefined) return { state: 'void', reason: 'unreadable' };
  const times = forecastTimes(join.time, timeframe);
  const barS = barSecondsOf(timeframe);
  if (!times.every((timeS) => isTradedAt(symbol, marketKind, timeS))) return { state: 'void', reason: 'market-closed' };
  const ageS = past.nowS - outcomeEndS(join.time, timeframe);
  if (ageS < 0) return LATER;
  const ofKind = past.series.filter((series) => series.marketKind === marketKind);
  const own = ofKind.filter((series) => isSameMarket(series.candles, tail, barS));
  for (const { candles } of own) {
    const outcome = candlesOf(candles, times, barS);
    if (outcome === null) continue;
    return { state: 'known', candles: outcome, score: scorePath({ lastClose: join.close, path, outcome }) };
  }
  // Without a full search nothing can be called missing.
  if (!past.isAll) return LATER;
  const { reason, patienceS } = whyNone(own, ofKind, past, saved);
  return ageS >= patienceS ? { state: 'void', reason } : LATER;
}

/** The reason, and how long after its end an outcome may still arrive, seconds. */
function whyNone(
  own: readonly PastSeries[],
  ofKind: readonly PastSeries[],
  { series, isServed }: PastFound,
  { tail, timeframe }: Pick<SavedForecast, 'tail' | 'timeframe'>,
): { reason: VoidReason; patienceS: number } {
  const joinS = tail.at(-1)?.time ?? 0;
  const barS = barSecondsOf(timeframe);
  if (own.length > 0) {
    // A series that ends too early is behind because its venue is unavailable; that is not a gap.
    const hasPassed = own.some(({ candles }) => (candles.at(-1)?.time ?? 0) >= outcomeEndS(joinS, timeframe) - barS);
    return { reason: 'candles-missing', patienceS: hasPassed ? REPAIR_S : RETURN_S };
  }
  const reaching = ofKind.filter(({ candles }) => (candles[0]?.time ?? Number.POSITIVE_INFINITY) <= joinS);
  const other = reaching.find(({ candles }) => commonWith(candles, tail, barS).both.length > 0);
  // A live venue may return after a replacement; a sandbox's candles are played only once.
  if (other !== undefined) return { reason: 'other-market', patienceS: other.marketKind === 'live' ? RETURN_S : 0 };
  // The series has none of the tail's minutes, so it cannot be called another market: its candles are missing.
  if (reaching.length > 0) return { reason: 'candles-missing', patienceS: RETURN_S };
  if (ofKind.length === 0 && series.length > 0) return { reason: 'other-market', patienceS: RETURN_S };
  return { reason: 'candles-gone', patienceS: isServed ? 0 : RETURN_S };
}

/**
 * Candles of one time differ between two venues, and between two positions of a replay. A series belongs to the
 * prediction when it matches the real candles saved with it. A venue may correct single candles, so a majority is
 * enough.
 */
export function isSameMarket(candles: readonly Candle[], tail: readonly Candle[], barS: number): boolean {
  const { both, byTime } = commonWith(candles, tail, barS);
  const same = both.filter((candle) => PRICES.every((price) => byTime.get(candle.time)?.[price] === candle[price]));
  return both.length > 0 && same.length * 2 >= both.length;
}

/** `both`: the tail's candles whose times the series also has. */
function commonWith(candles: readonly Candle[], tail: readonly Candle[], barS: number) {
  const byTime = candlesByTime(candles, tail[0]?.time ?? 0, tail.at(-1)?.time ?? 0, barS);
  return { both: tail.filter(({ time }) => byTime.has(time)), byTime };
}

const PRICES = ['open', 'high', 'low', 'close'] as const;
