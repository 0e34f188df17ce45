/**
 * Measures all trained models of models/ together and rewrites their figures and cards:
 * `npm run lab -- measure models --data DIR [--timeframe 5min] [--stride 7] [--models DIR]`. Exit status 1, and nothing written, if a leak is
 * suspected; 2 for a bad argument or file.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { barMinutesOf } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit, timeframeOf } from '../../scripts/command-line.ts';
import { inTimeframe, listCandleFiles, readCandleFile } from '../measure/candle-files.ts';
import { folderOfTimeframe } from '../measure/shipped-models.ts';
import { MEASURE_STRIDE_BARS, strideBarsOf, strideFault } from '../measure/windows/sampling.ts';
import { isUsed } from '../measure/windows/splits.ts';
import { measureModels } from './measure-folders.ts';
import { progressLog } from './python/progress-log.ts';

const USAGE = 'npm run lab -- measure models --data DIR [--timeframe 5min] [--stride BARS] [--models DIR]';

const { folder, modelsDir, strideMinutes, timeframe } = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      stride: { type: 'string' },
      timeframe: { type: 'string' },
      models: { type: 'string', default: join(import.meta.dirname, '..', '..', 'models') },
    },
  });
  if (!values.data) throw new BadInput('--data DIR is needed');
  const timeframe = timeframeOf(values.timeframe);
  const strideBars = strideBarsOf(values.stride, MEASURE_STRIDE_BARS[timeframe]);
  const fault = strideFault(strideBars, timeframe);
  if (fault !== null) throw new BadInput(fault);
  const modelsDir = folderOfTimeframe(values.models, timeframe);
  return { folder: values.data, modelsDir, strideMinutes: strideBars * barMinutesOf(timeframe), timeframe };
}, USAGE);

const files = readOrExit(() =>
  listCandleFiles(folder)
    .filter(isUsed)
    .map((name) => inTimeframe(readCandleFile(folder, name), timeframe)),
);
const suspicions = await measureModels(modelsDir, files, progressLog(), strideMinutes);
if (suspicions.length > 0) process.exitCode = 1;
