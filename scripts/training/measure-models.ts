/**
 * Measures all trained models of models/ together and rewrites their figures and cards:
 * `npm run measure -- models --data DIR [--stride 7] [--models DIR]`. Exit status 1, and nothing written, if a leak is
 * suspected; 2 for a bad argument or file.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readOrExit } from '../command-line.ts';
import { BadInput } from '../measure/bad-input.ts';
import { listCandleFiles, readCandleFile } from '../measure/candle-files.ts';
import { isUsed } from '../measure/windows/splits.ts';
import { sharesFactorWithHour } from '../measure/windows/windows.ts';
import { MEASURE_STRIDE_MINUTES, measureModels } from './measure-folders.ts';
import { progressLog } from './python/progress-log.ts';

const USAGE = 'npm run measure -- models --data DIR [--stride MINUTES] [--models DIR]';

const { folder, modelsDir, strideMinutes } = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      stride: { type: 'string', default: String(MEASURE_STRIDE_MINUTES) },
      models: { type: 'string', default: join(import.meta.dirname, '..', '..', 'models') },
    },
  });
  if (!values.data) throw new BadInput('--data DIR is needed');
  const strideMinutes = Number(values.stride);
  if (!/^\d+$/.test(values.stride) || strideMinutes < 1) {
    throw new BadInput(`--stride ${values.stride}: a whole number of minutes from 1 on is needed`);
  }
  if (sharesFactorWithHour(strideMinutes)) {
    throw new BadInput(`a stride of ${strideMinutes} shares a factor with 60, and the hour has a rhythm: take 7 or 29`);
  }
  return { folder: values.data, modelsDir: values.models, strideMinutes };
}, USAGE);

const files = readOrExit(() =>
  listCandleFiles(folder)
    .filter(isUsed)
    .map((name) => readCandleFile(folder, name)),
);
const suspicions = await measureModels(modelsDir, files, progressLog(), strideMinutes);
if (suspicions.length > 0) process.exitCode = 1;
