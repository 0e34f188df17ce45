/**
 * Speed, sharing and skill of Bobcat as one JSON table, each against its baseline in the same run.
 * `node bench/forecast.ts [--data DIR [--from ISO --to ISO] [--stride 29] [--out F.jsonl]]`: without --data only speed and
 * sharing, on made-up candles; with it also skill, on the standard test spans or on all files between --from and --to.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listCandleFiles, readCandleFile } from '../scripts/measure/candle-files.ts';
import { measure } from '../scripts/measure/measure.ts';
import { type MeasuredGroup, spanGroups, standardGroups } from '../scripts/measure/measured-symbols.ts';
import { measureRealism } from '../scripts/fit/realism.ts';
import { isUsed } from '../scripts/measure/splits.ts';
import { harModelSchema } from '../server/forecast/model-file.ts';
import { openModelRegistry } from '../server/forecast/model-registry.ts';
import { writeForecastLines } from './forecast-lines.ts';
import { measureSharing, measureSpeed } from './forecast-speed.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    stride: { type: 'string', default: '29' },
    out: { type: 'string' },
  },
});
const strideMinutes = Number(values.stride);
if (!Number.isInteger(strideMinutes) || strideMinutes < 1) throw new Error('--stride is a whole number of minutes');
if (values.data === undefined && (values.out ?? values.from ?? values.to) !== undefined) {
  throw new Error('--from, --to and --out need --data DIR');
}

const modelsDir = join(import.meta.dirname, '..', 'models');
const registry = openModelRegistry(modelsDir);
const ready = registry.ready('bobcat');
const har = harModelSchema.parse(JSON.parse(readFileSync(join(modelsDir, 'bobcat', 'model.json'), 'utf8')));

const groups = values.data === undefined ? [] : groupsOf(values.data);
const table = {
  model: 'bobcat',
  modelVersion: ready.modelVersion,
  speed: measureSpeed(registry),
  sharing: await measureSharing(registry),
  ...(values.data === undefined ? {} : { strideMinutes, skill: groups.map(figuresOf) }),
};
console.log(JSON.stringify(table, null, 1));
if (values.out !== undefined) writeForecastLines(values.out, ready, har, groups.flatMap(windowsIn));

function groupsOf(folder: string): MeasuredGroup[] {
  const hasSpan = values.from !== undefined || values.to !== undefined;
  const names = listCandleFiles(folder).filter((name) => hasSpan || isUsed(name));
  const files = names.map((name) => readCandleFile(folder, name));
  const span = { startS: secondsOf(values.from, 0), endS: secondsOf(values.to, Number.POSITIVE_INFINITY) };
  const found = hasSpan ? spanGroups(files, span, strideMinutes) : standardGroups(files, strideMinutes);
  if (found.length === 0)
    throw new Error('no window of 450 candles and 50 more lies in the span; give --from and --to');
  return found;
}

function secondsOf(iso: string | undefined, absent: number): number {
  if (iso === undefined) return absent;
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`${iso} is no ISO date`);
  return ms / 1000;
}

function figuresOf(group: MeasuredGroup): unknown {
  const realism = measureRealism(har, ready.modelVersion, windowsIn(group));
  return { group: group.name, ...measure(har, group.symbols), realism };
}

function windowsIn(group: MeasuredGroup): MeasuredGroup['symbols'][number]['windows'][number][] {
  return group.symbols.flatMap((symbol) => [...symbol.windows]);
}
