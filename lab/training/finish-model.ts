/**
 * Creates a model folder from a trained network: path tables and golden file, manifest and card, then the figures.
 * `finish-model.ts <bobcat|panther|lion> --data DIR --network FILE.onnx --training training.json --out models/<name>`.
 * The record of the training names the timeframe.
 * `parity/` beside the network contains torch's own answers. `--no-measure` leaves the figures to measure-models.ts,
 * which measures all models together anyway.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MODEL_NAMES } from '../../domain/forecast/models.ts';
import { barMinutesOf, type Timeframe } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit } from '../../scripts/command-line.ts';
import { openNetwork } from '../../server/forecast/network/network.ts';
import { type CandleFile, inTimeframe, listCandleFiles, readCandleFile } from '../measure/candle-files.ts';
import { MEASURE_STRIDE_BARS } from '../measure/windows/sampling.ts';
import { isUsed, type Part, segmentsOf } from '../measure/windows/splits.ts';
import { type Window, windowsOf } from '../measure/windows/windows.ts';
import { calibratePaths, fitPathTables } from './fit-path-tables.ts';
import { measureModels } from './measure-folders.ts';
import { type FinishedModel, modelVersionOf, writeModelFolder } from './model-folder.ts';
import { goldenFile } from './python/golden.ts';
import { MAX_PARITY_DIFFERENCE, parityDifference } from './python/parity.ts';
import { progressLog } from './python/progress-log.ts';
import { assertTrainedOnThese, readTrainingRecord } from './training-record.ts';
import { forecastWindows } from './window-outputs.ts';

/** No common factor with the bars of an hour: volatility has a pattern within it. At one minute few bars count twice. */
const PATH_STRIDE_BARS: Readonly<Record<Timeframe, number>> = { '1min': 97, '5min': 19, '15min': 5 };
const LENGTH_STRIDE_BARS: Readonly<Record<Timeframe, number>> = { '1min': 61, '5min': 13, '15min': 3 };

const USAGE =
  `node_modules/.bin/node lab/training/finish-model.ts <${MODEL_NAMES.join('|')}> --data DIR --network FILE.onnx ` +
  '--training training.json --out DIR [--no-measure]';

const { name, data, networkFile, training, out, isMeasured } = readOrExit(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      network: { type: 'string' },
      training: { type: 'string' },
      out: { type: 'string' },
      'no-measure': { type: 'boolean', default: false },
    },
  });
  const name = MODEL_NAMES.find((known) => known === positionals[0]);
  if (name === undefined || positionals.length > 1) throw new BadInput('one model is needed');
  const { data, network, training, out } = values;
  if (!data || !network || !training || !out) {
    throw new BadInput('--data, --network, --training and --out are all needed');
  }
  return { name, data, networkFile: network, training, out, isMeasured: !values['no-measure'] };
}, USAGE);
const log = progressLog();

const record = readTrainingRecord(training);
const { timeframe = '1min', without } = record;
if (without !== undefined)
  throw new Error(`this network was trained without ${without}: measure it with npm run lab -- measure unseen`);
const files = readOrExit(() =>
  listCandleFiles(data)
    .filter(isUsed)
    .map((file) => inTimeframe(readCandleFile(data, file), timeframe)),
);
log(`${files.length} files read`);
assertTrainedOnThese(record, files);
const bytes = readFileSync(networkFile);
const network = await openNetwork(bytes, record.inputNames);
const parityMaxDifference = await parityDifference(network, join(dirname(networkFile), 'parity'));
log(`largest difference from what torch answered: ${parityMaxDifference.toExponential(1)}`);
if (parityMaxDifference > MAX_PARITY_DIFFERENCE)
  throw new Error('the exported network answers otherwise than torch did');
const toFit = await forecastWindows(network, cryptoWindows('fit', PATH_STRIDE_BARS));
const weights = windowWeights(toFit.map(({ window }) => window));
const fitted = fitPathTables(toFit, ({ window }) => weights.get(window.file) ?? 0);
log(`path tables fitted on ${toFit.length} windows`);
const toCalibrate = await forecastWindows(network, cryptoWindows('validate', LENGTH_STRIDE_BARS));
const tables = calibratePaths(fitted, toCalibrate);
log(`lengths ${JSON.stringify(tables.lengths)} calibrated on ${toCalibrate.length} windows`);

const model: FinishedModel = {
  name,
  network: bytes,
  tables,
  record: { ...record, parityMaxDifference },
  pathWindows: { paths: { crypto: toFit.length }, lengths: { crypto: toCalibrate.length } },
  files,
};
const modelVersion = modelVersionOf(model);
writeModelFolder(out, model, await goldenFile(network, tables, modelVersion, timeframe));
await network.release();
log(`${modelVersion} written to ${out}`);
if (isMeasured) {
  const strideMinutes = MEASURE_STRIDE_BARS[timeframe] * barMinutesOf(timeframe);
  const suspicions = await measureModels(dirname(resolve(out)), files, log, strideMinutes);
  if (suspicions.length > 0) process.exitCode = 1;
}

function cryptoWindows(part: Part, strideBars: typeof PATH_STRIDE_BARS): Window[] {
  const strideMinutes = strideBars[timeframe] * barMinutesOf(timeframe);
  return files
    .filter(({ assetClass }) => assetClass === 'crypto')
    .flatMap((file) =>
      segmentsOf(file)
        .filter((segment) => segment.part === part)
        .flatMap((segment) => [...windowsOf(file, segment, strideMinutes)]),
    );
}

/** Every symbol has the same total weight. */
function windowWeights(windows: readonly Window[]): Map<CandleFile, number> {
  const counts = new Map<CandleFile, number>();
  for (const { file } of windows) counts.set(file, (counts.get(file) ?? 0) + 1);
  return new Map([...counts].map(([file, count]) => [file, 1000 / count]));
}
