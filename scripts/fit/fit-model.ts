/** The whole fit in order: hour rhythm, coefficients, offsets of markets with hours, quantile table, path tables. */
import { FEATURE_NAMES, SESSION_FEATURE_NAMES } from '../../server/forecast/features.ts';
import { forecastVolatility, tableClassOf } from '../../server/forecast/har-model.ts';
import { BIN_COUNT, type HarModel, TABLE_CLASSES, type TableClass } from '../../server/forecast/model-file.ts';
import type { CandleFile } from '../measure/candle-files.ts';
import { calibrateLengths, fitPathTables, NO_PATHS } from './fit-path-tables.ts';
import { fitUpperQuantiles } from './fit-quantiles.ts';
import { fitBase, fitRow, fitSessionOffsets } from './fit-volatility.ts';
import { fitMinuteFactors } from './minute-factors.ts';
import { type Part, segmentsOf } from '../measure/splits.ts';
import { rounded } from '../measure/weighted-quantiles.ts';
import { type Window, windowsOf } from '../measure/windows.ts';

/** No common factor with 60: the hour has a rhythm. */
export const FIT_STRIDE_MINUTES = 11;
export const CALIBRATION_STRIDE_MINUTES = 7;
const PATH_STRIDE_MINUTES = 53;
const LENGTH_STRIDE_MINUTES = 61;

/** Windows of one part, file by file; each window's weight makes every file count the same. */
export interface Sample {
  windows: Window[];
  weightOf(window: Window): number;
}

export function sampleOf(files: readonly CandleFile[], part: Part, strideMinutes: number): Sample {
  const windows: Window[] = [];
  const counts = new Map<CandleFile, number>();
  for (const file of files) {
    const before = windows.length;
    for (const segment of segmentsOf(file)) {
      if (segment.part === part) windows.push(...windowsOf(file, segment, strideMinutes));
    }
    counts.set(file, windows.length - before);
  }
  return { windows, weightOf: (window) => 1000 / (counts.get(window.file) ?? 1) };
}

export interface FittedModel {
  model: HarModel;
  counts: Record<'fit' | 'calibrate' | 'paths', Record<TableClass, number>>;
}

export function fitModel(files: readonly CandleFile[], log: (line: string) => void): FittedModel {
  const byClass = (tableClass: TableClass): CandleFile[] =>
    files.filter((f) => tableClassOf(f.assetClass) === tableClass);
  const perClass = <T>(of: (tableClass: TableClass) => T): Record<TableClass, T> => ({
    crypto: of('crypto'),
    equity: of('equity'),
    metal: of('metal'),
  });
  const minuteFactors = perClass((tableClass) =>
    fitMinuteFactors(
      byClass(tableClass).flatMap((file) =>
        segmentsOf(file)
          .filter((segment) => segment.part === 'fit')
          .map((span) => ({ file, span })),
      ),
    ),
  );
  log('hour rhythm done');
  const fit = perClass((tableClass) => sampleOf(byClass(tableClass), 'fit', FIT_STRIDE_MINUTES));
  const rowsOf = (tableClass: TableClass) =>
    fit[tableClass].windows.map((w) => fitRow(w, minuteFactors[tableClass], fit[tableClass].weightOf(w)));
  const base = fitBase(rowsOf('crypto')).map(roundedRow);
  log(`coefficients done on ${fit.crypto.windows.length} windows`);
  const offsetsOf = (tableClass: TableClass): number[][] => fitSessionOffsets(rowsOf(tableClass), base).map(roundedRow);
  const emptyTable = TABLE_CLASSES.map(() => []) as number[][];
  const draft: HarModel = {
    features: [...FEATURE_NAMES],
    sessionFeatures: [...SESSION_FEATURE_NAMES],
    logVariance: base.slice(0, BIN_COUNT),
    logRv50: base[BIN_COUNT] ?? [],
    logRange50: base[BIN_COUNT + 1] ?? [],
    sessionOffsets: { equity: offsetsOf('equity'), metal: offsetsOf('metal') },
    minuteFactors,
    upperQuantiles: perClass(() => emptyTable),
    paths: NO_PATHS,
  };
  const calibrate = perClass((tableClass) => sampleOf(byClass(tableClass), 'validate', CALIBRATION_STRIDE_MINUTES));
  const upperQuantiles = perClass((tableClass) => {
    // A class without candles of its own borrows the table of crypto.
    const { windows, weightOf } = calibrate[calibrate[tableClass].windows.length > 0 ? tableClass : 'crypto'];
    return fitUpperQuantiles(windows.map((w) => ({ weight: weightOf(w), moves: standardised(draft, w) })));
  });
  log(`quantile tables done on ${calibrate.crypto.windows.length} crypto windows`);
  const forPaths = sampleOf(byClass('crypto'), 'fit', PATH_STRIDE_MINUTES);
  const tables = fitPathTables(draft, forPaths.windows, forPaths.weightOf);
  const forLengths = sampleOf(byClass('crypto'), 'validate', LENGTH_STRIDE_MINUTES);
  const lengths = calibrateLengths({ ...draft, paths: tables }, forLengths.windows);
  const paths = { ...tables, lengths };
  log(`path tables done on ${forPaths.windows.length} windows, lengths ${JSON.stringify(lengths)}`);
  return {
    model: { ...draft, upperQuantiles, paths },
    counts: {
      fit: perClass((tableClass) => fit[tableClass].windows.length),
      calibrate: perClass((tableClass) => calibrate[tableClass].windows.length),
      paths: perClass((tableClass) => (tableClass === 'crypto' ? forPaths.windows.length : 0)),
    },
  };
}

/** ln(C[t+h] / C[t]) / sigma_h of what followed the window. */
export function standardised(model: HarModel, window: Window): Float64Array {
  const { sigma } = forecastVolatility(model, window.features);
  return window.future.change.map((change, i) => change / (sigma[i] ?? 1));
}

function roundedRow(row: readonly number[]): number[] {
  return row.map((value) => rounded(value, 5));
}
