/**
 * Scores the engine of chances on recorded candles of coins: `npm run bench -- chances --data DIR [--from ISO --to ISO]
 * [--stride 29] [--out FILE]`. Prints Brier and log scores against EWMA-Gauss, log-HAR and a constant volatility, with
 * reliability by tenth; --out writes one JSON line per question.
 */

import { BadInput } from '../../../scripts/bad-input.ts';
import { type AnsweredQuestion, answerQuestions } from '../../measure/chances/answered-questions.ts';
import { AnswerTally } from '../../measure/chances/chance-figures.ts';
import { posedWindowsOf } from '../../measure/chances/posed-windows.ts';
import { openLineFile } from '../forecasts/forecast-lines.ts';
import { readable } from '../forecasts/readable.ts';
import { openChancesRun } from './chances-run.ts';

try {
  const { options, models, symbols, warnings, log, close } = await openChancesRun(
    process.argv.slice(2),
    posedWindowsOf,
  );
  const { strideMinutes } = options;
  const lines = options.outFile === null ? null : openLineFile(options.outFile);
  const figures = new Map(models.map(({ name }) => [name, new AnswerTally()]));
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
  await close();
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
