/**
 * Fits the baseline of the public record and writes it with its card into models/baseline:
 * `npm run lab -- measure baseline --data DIR [--timeframe 5min] [--out DIR]`. It writes only statistics, no candles. Exit status 2 for a bad
 * argument or file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { barMinutesOf, DEFAULT_TIMEFRAME } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit, timeframeOf } from '../../scripts/command-line.ts';
import { baselineCard } from './baselines/baseline-card.ts';
import { baselineFigures } from './baselines/baseline-figures.ts';
import { fitBaseline } from './baselines/baseline-file.ts';
import { inTimeframe, listCandleFiles, readCandleFile } from './candle-files.ts';
import { MEASURE_STRIDE_BARS } from './windows/sampling.ts';
import { isUsed } from './windows/splits.ts';

const USAGE = 'npm run lab -- measure baseline --data DIR [--timeframe 5min] [--out DIR]';

const { files, out, timeframe, fitted } = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      timeframe: { type: 'string' },
      out: { type: 'string', default: join(import.meta.dirname, '..', '..', 'models', 'baseline') },
    },
  });
  const folder = values.data;
  if (!folder) throw new BadInput('--data DIR is needed');
  const timeframe = timeframeOf(values.timeframe);
  const files = listCandleFiles(folder)
    .filter(isUsed)
    .map((name) => inTimeframe(readCandleFile(folder, name), timeframe));
  return { files, out: values.out, timeframe, fitted: fitBaseline(files) };
}, USAGE);

const { version } = fitted.table;
const strideMinutes = MEASURE_STRIDE_BARS[timeframe] * barMinutesOf(timeframe);
const figures = baselineFigures(files, fitted.table, strideMinutes);
const isOfMinutes = timeframe === DEFAULT_TIMEFRAME;
const currentPath = join(out, 'current.json');
const current = existsSync(currentPath) ? JSON.parse(readFileSync(currentPath, 'utf8')) : {};
mkdirSync(out, { recursive: true });
writeFileSync(join(out, `${version}.json`), fitted.text);
writeFileSync(currentPath, `${JSON.stringify({ ...current, [isOfMinutes ? 'version' : timeframe]: version })}\n`);
writeFileSync(join(out, isOfMinutes ? 'README.md' : `${timeframe}.md`), baselineCard(fitted, figures, strideMinutes));
console.log(`${version}: ${join(out, `${version}.json`)}`);
