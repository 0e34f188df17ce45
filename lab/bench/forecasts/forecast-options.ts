/** The arguments of `npm run bench -- forecast`, checked before anything is read. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Timeframe } from '../../../domain/market/timeframes.ts';
import { BadInput } from '../../../scripts/bad-input.ts';
import { secondsOfIso, timeframeOf, wholeNumberOf } from '../../../scripts/command-line.ts';
import { folderOfTimeframe } from '../../measure/shipped-models.ts';
import { BENCH_STRIDE_BARS, strideBarsOf } from '../../measure/windows/sampling.ts';
import type { TimeRange } from '../../measure/windows/windows.ts';

export interface ForecastBenchOptions {
  /** Folder of candle files, or null: then only speed is measured. */
  dataDir: string | null;
  /** Null measures the standard split. */
  span: TimeRange | null;
  strideBars: number;
  timeframe: Timeframe;
  /** One JSON line per window and model, or per window and baseline. */
  outFile: string | null;
  baselinesFile: string | null;
  /** Moments of scheduled releases; null: lines do not name any. */
  releasesFile: string | null;
  /** Releases are only counted: no forecast knows them. */
  isBlind: boolean;
  /** Only windows at each bar within so many minutes before a release; null: by the stride. */
  aroundReleasesMinutes: number | null;
  /** Of the timeframe; `modelsRoot` holds the one-minute models, and the folders of the others. */
  modelsDir: string;
  modelsRoot: string;
  measuresSpeed: boolean;
}

export const USAGE =
  'npm run bench -- forecast [--models DIR] [--timeframe 5min] [--data DIR [--from ISO] [--to ISO] [--stride 29] ' +
  '[--out F.jsonl] [--baselines-out B.jsonl] [--releases R.csv [--around-releases MIN] [--blind]] [--skill-only]]';

/** @throws BadInput naming the wrong argument */
export function forecastBenchOptions(args: readonly string[]): ForecastBenchOptions {
  const values = parsed(args);
  const dataDir = values.data ?? null;
  const needing = values.out ?? values.from ?? values.to ?? values['baselines-out'] ?? values.releases;
  if (dataDir === null && needing !== undefined)
    throw new BadInput('--from, --to, --out, --baselines-out and --releases need --data DIR');
  const around = values['around-releases'];
  if (around !== undefined && values.releases === undefined)
    throw new BadInput('--around-releases needs --releases FILE');
  if (values.blind && values.releases === undefined) throw new BadInput('--blind needs --releases FILE');
  const timeframe = timeframeOf(values.timeframe);
  const strideBars = strideBarsOf(values.stride, BENCH_STRIDE_BARS[timeframe]);
  const span = {
    startS: values.from === undefined ? 0 : secondsOfIso('--from', values.from),
    endS: values.to === undefined ? Infinity : secondsOfIso('--to', values.to),
  };
  const modelsRoot = values.models ?? join(import.meta.dirname, '../../..', 'models');
  if (span.endS <= span.startS) throw new BadInput('--to has to be later than --from');
  return {
    dataDir,
    span: values.from === undefined && values.to === undefined ? null : span,
    strideBars,
    timeframe,
    outFile: values.out ?? null,
    baselinesFile: values['baselines-out'] ?? null,
    releasesFile: values.releases ?? null,
    isBlind: values.blind,
    aroundReleasesMinutes: around === undefined ? null : wholeNumberOf('--around-releases', around, 0),
    modelsDir: folderOfTimeframe(modelsRoot, timeframe),
    modelsRoot,
    measuresSpeed: !values['skill-only'],
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        stride: { type: 'string' },
        timeframe: { type: 'string' },
        out: { type: 'string' },
        'baselines-out': { type: 'string' },
        releases: { type: 'string' },
        'around-releases': { type: 'string' },
        blind: { type: 'boolean', default: false },
        models: { type: 'string' },
        'skill-only': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new BadInput(`${error instanceof Error ? error.message : error}\nusage: ${USAGE}`, { cause: error });
  }
}
