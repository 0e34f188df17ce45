/** The 80% range of log-HAR, the record's main baseline, with the calendar of releases, at all fifty bars. */
import type { UsualRange } from '#domain/forecast/ranges/usual-range.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { UPPER_LEVELS } from '#domain/record/ledger/ledger.ts';
import { type BaselineTable, baselineNumbersOf } from '#domain/record/scoring/baseline-table.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { buildFeatures } from '../../forecast/network/features.ts';
import type { Released } from '../../forecast/releases/release-widening.ts';
import { releasesField } from '../../forecast/stream/forecast-stream.ts';
import { harForecast } from '../house/har-forecast.ts';

/** The upper edge of the 80% range. */
const LEVEL = UPPER_LEVELS.indexOf(0.9);

/**
 * @param candles  closed ones of the timeframe, oldest first
 * @throws AppError `market/too-few-candles`; `forecast/failed` for impossible candles
 */
export function usualRange(
  candles: readonly Candle[],
  { sym, assetClass }: Pick<MarketSymbol, 'sym' | 'assetClass'>,
  timeframe: Timeframe,
  table: BaselineTable,
  released?: Released | undefined,
): UsualRange {
  const features = buildFeatures(candles, assetClass, timeframe);
  const numbers = baselineNumbersOf(table, assetClass);
  const plain = harForecast(numbers, features);
  const factors = released?.varianceFactors ?? null;
  const { sigma } = factors === null ? plain : harForecast(numbers, features, factors);
  const scored = numbers.upper.map((row) => row[LEVEL] ?? Number.NaN);
  const { t0, lastClose } = features;
  const edge = (sign: number) =>
    Array.from({ length: HORIZON_BARS }, (_, i) =>
      rounded(lastClose * Math.exp(sign * quantileAt(i + 1, scored) * (sigma[i] ?? Number.NaN))),
    );
  const factor = (sigma.at(-1) ?? 1) / (plain.sigma.at(-1) ?? 1);
  return {
    sym,
    timeframe,
    t0,
    lastClose,
    lower80: edge(-1),
    upper80: edge(1),
    ...(released && releasesField({ list: released.list, isComplete: released.isComplete, factor })),
    baseline: table.version,
  };
}

/** On a line between the two scored bars beside it. */
function quantileAt(bar: number, scored: readonly number[]): number {
  const next = SCORED_BARS.findIndex((known) => known >= bar);
  const [from, to] = [SCORED_BARS[next - 1] ?? 1, SCORED_BARS[next] ?? 1];
  const [low, high] = [scored[next - 1] ?? scored[0] ?? Number.NaN, scored[next] ?? Number.NaN];
  return from === to ? high : low + ((high - low) * (bar - from)) / (to - from);
}

/** Finer than any tick, and half as long. */
function rounded(price: number): number {
  return Number(price.toPrecision(9));
}
