/** What a recorded forecast knew of releases, with the factor that its quantiles show. */
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import { storedWidthFactor } from '#domain/forecast/releases/widening.ts';
import { type RecordBody, UPPER_LEVELS } from '#domain/record/ledger/ledger.ts';
import type { Released } from '../../forecast/releases/release-widening.ts';

/** @param upper  as the model produced them, by stored bar */
export function recordedReleases(
  { list, isComplete, varianceFactors }: Released,
  { upper }: Pick<RecordBody, 'upper'>,
  bars: readonly number[],
): ForecastReleases {
  const stored = bars.map((bar, i) => ({ bar, variance: varianceOf(upper[i] ?? []) }));
  const factor = varianceFactors === null ? 1 : storedWidthFactor(stored, varianceFactors);
  return { list, isComplete, factor: Number(factor.toFixed(4)) };
}

/** Share of a symmetrical distribution's upper half for which each level stands, from halfway to its neighbours. */
const SHARES = UPPER_LEVELS.map((level, i, levels) => {
  const [below, above] = [levels[i - 1], levels[i + 1]];
  return (above === undefined ? 1 : (level + above) / 2) - (below === undefined ? 0.5 : (level + below) / 2);
});

/** In no unit: only ratios count. @param upper  quantiles at UPPER_LEVELS */
function varianceOf(upper: readonly number[]): number {
  return SHARES.reduce((sum, share, i) => sum + share * (upper[i] ?? 0) ** 2, 0);
}
