/**
 * Fits Bobcat from scratch on recorded candles and rewrites models/bobcat: `node scripts/fit-bobcat.ts --data DIR`.
 * The same files give the same model to the last digit.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listCandleFiles, readCandleFile } from './measure/candle-files.ts';
import { fitModel } from './fit/fit-model.ts';
import { measure } from './measure/measure.ts';
import { standardGroups } from './measure/measured-symbols.ts';
import { measureRealism } from './fit/realism.ts';
import { isUsed } from './measure/splits.ts';
import { modelTextOf, modelVersionOf, writeModel } from './fit/write-model.ts';

/** No common factor with 60. */
const MEASURE_STRIDE_MINUTES = 7;

const { values } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string' } } });
if (values.data === undefined) throw new Error('Say where the candles are: --data DIR');
const folder = values.data;
const out = values.out ?? join(import.meta.dirname, '..', 'models', 'bobcat');
const startedMs = performance.now();
const log = (line: string): void => console.error(`${((performance.now() - startedMs) / 1000).toFixed(1)} s  ${line}`);

const files = listCandleFiles(folder)
  .filter(isUsed)
  .map((name) => readCandleFile(folder, name));
log(`${files.length} files read`);
const fitted = fitModel(files, log);
const modelVersion = modelVersionOf(modelTextOf(fitted));
const figures = standardGroups(files, MEASURE_STRIDE_MINUTES).map(({ name, symbols }) => {
  const windows = symbols.flatMap((symbol) => symbol.windows);
  const skill = measure(fitted.model, symbols);
  const realism = measureRealism(fitted.model, modelVersion, windows);
  log(`measured ${name} on ${windows.length} windows`);
  return { group: name, strideMinutes: MEASURE_STRIDE_MINUTES, skill, realism };
});
writeModel(out, fitted, files, figures);
log(`${modelVersion} written`);
