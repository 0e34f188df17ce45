/**
 * Fits the widths of chances on validation spans of coins: `npm run lab -- measure chances --data DIR [--stride 29]`. Prints
 * the Brier score's gain over no correction for each factor tried, and the table for domain/chances/calibration.ts. A
 * factor is used only where it gains enough to matter.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CALIBRATION, type CalibratedKind, type Calibration } from '../../../domain/chances/calibration.ts';
import { chanceOf, momentPaths } from '../../../domain/chances/chance.ts';
import { MINUTE_S } from '../../../domain/market/candle.ts';
import { BadInput } from '../../../scripts/bad-input.ts';
import { readOrExit } from '../../../scripts/command-line.ts';
import { BlockSums } from '../block-bootstrap.ts';
import { listCandleFiles, readCandleFile } from '../candle-files.ts';
import { openShippedModels } from '../shipped-models.ts';
import { strideBarsOf } from '../windows/sampling.ts';
import { type MeasuredModel, runBatch } from '../windows/score-windows.ts';
import { isUsed, segmentsOf } from '../windows/splits.ts';
import type { Window } from '../windows/windows.ts';
import { forecastOf } from './answered-questions.ts';
import { type MeasuredKind, posedQuestions } from './posed-questions.ts';
import { posedWindowsOf } from './posed-windows.ts';

const USAGE = 'npm run lab -- measure chances --data DIR [--model lion] [--models DIR] [--stride 29]';
const FACTORS = [0.92, 0.96, 1, 1.04, 1.08, 1.12, 1.16, 1.2, 1.24] as const;
/** Shares of a normal walk that are tried for closes and windows, without a factor. */
const SHARES = [0, 0.25, 0.5, 0.75, 1] as const;
const NO_CORRECTION = FACTORS.indexOf(1);
/** Per cent of the Brier score. A factor that gains less is left at 1. */
const LEAST_GAIN = 0.05;
const DAY_S = 86_400;
const BATCH_WINDOWS = 64;
const KIND_OF: Readonly<Record<MeasuredKind, CalibratedKind>> = {
  above: 'close',
  window: 'window',
  touch: 'touch',
  first: 'first',
};
/** One factor a kind, but paths' highs and lows of five bars differ from those of many. */
const LONG_BARS = 15;
const groupOf = (kind: MeasuredKind, bar: number): number => (kind === 'touch' && bar >= LONG_BARS ? LONG_BARS : 1);

const {
  data,
  model,
  models: modelsDir,
  stride,
} = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      model: { type: 'string', default: 'lion' },
      models: { type: 'string', default: join(import.meta.dirname, '../../..', 'models') },
      stride: { type: 'string' },
    },
  });
  if (!values.data) throw new BadInput('--data DIR is needed');
  return { ...values, data: values.data, stride: strideBarsOf(values.stride, 29) };
}, USAGE);

const opened = await openShippedModels(modelsDir);
const fitted = opened.find(({ name }) => name === model);
if (fitted === undefined) throw new BadInput(`${modelsDir} holds no trained ${model}`);
/** Brier score of each factor, by kind and group of bars. */
const sums = new Map<string, BlockSums>();
const shareSums = new Map<CalibratedKind, BlockSums>();
for (const name of listCandleFiles(data).filter(isUsed)) {
  const file = readOrExit(() => readCandleFile(data, name));
  if (file.assetClass !== 'crypto') continue;
  const spans = segmentsOf(file).filter(({ part }) => part === 'validate');
  const windows = spans.flatMap((span) => [...posedWindowsOf(file, span, stride)]);
  for (let at = 0; at < windows.length; at += BATCH_WINDOWS)
    await addBatch(fitted, windows.slice(at, at + BATCH_WINDOWS));
  console.error(`${name}: ${windows.length} moments`);
}
for (const { network } of opened) await network.release();
reportShares();
report();

async function addBatch(of: MeasuredModel, batch: readonly Window[]): Promise<void> {
  const [run] = await runBatch([of], batch);
  for (const [i, window] of batch.entries()) {
    const forecast = forecastOf(of, window, run?.outputs[i]);
    if (forecast === null) continue;
    const nowMs = (window.t0 + MINUTE_S) * 1000;
    const moment = { nowMs, price: window.features.lastClose, priceAtMs: nowMs };
    const posed = posedQuestions(window, stride);
    const drawn = posed.some(({ kind }) => kind === 'touch' || kind === 'first') ? momentPaths(forecast, moment) : null;
    for (const { kind, question, bar, happened } of posed) {
      if (happened === null) continue;
      const key = `${KIND_OF[kind]} ${groupOf(kind, bar)}`;
      const own = sums.get(key) ?? new BlockSums(FACTORS.length, DAY_S);
      sums.set(key, own);
      const addScore = (to: BlockSums, column: number, calibration: Calibration): void => {
        const found = chanceOf(question, forecast, moment, { calibration, paths: () => drawn });
        if (found.ok) to.add(window.t0, column, (found.chance - Number(happened)) ** 2);
      };
      for (const [column, factor] of FACTORS.entries()) addScore(own, column, constant(factor));
      if (kind !== 'above' && kind !== 'window') continue;
      const ofShares = shareSums.get(KIND_OF[kind]) ?? new BlockSums(SHARES.length, DAY_S);
      shareSums.set(KIND_OF[kind], ofShares);
      for (const [column, walkShare] of SHARES.entries()) addScore(ofShares, column, { ...constant(1), walkShare });
    }
  }
}

function constant(factor: number): Calibration {
  const widths = [[1, factor]] as const;
  return { ...CALIBRATION, widths: { close: widths, window: widths, touch: widths, first: widths } };
}

function reportShares(): void {
  console.log('| kind | share of the walk | gain of Brier score, % |');
  console.log('|---|--:|---|');
  for (const [kind, own] of shareSums) {
    const estimate = own.estimator();
    for (const [column, share] of SHARES.entries()) {
      const { value, low, high } = estimate((all) => 100 * (1 - (all[column] ?? 0) / (all[0] ?? 1)));
      console.log(`| ${kind} | ${share} | ${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}] |`);
    }
  }
  console.log('');
}

function report(): void {
  const widths: Record<CalibratedKind, [number, number][]> = { close: [], window: [], touch: [], first: [] };
  console.log('| kind | bars left, from | best factor | gain of Brier score, % |');
  console.log('|---|--:|--:|---|');
  const keys = [...sums].map(([key, own]) => {
    const [kind, bars] = key.split(' ') as [CalibratedKind, string];
    return { kind, bars: Number(bars), own };
  });
  for (const { kind, bars, own } of keys.sort((a, b) => a.kind.localeCompare(b.kind) || a.bars - b.bars)) {
    const estimate = own.estimator();
    const gains = FACTORS.map((_, column) =>
      estimate((all) => 100 * (1 - (all[column] ?? 0) / (all[NO_CORRECTION] ?? 1))),
    );
    const best = gains.reduce((found, gain, i) => (gain.value > (gains[found]?.value ?? 0) ? i : found), NO_CORRECTION);
    const { value = 0, low = 0, high = 0 } = gains[best] ?? {};
    const [cells] = [[value, low, high].map((each) => each.toFixed(2))];
    console.log(`| ${kind} | ${bars} | ${FACTORS[best]} | ${cells[0]} [${cells[1]}, ${cells[2]}] |`);
    widths[kind].push([bars, value >= LEAST_GAIN ? (FACTORS[best] ?? 1) : 1]);
  }
  console.log(`\n${JSON.stringify(widths)}`);
}
