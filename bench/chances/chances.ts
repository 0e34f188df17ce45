/**
 * Scores the engine of chances on recorded candles of coins: `npm run bench -- chances --data DIR [--from ISO --to ISO]
 * [--stride 29] [--out FILE]`. Prints Brier and log scores against EWMA-Gauss, log-HAR and a constant volatility, with
 * reliability by tenth; --out writes one JSON line per question.
 */

import { BadInput } from '../../scripts/measure/bad-input.ts';
import { listCandleFiles, readCandleFile } from '../../scripts/measure/candle-files.ts';
import { type AnsweredQuestion, answerQuestions } from '../../scripts/measure/chances/answered-questions.ts';
import { ChanceFigures } from '../../scripts/measure/chances/chance-figures.ts';
import { posedWindowsOf } from '../../scripts/measure/chances/posed-windows.ts';
import { type MeasuredGroup, spanGroups, standardGroups } from '../../scripts/measure/measured-symbols.ts';
import { seenInTraining } from '../../scripts/measure/seen-in-training.ts';
import { openShippedModels } from '../../scripts/measure/shipped-models.ts';
import { strideFault } from '../../scripts/measure/windows/sampling.ts';
import { isUsed } from '../../scripts/measure/windows/splits.ts';
import { openLineFile } from '../forecasts/forecast-lines.ts';
import { readable } from '../forecasts/readable.ts';
import { chancesOptions } from './chances-options.ts';

const STANDARD_GROUP = 'crypto-test';

const log = (line: string): void => console.error(`${(performance.now() / 1000).toFixed(1)} s  ${line}`);

try {
  const options = chancesOptions(process.argv.slice(2));
  const { span, strideMinutes } = options;
  const opened = await openShippedModels(options.modelsDir);
  const models = opened.filter(({ name }) => options.models.includes(name));
  if (models.length === 0) throw new BadInput(`${options.modelsDir} holds no trained ${options.models.join(' or ')}`);
  const files = listCandleFiles(options.dataDir)
    .filter((name) => span !== null || isUsed(name))
    .map((name) => readCandleFile(options.dataDir, name))
    .filter(({ assetClass }) => assetClass === 'crypto');
  log(`${files.length} files read`);
  const groups =
    span === null
      ? standardGroups(files, strideMinutes, posedWindowsOf).filter(({ name }) => name === STANDARD_GROUP)
      : spanGroups(files, span, strideMinutes, posedWindowsOf);
  const symbols = groups.flatMap((group) => group.symbols);
  if (symbols.length === 0) throw new BadInput('no unbroken 450 candles of a coin and 50 more lie in the span');
  const warnings = [strideFault(strideMinutes, '1min'), ...describeSeen(models, groups)].filter((w) => w !== null);
  for (const warning of warnings) log(`WARNING ${warning}`);
  const lines = options.outFile === null ? null : openLineFile(options.outFile);
  const figures = new Map(models.map(({ name }) => [name, new ChanceFigures()]));
  const before = process.cpuUsage();
  let withheld = 0;
  for (const symbol of symbols) {
    withheld += await answerQuestions(models, symbol, { strideMinutes }, (answered) => {
      lines?.write(lineOf(answered));
      figures.get(answered.model)?.add(answered);
    });
    log(`${symbol.file.name}: ${symbol.windows.length} moments`);
  }
  lines?.close();
  for (const { network } of opened) await network.release();
  const { user, system } = process.cpuUsage(before);
  const table = {
    strideMinutes,
    warnings,
    symbols: symbols.map(({ file, windows }) => ({ symbol: file.name, moments: windows.length })),
    withheld,
    processorS: Math.round((user + system) / 1e5) / 10,
    models: [...figures].map(([model, sums]) => ({ model, kinds: sums.figures() })),
  };
  console.log(readable(table));
} catch (error) {
  if (!(error instanceof BadInput)) throw error;
  console.error(`bench:chances: ${error.message}`);
  process.exitCode = 2;
}

function describeSeen(models: Parameters<typeof seenInTraining>[0], groups: readonly MeasuredGroup[]): string[] {
  const seen = seenInTraining(models, new Set(groups.flatMap((group) => group.symbols)));
  return seen.map(
    ({ file, part, windows }) => `${file}: ${windows} moments lie in the span of '${part}' that a model has seen`,
  );
}

function lineOf({ symbol, model, t0, posed, chance, baseline, ms }: AnsweredQuestion): unknown {
  return {
    symbol,
    model,
    t0,
    kind: posed.kind,
    window_min: posed.windowMin,
    elapsed_min: posed.elapsedMin,
    bar: posed.bar,
    threshold: posed.threshold,
    threshold2: posed.threshold2,
    p: Number(chance.toPrecision(8)),
    p_baseline: Number(baseline.toPrecision(8)),
    ms: Math.round(ms * 1e4) / 1e4,
  };
}
