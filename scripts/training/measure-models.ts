/**
 * Measures all trained models of models/ together and rewrites their figures and cards:
 * `npm run measure:models -- --data DIR [--stride 7] [--models DIR]`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listCandleFiles, readCandleFile } from '../measure/candle-files.ts';
import { isUsed } from '../measure/splits.ts';
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

const files = listCandleFiles(folder)
  .filter(isUsed)
  .map((name) => readCandleFile(folder, name));
await measureModels(values.models, files, progressLog(), strideMinutes);
