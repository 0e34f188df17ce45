/** How many closes of one forecast were inside its bands: what a band promises, where a drawn path promises nothing. */
import type { ForecastBand } from '../../forecast/quantiles.ts';

export interface BandCoverage {
  /** Closes compared: the forecast's bars. */
  bars: number;
  within80: number;
  within95: number;
}

/** An edge counts as inside, as in the public record. A close without an edge or a price counts as outside. */
export function bandCoverage(band: ForecastBand, closes: readonly number[]): BandCoverage {
  return {
    bars: closes.length,
    within80: closesWithin(closes, band.lower80, band.upper80),
    within95: closesWithin(closes, band.lower95, band.upper95),
  };
}

function closesWithin(closes: readonly number[], lower: readonly number[], upper: readonly number[]): number {
  return closes.filter((close, i) => close >= (lower[i] ?? Number.NaN) && close <= (upper[i] ?? Number.NaN)).length;
}

/**
 * `held`: at least four in five closes inside the 80% band, and none outside the 95% band. `missed`: more than one in
 * twenty outside the 95% band, which was too narrow for this move. `partly`: everything between.
 */
export type CoverageGrade = 'held' | 'partly' | 'missed';

const INSIDE_80_SHARE = 0.8;
const OUTSIDE_95_SHARE = 0.05;

export function coverageGrade({ bars, within80, within95 }: BandCoverage): CoverageGrade {
  const outside = bars - within95;
  if (outside > Math.ceil(bars * OUTSIDE_95_SHARE)) return 'missed';
  return outside === 0 && within80 >= bars * INSIDE_80_SHARE ? 'held' : 'partly';
}
