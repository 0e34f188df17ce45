/**
 * What scheduled releases do to a forecast: the variance of the minutes around each is multiplied, and with it every
 * later width. It is applied to a model's output, not learnt by the network: docs/decisions/104-releases.md.
 */
import type { ReleaseKind } from '../../market/calendar/release-kinds.ts';
import { MINUTE_S } from '../../market/candle.ts';
import type { AssetClass } from '../../market/symbols.ts';
import { HORIZON_BARS } from '../window.ts';
import { COLUMN_STARTS_MIN, END_MIN, FIRST_MIN, minuteFactor, type ReleaseTable } from './release-table.ts';

export interface TimedRelease {
  timeS: number;
  kind: ReleaseKind;
}

/** A forecast's bars: the first one after the candle that opened at t0. */
export interface ForecastBars {
  t0: number;
  barS: number;
  assetClass: AssetClass;
}

const AFFECTED_S = END_MIN * MINUTE_S;
const BEFORE_S = -FIRST_MIN * MINUTE_S;

/** Those between the moment the forecast is made, when the candle at t0 closes, and the close of its last bar. */
export function releasesWithin<R extends TimedRelease>(
  releases: readonly R[],
  { t0, barS }: Pick<ForecastBars, 't0' | 'barS'>,
): R[] {
  const madeS = t0 + barS;
  return releases.filter(({ timeS }) => timeS >= madeS && timeS < madeS + HORIZON_BARS * barS);
}

/**
 * @returns [50] factors on the variance of each bar's return, at least 1; null where nothing changes. Of several
 * releases the greatest factor counts, because they were measured with what usually follows them.
 */
export function varianceFactors(
  releases: readonly TimedRelease[],
  { t0, barS, assetClass }: ForecastBars,
  table: ReleaseTable,
): number[] | null {
  const madeS = t0 + barS;
  // An earlier release is in the candles already; one that follows soon is awaited by the last bars.
  const counted = releases.filter(({ timeS }) => timeS >= madeS && timeS < madeS + HORIZON_BARS * barS + BEFORE_S);
  if (counted.length === 0) return null;
  const minutesABar = barS / MINUTE_S;
  const ofBars = Array.from({ length: HORIZON_BARS }, (_, bar) => {
    let sum = 0;
    for (let minute = 0; minute < minutesABar; minute++)
      sum += ofMinute(counted, madeS + bar * barS + minute * MINUTE_S, assetClass, table) ** 2;
    return sum / minutesABar;
  });
  return ofBars.some((factor) => factor > 1) ? ofBars : null;
}

function ofMinute(
  releases: readonly TimedRelease[],
  startS: number,
  assetClass: AssetClass,
  table: ReleaseTable,
): number {
  let greatest = 1;
  for (const { timeS, kind } of releases) {
    if (startS - timeS >= AFFECTED_S || timeS - startS > BEFORE_S) continue;
    // The minute that holds the release is minute 0.
    const minutes = Math.ceil((startS - timeS) / MINUTE_S);
    greatest = Math.max(greatest, minuteFactor(table, kind, assetClass, minutes));
  }
  return greatest;
}

/** How many times wider the last bar's band is. @param widened  [50] variance of each bar's return with the factors */
export function widthFactor(widened: ArrayLike<number>, factors: readonly number[]): number {
  const plain = factors.map((factor, bar) => (widened[bar] ?? 0) / factor);
  return deviationFactors(plain, factors).at(-1) ?? 1;
}

/**
 * The same of a forecast of which only the distributions are stored, which are wider already: at most 6% off for the
 * shipped models, 1% on average. Between two stored bars the plain variance counts as even.
 * @param stored  variance of ln(C[t+h] / C[t]) by bar, rising; the last is that of the last bar
 */
export function storedWidthFactor(
  stored: readonly { bar: number; variance: number }[],
  factors: readonly number[],
): number {
  let [plain, widened, before] = [0, 0, { bar: 0, variance: 0 }];
  for (const at of stored) {
    const added = Math.max(0, at.variance - before.variance);
    const own = factors.slice(before.bar, at.bar);
    widened += added;
    plain += (added * own.length) / own.reduce((sum, factor) => sum + factor, 0);
    before = at;
  }
  return plain > 0 ? Math.sqrt(widened / plain) : 1;
}

/** Whether a kind widens forecasts of a class at all. */
export function isCounted(table: ReleaseTable, kind: ReleaseKind, assetClass: AssetClass): boolean {
  return COLUMN_STARTS_MIN.some((minutes) => minuteFactor(table, kind, assetClass, minutes) > 1);
}

/**
 * @param variance  [50] variance of each bar's return without releases
 * @param factors  from varianceFactors
 * @returns [50] factors on the deviation of ln(C[t+h] / C[t])
 */
export function deviationFactors(variance: ArrayLike<number>, factors: readonly number[]): number[] {
  let [plain, widened] = [0, 0];
  return factors.map((factor, bar) => {
    plain += variance[bar] ?? 0;
    widened += factor * (variance[bar] ?? 0);
    return plain > 0 ? Math.sqrt(widened / plain) : 1;
  });
}
