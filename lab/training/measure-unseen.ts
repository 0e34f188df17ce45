/**
 * Measures forecasts of coins that a network was not trained on and writes them into manifests and cards:
 * `npm run lab -- measure unseen --data DIR [--runs DIR] [--timeframe 5min] [--stride 7] [--models DIR]`. It reads the networks that
 * `npm run lab -- train MODEL --data DIR --without COIN` left in lab/training/runs. Exit status 2 for a bad argument or file.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { barMinutesOf } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit, timeframeOf } from '../../scripts/command-line.ts';
import { inTimeframe, listCandleFiles, readCandleFile } from '../measure/candle-files.ts';
import { folderOfTimeframe, openShippedModels } from '../measure/shipped-models.ts';
import { MEASURE_STRIDE_BARS, strideBarsOf, strideFault } from '../measure/windows/sampling.ts';
import { isUsed } from '../measure/windows/splits.ts';
import { readManifest, writeManifest } from './model-folder.ts';
import { progressLog } from './python/progress-log.ts';
import { measureUnseen } from './unseen-coins.ts';

const USAGE = 'npm run lab -- measure unseen --data DIR [--runs DIR] [--timeframe 5min] [--stride BARS] [--models DIR]';
const root = join(import.meta.dirname, '..', '..');

const { data, runsDir, modelsDir, strideMinutes, timeframe } = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      runs: { type: 'string', default: join(import.meta.dirname, 'runs') },
      stride: { type: 'string' },
      timeframe: { type: 'string' },
      models: { type: 'string', default: join(root, 'models') },
    },
  });
  if (!values.data) throw new BadInput('--data DIR is needed');
  const timeframe = timeframeOf(values.timeframe);
  const strideBars = strideBarsOf(values.stride, MEASURE_STRIDE_BARS[timeframe]);
  const fault = strideFault(strideBars, timeframe);
  if (fault !== null) throw new BadInput(fault);
  const [modelsDir, runsDir] = [values.models, values.runs].map((folder) => folderOfTimeframe(folder, timeframe));
  return {
    data: values.data,
    modelsDir: modelsDir ?? '',
    runsDir: runsDir ?? '',
    strideMinutes: strideBars * barMinutesOf(timeframe),
    timeframe,
  };
}, USAGE);

const log = progressLog();
const files = readOrExit(() =>
  listCandleFiles(data)
    .filter(isUsed)
    .map((name) => inTimeframe(readCandleFile(data, name), timeframe)),
);
const models = await openShippedModels(modelsDir, timeframe);
try {
  const measured = await measureUnseen(models, runsDir, files, strideMinutes, log);
  for (const [name, unseen] of measured) {
    const folder = join(modelsDir, name);
    const manifest = readManifest(folder);
    if (manifest === null) throw new Error(`${folder} changed while it was measured`);
    writeManifest(folder, { ...manifest, unseen });
    log(`${name}: ${unseen.coins.join(', ')} measured as unseen coins`);
  }
} catch (error) {
  if (!(error instanceof BadInput)) throw error;
  console.error(error.message);
  process.exitCode = 2;
} finally {
  for (const { network } of models) await network.release();
}
