/**
 * Measures all trained models of models/ together and rewrites their figures and cards:
 * `npm run measure:models -- --data DIR [--stride 7] [--models DIR]`. Exit status 1, and nothing written, where a leak is suspected.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listCandleFiles, readCandleFile } from '../measure/candle-files.ts';
import { isUsed } from '../measure/splits.ts';
import { sharesFactorWithHour } from '../measure/windows.ts';
import { MEASURE_STRIDE_MINUTES, measureModels } from './measure-folders.ts';
import { progressLog } from './progress-log.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    stride: { type: 'string', default: String(MEASURE_STRIDE_MINUTES) },
    models: { type: 'string', default: join(import.meta.dirname, '..', '..', 'models') },
  },
});
const folder = values.data;
const strideMinutes = Number(values.stride);
if (!folder || !Number.isInteger(strideMinutes) || strideMinutes < 1) {
  console.error('usage: measure-models.ts --data DIR [--stride MINUTES] [--models DIR]');
  process.exit(2);
}
if (sharesFactorWithHour(strideMinutes)) {
  console.error(`a stride of ${strideMinutes} shares a factor with 60, and the hour has a rhythm: take 7 or 29`);
  process.exit(2);
}

const files = listCandleFiles(folder)
  .filter(isUsed)
  .map((name) => readCandleFile(folder, name));
const suspicions = await measureModels(values.models, files, progressLog(), strideMinutes);
if (suspicions.length > 0) process.exitCode = 1;
