/** The shipped baseline on data it was not fitted on: coverage, and CRPS relative to the EWMA baseline. */

import { QUANTILE_LEVELS } from '../../../domain/forecast/quantiles.ts';
import { SIGMA_UNITS, UPPER_LEVELS } from '../../../domain/record/ledger/ledger.ts';
import {
  BASELINE_CLASSES,
  type BaselineClass,
  type BaselineTable,
  ewmaUpper,
  harUpper,
} from '../../../domain/record/scoring/baseline-table.ts';
import { crpsOf } from '../../../domain/record/scoring/crps.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';
import { harForecast } from '../../../server/record/house/har-forecast.ts';
import type { CandleFile } from '../candle-files.ts';
import { segmentsOf } from '../windows/splits.ts';
import { windowsOf } from '../windows/windows.ts';

export interface BaselineFigures {
  assetClass: BaselineClass;
  windows: number;
  /** By scored bar. Skill: 1 - sum of CRPS / sum of the EWMA baseline's. */
  skill: number[];
  cover80: number[];
  cover95: number[];
}

/** Any symbol of the class: records name symbols, files have their own names. */
const SYM_OF: Readonly<Record<BaselineClass, string>> = { crypto: 'BTCUSDT.P', equity: 'MSFT', metal: 'GC1!' };
const LEVEL_80 = UPPER_LEVELS.indexOf(0.9);
const LEVEL_95 = UPPER_LEVELS.indexOf(0.975);

/** On the test spans and those of 2026, which are later than all data used for fitting. */
export function baselineFigures(
  files: readonly CandleFile[],
  table: BaselineTable,
  strideMinutes: number,
): BaselineFigures[] {
  return BASELINE_CLASSES.flatMap((assetClass) => {
    const numbers = table.classes[assetClass];
    if (numbers === undefined) return [];
    const sums = SCORED_BARS.map(() => ({ har: 0, ewma: 0, in80: 0, in95: 0 }));
    let windows = 0;
    for (const file of files.filter((f) => f.assetClass === assetClass)) {
      for (const span of segmentsOf(file).filter(({ part }) => part === 'test' || part === 'late')) {
        for (const { features, future } of windowsOf(file, span, strideMinutes)) {
          windows += 1;
          const { sigma } = harForecast(numbers, features);
          const har = SCORED_BARS.map((bar) => SIGMA_UNITS * (sigma[bar - 1] ?? 0));
          const ofHar = harUpper({ har, sym: SYM_OF[assetClass] }, table);
          const ofEwma = ewmaUpper({ ewma: SIGMA_UNITS * features.scale });
          for (const [at, sum] of sums.entries()) {
            const y = future.change[(SCORED_BARS[at] ?? 1) - 1] ?? 0;
            sum.har += crpsOf(y, mirrored(ofHar[at] ?? []), 0);
            sum.ewma += crpsOf(y, mirrored(ofEwma[at] ?? []), 0);
            sum.in80 += Math.abs(y) <= (ofHar[at]?.[LEVEL_80] ?? 0) ? 1 : 0;
            sum.in95 += Math.abs(y) <= (ofHar[at]?.[LEVEL_95] ?? 0) ? 1 : 0;
          }
        }
      }
    }
    return {
      assetClass,
      windows,
      skill: sums.map(({ har, ewma }) => 1 - har / ewma),
      cover80: sums.map(({ in80 }) => in80 / windows),
      cover95: sums.map(({ in95 }) => in95 / windows),
    };
  });
}

function mirrored(upper: readonly number[]): Float64Array {
  const all = [...upper.map((quantile) => -quantile).reverse(), 0, ...upper];
  if (all.length !== QUANTILE_LEVELS.length) throw new Error('a row has not all levels');
  return Float64Array.from(all);
}
