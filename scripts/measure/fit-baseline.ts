/**
 * Fits the baseline of the public record and writes it with its card into models/baseline:
 * `npm run measure -- baseline --data DIR [--out DIR]`. It writes only statistics, no candles. Exit status 2 for a bad
 * argument or file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readOrExit } from '../command-line.ts';
import { BadInput } from './bad-input.ts';
import { baselineCard } from './baselines/baseline-card.ts';
import { baselineFigures } from './baselines/baseline-figures.ts';
import { fitBaseline } from './baselines/baseline-file.ts';
import { listCandleFiles, readCandleFile } from './candle-files.ts';
import { isUsed } from './windows/splits.ts';

const USAGE = 'npm run measure -- baseline --data DIR [--out DIR]';
/** No common factor with 60. */
const MEASURE_STRIDE_MINUTES = 7;

const { files, out, fitted } = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      out: { type: 'string', default: join(import.meta.dirname, '..', '..', 'models', 'baseline') },
    },
  });
  const folder = values.data;
  if (!folder) throw new BadInput('--data DIR is needed');
  const files = listCandleFiles(folder)
    .filter(isUsed)
    .map((name) => readCandleFile(folder, name));
  return { files, out: values.out, fitted: fitBaseline(files) };
}, USAGE);

const { version } = fitted.table;
const figures = baselineFigures(files, fitted.table, MEASURE_STRIDE_MINUTES);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, `${version}.json`), fitted.text);
writeFileSync(join(out, 'current.json'), `${JSON.stringify({ version })}\n`);
writeFileSync(join(out, 'README.md'), baselineCard(fitted, figures, MEASURE_STRIDE_MINUTES));
console.log(`${version}: ${join(out, `${version}.json`)}`);
