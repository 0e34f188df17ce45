/**
 * Trains one model from recorded candles to a finished folder: `npm run lab -- train <bobcat|panther|lion> --data DIR
 * [--timeframe 5min] [--without COIN]`.
 * Node exports the windows, Python trains the network (and resumes from its last checkpoint), Node finishes and
 * measures the folder. `--quick` runs every step without changing models/. Only the fitting is short (one pass, few
 * windows): export, calibration and measurement still process every file. `--without` leaves out every market of a
 * coin and ends after training, for `npm run lab -- measure unseen`.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MODEL_NAMES } from '../../domain/forecast/models.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit, timeframeOf } from '../../scripts/command-line.ts';
import { listCandleFiles } from '../measure/candle-files.ts';
import { folderOfTimeframe } from '../measure/shipped-models.ts';
import { choosePython, USUAL_PLACES } from './python/choose-python.ts';

const USAGE =
  `npm run lab -- train <${MODEL_NAMES.join('|')}> --data DIR [--timeframe 5min] [--quick | --without COIN]\n` +
  '--quick: one pass on few windows, models/ stays as it is; export, calibration and measuring still take every file';
const COIN = /^[A-Z0-9]{1,20}$/;
const root = join(import.meta.dirname, '../..');
const trainingDir = import.meta.dirname;

const { model, dataDir, timeframe, isQuick, without } = readOrExit(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      timeframe: { type: 'string' },
      quick: { type: 'boolean', default: false },
      without: { type: 'string' },
    },
  });
  const model = MODEL_NAMES.find((name) => name === positionals[0]);
  if (model === undefined || positionals.length > 1) throw new BadInput('one model is needed');
  if (!values.data) throw new BadInput('--data DIR is needed');
  const timeframe = timeframeOf(values.timeframe);
  const { without, quick: isQuick } = values;
  if (without !== undefined && (isQuick || !COIN.test(without))) {
    throw new BadInput(
      isQuick ? '--without and --quick exclude each other' : `--without ${without}: a coin such as SOL is needed`,
    );
  }
  // Before an interpreter is looked for or made, which takes a minute.
  if (listCandleFiles(values.data).length === 0) throw new BadInput(`${values.data} holds no SYMBOL-1m.csv.gz`);
  return { model, dataDir: resolve(values.data), timeframe, isQuick, without };
}, USAGE);
const inFolder = (folder: string): string => folderOfTimeframe(folder, timeframe);
const runs = inFolder(join(trainingDir, 'runs'));
const run =
  without === undefined ? join(runs, isQuick ? `${model}-quick` : model) : join(runs, `without-${without}`, model);
const windows = inFolder(join(trainingDir, 'cache'));
const out = join(isQuick ? join(run, 'models') : inFolder(join(root, 'models')), model);

const extra = without === undefined ? (isQuick ? ['--quick'] : []) : ['--without', without];

const python = pythonOrFail();
console.error(`Training with ${python}.`);
step(process.execPath, [script('export-windows.ts'), '--data', dataDir, '--out', windows, '--timeframe', timeframe]);
step(python, ['-m', 'kat_training.train', model, '--windows', windows, '--out', run, ...extra]);
if (without !== undefined) process.exit(0);
const network = ['--network', join(run, 'model.onnx'), '--training', join(run, 'training.json')];
step(process.execPath, [script('finish-model.ts'), model, '--data', dataDir, ...network, '--out', out]);

function script(name: string): string {
  return join(trainingDir, name);
}

function pythonOrFail(): string {
  try {
    return choosePython({ trainingDir, ...USUAL_PLACES }, (line) => console.error(line));
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), 1);
  }
}

/** Runs one step here, where Python finds its package; the first that fails ends the run with its status. */
function step(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, {
    cwd: trainingDir,
    stdio: 'inherit',
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  });
  if (error !== undefined) fail(`${command} did not start: ${error.message}`, 1);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message: string, status: number): never {
  console.error(message);
  process.exit(status);
}
