/**
 * Writes windows of recorded candles as the plain arrays that training reads, from `--data DIR` to `--out CACHE`. The
 * serving code computes the features, so that both cannot differ. One folder per part. With `--timeframe 5min` or
 * `15min` bars are added up from the minutes.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { barMinutesOf, type Timeframe } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit, timeframeOf } from '../../scripts/command-line.ts';
import {
  AHEAD_CHANNELS,
  buildModelInputs,
  MINUTE_CHANNELS,
  STATIC_NAMES,
} from '../../server/forecast/network/model-inputs.ts';
import { type CandleFile, fileNameOf, inTimeframe, listCandleFiles, readCandleFile } from '../measure/candle-files.ts';
import { isUsed, segmentsOf } from '../measure/windows/splits.ts';
import { lookbackOf, targetOf, type Window, windowsOf } from '../measure/windows/windows.ts';

/**
 * Minutes between two windows. Markets with weeks of data get a denser stride. Fitting takes bars of every opening
 * minute: a quarter of an hour that opens at :07 moves like one that opens at :00. Validation takes them as venues do.
 */
type Strides = Readonly<Record<Timeframe, { crypto: number; other: number }>>;
const FIT_STRIDE_MINUTES: Strides = {
  '1min': { crypto: 3, other: 1 },
  '5min': { crypto: 7, other: 1 },
  '15min': { crypto: 3, other: 1 },
};
const VALIDATE_STRIDE_MINUTES: Strides = {
  '1min': { crypto: 7, other: 3 },
  '5min': { crypto: 5, other: 5 },
  '15min': { crypto: 15, other: 15 },
};
const PARTS = ['fit', 'validate'] as const;

/** Name, type and length per window of each array; little-endian, window by window. */
const ARRAYS = [
  ['statics', 'float32', STATIC_NAMES.length],
  ['minutes', 'float16', 450 * MINUTE_CHANNELS.length],
  ['ahead', 'uint16', 50 * AHEAD_CHANNELS.length],
  /** Blended variance of each future minute, over s squared. */
  ['blended', 'float32', 50],
  /** ln(C[t+h] / C[t]) over s. */
  ['moves', 'float32', 50],
  /** ln(high / low) of each future minute, over s. */
  ['ranges', 'float32', 50],
  /** t0 (seconds), s, RV50 over s, range50 over s, number of the symbol. */
  ['facts', 'float64', 5],
] as const;

const USAGE = 'node_modules/.bin/node lab/training/export-windows.ts --data DIR --out CACHE [--timeframe 5min]';

const { folder, out, timeframe } = readOrExit(() => {
  const { values } = parseArgs({
    options: { data: { type: 'string' }, out: { type: 'string' }, timeframe: { type: 'string' } },
  });
  if (!values.data || !values.out) throw new BadInput('--data and --out are needed');
  return { folder: values.data, out: values.out, timeframe: timeframeOf(values.timeframe) };
}, USAGE);

const files = readOrExit(() =>
  listCandleFiles(folder)
    .filter(isUsed)
    .map((name) => readCandleFile(folder, name)),
);
for (const part of PARTS) exportPart(part, join(out, part));

function exportPart(part: (typeof PARTS)[number], target: string): void {
  mkdirSync(target, { recursive: true });
  const handles = ARRAYS.map(([name]) => openSync(join(target, `${name}.bin`), 'w'));
  const counts: number[] = [];
  try {
    for (const [symbol, file] of files.entries()) {
      let count = 0;
      for (const window of windowsOfPart(file, part)) {
        for (const [i, bytes] of arraysOf(window, symbol).entries()) writeSync(handles[i] ?? -1, bytes);
        count++;
      }
      counts.push(count);
      console.error(`${part} ${file.name}: ${count} windows`);
    }
  } finally {
    for (const handle of handles) closeSync(handle);
  }
  const meta = {
    part,
    timeframe,
    windows: counts.reduce((sum, count) => sum + count, 0),
    arrays: ARRAYS.map(([name, type, length]) => ({ name, type, length })),
    staticNames: STATIC_NAMES,
    minuteChannels: MINUTE_CHANNELS,
    aheadChannels: AHEAD_CHANNELS,
    symbols: files.map((file, i) => ({ name: file.name, assetClass: file.assetClass, windows: counts[i] })),
    data: files.map((file) => ({ file: fileNameOf(file), sha256: file.sha256 })),
  };
  writeFileSync(join(target, 'meta.json'), `${JSON.stringify(meta, null, 1)}\n`);
}

/** Rising in time. */
function* windowsOfPart(file: CandleFile, part: (typeof PARTS)[number]): Generator<Window> {
  const strides = part === 'fit' ? FIT_STRIDE_MINUTES : VALIDATE_STRIDE_MINUTES;
  const stride = strides[timeframe][file.assetClass === 'crypto' ? 'crypto' : 'other'];
  const offsets = part === 'fit' ? barMinutesOf(timeframe) : 1;
  const ofOffset = Array.from({ length: offsets }, (_, offset) => inTimeframe(file, timeframe, offset));
  for (const segment of segmentsOf(inTimeframe(file, timeframe))) {
    if (segment.part === part) yield* inTurn(ofOffset.map((bars) => windowsOf(bars, segment, stride)));
  }
}

/** Of several streams that rise in time, one that does. */
function* inTurn(streams: readonly Generator<Window>[]): Generator<Window> {
  const heads = streams.map((stream) => stream.next().value as Window | undefined);
  while (true) {
    let first = -1;
    for (const [i, head] of heads.entries()) {
      if (head !== undefined && (first < 0 || head.t0 < (heads[first]?.t0 ?? 0))) first = i;
    }
    const next = heads[first];
    if (next === undefined) return;
    yield next;
    heads[first] = streams[first]?.next().value as Window | undefined;
  }
}

/** In the order of ARRAYS. */
function arraysOf(window: Window, symbol: number): Uint8Array[] {
  const { file } = window;
  const inputs = buildModelInputs(lookbackOf(file, window.index), file.assetClass, file.timeframe);
  const { scale } = inputs.features;
  const { blended, change, rv50, range50 } = window.future;
  const ranges = targetOf(file, window.index).map((c) => Math.log(c.high / c.low) / scale);
  return [
    inputs.statics,
    Float16Array.from(inputs.minutes),
    Uint16Array.from(inputs.ahead),
    Float32Array.from(blended, (v) => v / scale ** 2),
    Float32Array.from(change, (v) => v / scale),
    Float32Array.from(ranges),
    Float64Array.from([window.t0, scale, rv50 / scale, range50 / scale, symbol]),
  ].map((array) => new Uint8Array(array.buffer));
}
