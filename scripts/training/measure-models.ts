/**
 * Measures all trained models of models/ together and rewrites their figures and cards:
 * `measure-models.ts --data DIR [--stride 7] [--models DIR]`.
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
if (values.data === undefined) throw new Error('Say where the candles are: --data DIR');
const folder = values.data;
const strideMinutes = Number(values.stride);
if (!Number.isInteger(strideMinutes) || strideMinutes < 1) throw new Error('--stride is a whole number of minutes');

const files = listCandleFiles(folder)
  .filter(isUsed)
  .map((name) => readCandleFile(folder, name));
await measureModels(values.models, files, progressLog(), strideMinutes);
