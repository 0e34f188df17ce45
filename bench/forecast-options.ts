/** The arguments of `npm run bench:forecast`, checked before anything is read. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BadInput } from '../scripts/measure/bad-input.ts';
import type { Span } from '../scripts/measure/windows.ts';

export interface ForecastBenchOptions {
  /** Folder of candle files, or null: then only speed is measured. */
  dataDir: string | null;
  /** Null measures the standard split. */
  span: Span | null;
  strideMinutes: number;
  /** One JSON line per window and model, or per window and baseline. */
  outFile: string | null;
  baselinesFile: string | null;
  modelsDir: string;
  isSpeedAsked: boolean;
}

export const USAGE =
  'bench:forecast [-- --data DIR [--from ISO] [--to ISO] [--stride 29] [--out F.jsonl] [--baselines-out B.jsonl] [--skill-only]] [--models DIR]';

/** @throws BadInput saying which argument is wrong */
export function forecastBenchOptions(args: readonly string[]): ForecastBenchOptions {
  const values = parsed(args);
  const dataDir = values.data ?? null;
  if (dataDir === null && (values.out ?? values.from ?? values.to ?? values['baselines-out']) !== undefined) {
    throw new BadInput('--from, --to, --out and --baselines-out need --data DIR');
  }
  const strideMinutes = Number(values.stride);
  if (!/^\d+$/.test(values.stride) || strideMinutes < 1) {
    throw new BadInput(`--stride ${values.stride}: a whole number of minutes from 1 on is needed`);
  }
  const span = { startS: secondsOf('--from', values.from) ?? 0, endS: secondsOf('--to', values.to) ?? Infinity };
  if (span.endS <= span.startS) throw new BadInput('--to has to be later than --from');
  return {
    dataDir,
    span: values.from === undefined && values.to === undefined ? null : span,
    strideMinutes,
    outFile: values.out ?? null,
    baselinesFile: values['baselines-out'] ?? null,
    modelsDir: values.models ?? join(import.meta.dirname, '..', 'models'),
    isSpeedAsked: !values['skill-only'],
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
        stride: { type: 'string', default: '29' },
        out: { type: 'string' },
        'baselines-out': { type: 'string' },
        models: { type: 'string' },
        'skill-only': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new BadInput(`${error instanceof Error ? error.message : error}\nusage: ${USAGE}`, { cause: error });
  }
}

/** UTC unless the text names another zone; a day that the calendar does not have is refused, not moved. */
function secondsOf(name: string, iso: string | undefined): number | null {
  if (iso === undefined) return null;
  const [, day, time = '', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2})?)?(Z|[+-]\d{2}:\d{2})?$/.exec(iso) ?? [];
  const midnightMs = Date.parse(`${day}T00:00Z`);
  const ms = Date.parse(`${day}${time === '' ? 'T00:00' : time}${zone}`);
  if (day === undefined || Number.isNaN(ms) || new Date(midnightMs).toISOString().slice(0, 10) !== day) {
    throw new BadInput(`${name} ${iso} is no ISO date such as 2025-03-01 or 2025-03-01T12:00Z`);
  }
  return ms / 1000;
}
