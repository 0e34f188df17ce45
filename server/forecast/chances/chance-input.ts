/** A model's forecast as the engine of chances reads it. */
import type { ChanceInput } from '#domain/chances/chance-forecast.ts';
import { type CompiledTables, compiledTables } from '#domain/chances/compiled-tables.ts';
import { QUANTILE_LEVELS } from '#domain/forecast/quantiles.ts';
import { type StoredPathTables, UPPER_LEVELS } from '../models/manifest.ts';
import type { Features } from '../network/features.ts';
import type { VolatilityForecast } from '../network/network-forecast.ts';
import { lengthsOf } from '../paths/paths.ts';

const compiled = new WeakMap<StoredPathTables, CompiledTables>();

export interface ForecastNames {
  sym: string;
  modelVersion: string;
}

/**
 * @param features  of the lookback that the forecast was made of
 * @param tables  null: questions that need paths are refused
 */
export function chanceInput(
  { sym, modelVersion }: ForecastNames,
  features: Features,
  { minuteVariance, upperQuantiles }: Pick<VolatilityForecast, 'minuteVariance' | 'upperQuantiles'>,
  tables: StoredPathTables | null,
): ChanceInput {
  const { t0, barS, lastClose, scale } = features;
  return {
    key: [sym, modelVersion, barS, t0].join(' '),
    t0,
    barS,
    lastClose,
    variance: minuteVariance,
    quantiles: upperQuantiles.map(mirrored),
    ewma: scale,
    paths: tables === null ? null : { tables: compiledOnce(tables), lengths: lengthsOf(tables, features) },
  };
}

/** The 25 quantiles of the upper twelve: the lower half mirrors them, the middle is 0. */
export function mirrored(upper: readonly number[]): Float64Array {
  const row = new Float64Array(QUANTILE_LEVELS.length);
  for (let level = 0; level < UPPER_LEVELS.length; level++) {
    row[UPPER_LEVELS.length + 1 + level] = upper[level] ?? Number.NaN;
    row[UPPER_LEVELS.length - 1 - level] = -(upper[level] ?? Number.NaN);
  }
  return row;
}

function compiledOnce(tables: StoredPathTables): CompiledTables {
  const known = compiled.get(tables) ?? compiledTables(tables);
  compiled.set(tables, known);
  return known;
}
