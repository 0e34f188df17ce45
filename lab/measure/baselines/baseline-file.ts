/** The baselines that the public record ships, one a timeframe: log-HAR of each asset class, fitted on the models' fitting data. */
import { createHash } from 'node:crypto';
import { barMinutesOf, DEFAULT_TIMEFRAME } from '../../../domain/market/timeframes.ts';
import { timeframeField } from '../../../domain/record/ledger/ledger.ts';
import type { BaselineClass, BaselineNumbers, BaselineTable } from '../../../domain/record/scoring/baseline-table.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';
import { BadInput } from '../../../scripts/bad-input.ts';
import { FEATURE_NAMES } from '../../../server/forecast/network/features.ts';
import { BIN_STARTS, harForecast } from '../../../server/record/house/har-forecast.ts';
import { type CandleFile, fileNameOf } from '../candle-files.ts';
import { empiricalTable, standardised } from '../quantile-tables.ts';
import { PRIOR_STRIDE_BARS } from '../windows/sampling.ts';
import { segmentsOf } from '../windows/splits.ts';
import { type Window, windowsOf } from '../windows/windows.ts';
import { fitCoefficients } from './har-baseline.ts';

/** With fewer windows the outermost quantiles depend on single minutes. */
const MIN_WINDOWS = 500;
const VERSION_DIGITS = 10;

/** The part of a file used for fitting: the first part of the splits, on which the models' weights were fitted too. */
export interface FittedOn {
  file: string;
  sha256: string;
  windows: number;
  /** First and last t0, ISO. */
  from: string;
  to: string;
}

export interface FittedBaseline {
  table: BaselineTable;
  /** The file's content: one line of JSON. */
  text: string;
  fittedOn: FittedOn[];
}

/**
 * @param files  of one timeframe; longer candles are recorded for coins alone, so that no other class is fitted
 * @throws BadInput if a class has too few windows
 */
export function fitBaseline(files: readonly CandleFile[], strideBars?: number): FittedBaseline {
  const timeframe = files[0]?.timeframe ?? DEFAULT_TIMEFRAME;
  const strideMinutes = (strideBars ?? PRIOR_STRIDE_BARS[timeframe]) * barMinutesOf(timeframe);
  const isOfMinutes = timeframe === DEFAULT_TIMEFRAME;
  const fittedOn: FittedOn[] = [];
  const numbersOf = (name: BaselineClass): BaselineNumbers => {
    const seen: Pick<Window, 'features' | 'future'>[] = [];
    for (const file of files.filter((f) => f.assetClass === name)) {
      const t0s: number[] = [];
      for (const { t0, features, future } of fitWindows(file, strideMinutes)) {
        t0s.push(t0);
        seen.push({ features, future });
      }
      const [from, to] = [t0s[0], t0s.at(-1)];
      if (from === undefined || to === undefined) continue;
      fittedOn.push({
        file: fileNameOf(file),
        sha256: file.sha256,
        windows: t0s.length,
        from: isoOf(from),
        to: isoOf(to),
      });
    }
    if (seen.length < MIN_WINDOWS) throw new BadInput(`${name}: ${seen.length} windows, ${MIN_WINDOWS} are needed`);
    const coefficients = fitCoefficients(seen);
    const moves = seen.map(({ features, future }) =>
      standardised(future.change, harForecast(coefficients, features).sigma),
    );
    const whole = empiricalTable(moves);
    return {
      windows: seen.length,
      ...coefficients,
      upper: SCORED_BARS.map((bar) => [...(whole[bar - 1] ?? [])]),
    };
  };
  const content = {
    ...timeframeField(timeframe),
    features: [...FEATURE_NAMES],
    binStarts: [...BIN_STARTS],
    strideMinutes,
    ...(isOfMinutes && { otherClasses: 'index and energy, of which there are no candles, use the numbers of crypto' }),
    classes: {
      crypto: numbersOf('crypto'),
      ...(isOfMinutes && { equity: numbersOf('equity'), metal: numbersOf('metal') }),
    },
    fittedOn,
  };
  const version = versionOf(JSON.stringify(content));
  return { table: { version, ...content }, text: `${JSON.stringify({ version, ...content })}\n`, fittedOn };
}

/** Only windows that the models' weights were fitted on. */
function* fitWindows(file: CandleFile, strideMinutes: number): Generator<Window> {
  for (const span of segmentsOf(file)) if (span.part === 'fit') yield* windowsOf(file, span, strideMinutes);
}

/** @param json  the content without its version, fields in order, no spaces */
function versionOf(json: string): string {
  return `har-${createHash('sha256').update(json).digest('hex').slice(0, VERSION_DIGITS)}`;
}

function isoOf(epochS: number): string {
  return new Date(epochS * 1000).toISOString().replace(':00.000Z', 'Z');
}
