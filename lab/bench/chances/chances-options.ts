/** The arguments of `npm run bench -- chances`, checked before anything is read. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MODEL_NAMES, type ModelName } from '../../../domain/forecast/models.ts';
import { BadInput } from '../../../scripts/bad-input.ts';
import { secondsOfIso } from '../../../scripts/command-line.ts';
import { BENCH_STRIDE_BARS, strideBarsOf } from '../../measure/windows/sampling.ts';
import type { TimeRange } from '../../measure/windows/windows.ts';

export interface ChancesOptions {
  dataDir: string;
  /** Null measures the standard test spans of coins. */
  span: TimeRange | null;
  strideMinutes: number;
  outFile: string | null;
  modelsDir: string;
  models: readonly ModelName[];
}

export const USAGE =
  'npm run bench -- chances|synth --data DIR [--from ISO] [--to ISO] [--stride 29] [--out FILE] [--model lion] [--models DIR]';

/** @throws BadInput naming the wrong argument */
export function chancesOptions(args: readonly string[]): ChancesOptions {
  const values = parsed(args);
  if (values.data === undefined) throw new BadInput(`--data DIR is needed\nusage: ${USAGE}`);
  const span = {
    startS: values.from === undefined ? 0 : secondsOfIso('--from', values.from),
    endS: values.to === undefined ? Infinity : secondsOfIso('--to', values.to),
  };
  if (span.endS <= span.startS) throw new BadInput('--to has to be later than --from');
  return {
    dataDir: values.data,
    span: values.from === undefined && values.to === undefined ? null : span,
    strideMinutes: strideBarsOf(values.stride, BENCH_STRIDE_BARS['1min']),
    outFile: values.out ?? null,
    modelsDir: values.models ?? join(import.meta.dirname, '../../..', 'models'),
    models: (values.model ?? ['lion']).map(modelNamed),
  };
}

function modelNamed(text: string): ModelName {
  const name = MODEL_NAMES.find((known) => known === text);
  if (name === undefined) throw new BadInput(`--model ${text}: one of ${MODEL_NAMES.join(', ')} is needed`);
  return name;
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
        out: { type: 'string' },
        model: { type: 'string', multiple: true },
        models: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new BadInput(`${error instanceof Error ? error.message : error}\nusage: ${USAGE}`, { cause: error });
  }
}
