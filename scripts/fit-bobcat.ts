/**
 * Fits Bobcat from scratch on recorded candles and rewrites models/bobcat: `node scripts/fit-bobcat.ts --data DIR`.
 * The same files give the same model to the last digit.
 */
import { parseArgs } from 'node:util';
import { isUsed } from './fit/splits.ts';
import { listCandleFiles, readCandleFile } from './fit/candle-files.ts';
import { fitModel } from './fit/fit-model.ts';
import { writeFileSync } from 'node:fs';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (values.data === undefined) throw new Error('Say where the candles are: --data DIR');
const folder = values.data;
const startedMs = performance.now();
const log = (line: string): void => console.error(`${((performance.now() - startedMs) / 1000).toFixed(1)} s  ${line}`);

const files = listCandleFiles(folder)
  .filter(isUsed)
  .map((name) => readCandleFile(folder, name));
log(`${files.length} files read`);
const { model, counts } = fitModel(files, log);
writeFileSync('/tmp/kat-model.json', JSON.stringify(model));
console.log(JSON.stringify(counts), JSON.stringify(model).length);
