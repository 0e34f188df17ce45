/**
 * What a forecast of a coin costs that no network was trained on: for every coin, networks of the same recipe that saw
 * nothing of any of its markets, on its own test windows, beside the shipped ones.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BASELINE_NAMES,
  type Interval,
  SCORE_COLUMNS,
  type ScoreColumn,
  type UnseenCoins,
} from '../../domain/forecast/model-figures.ts';
import { MODEL_NAMES, type ModelName } from '../../domain/forecast/models.ts';
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import { drawnBlockS } from '../../domain/record/figures/bootstrap.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { openNetwork } from '../../server/forecast/network/network.ts';
import { BlockSums } from '../measure/block-bootstrap.ts';
import type { CandleFile } from '../measure/candle-files.ts';
import { standardGroups } from '../measure/measured-symbols.ts';
import type { ShippedModel } from '../measure/shipped-models.ts';
import { type MeasuredModel, type ScoredSymbol, scoreSymbol } from '../measure/windows/score-windows.ts';
import type { WindowScore } from '../measure/windows/scores.ts';
import { assertTrainedOnThese, readTrainingRecord } from './training-record.ts';

const RUN_PREFIX = 'without-';
/** Spans that no network has seen. */
const GROUPS: readonly string[] = ['crypto-all-test', 'crypto-2026'];
const ALL = SCORE_COLUMNS.indexOf('all');
/** Sums per forecaster: CRPS by column, then these. */
const INSIDE_80 = SCORE_COLUMNS.length;
const INSIDE_95 = INSIDE_80 + 1;
const WIDTH = INSIDE_95 + 1;
/** The unseen one, the shipped one, log-HAR of the coin's own past. */
const FORECASTERS = 3;
const [UNSEEN, SHIPPED, HAR] = [0, 1, 2];
const CLOSES = FORECASTERS * WIDTH;

/** BTC of BTCUSDT and BTCUSDT.P, XRP of aux-XRPUSDT.P. */
export function coinOf(name: string): string {
  return name.replace(/^aux-/, '').replace(/\.P$/, '').replace(/USDT$/, '');
}

interface Scored {
  coin: string;
  model: ModelName;
  t0: number;
  weight: number;
  scores: WindowScore[];
}

/**
 * @param runsDir  holds `without-<COIN>/<model>`, as `npm run lab -- train MODEL --without COIN` leaves them
 * @returns by model, over all coins with a run of it
 */
export async function measureUnseen(
  shipped: readonly ShippedModel[],
  runsDir: string,
  files: readonly CandleFile[],
  strideMinutes: number,
  log: (line: string) => void,
): Promise<Map<ModelName, UnseenCoins>> {
  const groups = standardGroups(files, strideMinutes).filter(({ name }) => GROUPS.includes(name));
  const symbols = [...new Set(groups.flatMap((group) => group.symbols))];
  const scored: Scored[] = [];
  for (const coin of coinsOf(runsDir)) {
    const unseen = await openUnseen(runsDir, coin, shipped, files);
    const pairs = shipped.filter(({ name }) => unseen.some((one) => one.name === name));
    try {
      for (const symbol of symbols.filter(({ file }) => coinOf(file.name) === coin)) {
        const result = await scoreSymbol([...unseen, ...pairs], symbol);
        log(`${coin}: ${result.windows.length} windows of ${result.name}, ${result.withheld.length} withheld`);
        scored.push(...pairs.flatMap(({ name }, place) => scoresOf(name, coin, result, place, pairs.length)));
      }
    } finally {
      for (const { network } of unseen) await network.release();
    }
  }
  const blockS = drawnBlockS(files[0]?.timeframe ?? '1min');
  return new Map(
    shipped.flatMap(({ name }) => {
      const own = scored.filter(({ model }) => model === name);
      return own.length === 0 ? [] : [[name, figuresOf(own, blockS)] as const];
    }),
  );
}

function coinsOf(runsDir: string): string[] {
  const coins = existsSync(runsDir) ? readdirSync(runsDir).filter((name) => name.startsWith(RUN_PREFIX)) : [];
  if (coins.length === 0) throw new BadInput(`${runsDir} holds no ${RUN_PREFIX}COIN: train with --without COIN first`);
  return coins.map((name) => name.slice(RUN_PREFIX.length)).sort();
}

async function openUnseen(
  runsDir: string,
  coin: string,
  shipped: readonly ShippedModel[],
  files: readonly CandleFile[],
): Promise<MeasuredModel[]> {
  const opened: MeasuredModel[] = [];
  for (const name of MODEL_NAMES) {
    const folder = join(runsDir, `${RUN_PREFIX}${coin}`, name);
    const paired = shipped.find((model) => model.name === name);
    if (paired === undefined || !existsSync(join(folder, 'model.onnx'))) continue;
    const record = readTrainingRecord(join(folder, 'training.json'));
    if (record.without !== coin) throw new BadInput(`${folder} was not trained without ${coin}`);
    assertTrainedOnThese(record, files);
    const network = await openNetwork(readFileSync(join(folder, 'model.onnx')), record.inputNames);
    opened.push({ name, modelVersion: `${name}-without-${coin}`, network, tables: paired.tables });
  }
  return opened;
}

function scoresOf(model: ModelName, coin: string, { windows }: ScoredSymbol, place: number, pairs: number): Scored[] {
  const har = 2 * pairs + BASELINE_NAMES.indexOf('har-empirical');
  return windows.map(({ t0, weight, scores }) => {
    const of = [scores[place], scores[pairs + place], scores[har]];
    return { coin, model, t0, weight, scores: of.filter((score) => score !== undefined) };
  });
}

function figuresOf(scored: readonly Scored[], blockS: number): UnseenCoins {
  const { blocks, skill, covered } = sumsOf(scored, blockS);
  const coins = [...new Set(scored.map(({ coin }) => coin))];
  return {
    coins,
    windows: scored.length,
    blocks,
    overOwnHarPercent: byColumn((column) => skill(HAR, column)),
    overTrainedPercent: byColumn((column) => skill(SHIPPED, column)),
    coverage: covered(),
    byCoin: Object.fromEntries(
      coins.map((coin) => {
        const own = scored.filter((one) => one.coin === coin);
        const sums = sumsOf(own, blockS);
        const { pooled80, pooled95 } = sums.covered();
        return [
          coin,
          {
            windows: own.length,
            overOwnHarPercent: sums.skill(HAR, ALL),
            overTrainedPercent: sums.skill(SHIPPED, ALL),
            within80: pooled80[0],
            within95: pooled95[0],
          },
        ];
      }),
    ),
  };
}

interface Sums {
  blocks: number;
  /** Per cent by which the unseen network's CRPS is lower. */
  skill(rival: number, column: number): Interval;
  covered(): UnseenCoins['coverage'];
}

function sumsOf(scored: readonly Scored[], blockS: number): Sums {
  const sums = new BlockSums(CLOSES + 1, blockS);
  for (const { t0, weight, scores } of scored) {
    for (const [who, score] of scores.entries()) {
      const at = who * WIDTH;
      for (const [column, crps] of score.crps.entries()) sums.add(t0, at + column, weight * crps);
      sums.add(t0, at + INSIDE_80, score.inside80[ALL] ?? 0);
      sums.add(t0, at + INSIDE_95, score.inside95[ALL] ?? 0);
    }
    sums.add(t0, CLOSES, HORIZON_BARS);
  }
  const estimate = sums.estimator();
  const interval = (of: (s: Float64Array) => number): Interval => {
    const { value, low, high } = estimate(of);
    return [rounded(value), rounded(low), rounded(high)];
  };
  const share = (column: number): Interval =>
    interval((s) => (100 * (s[UNSEEN * WIDTH + column] ?? 0)) / (s[CLOSES] ?? 1));
  return {
    blocks: sums.blockCount,
    skill: (rival, column) => interval((s) => 100 * (1 - (s[column] ?? 0) / (s[rival * WIDTH + column] ?? 0))),
    covered: () => ({ pooled80: share(INSIDE_80), pooled95: share(INSIDE_95) }),
  };
}

function byColumn(of: (column: number) => Interval): Record<ScoreColumn, Interval> {
  return Object.fromEntries(SCORE_COLUMNS.map((name, column) => [name, of(column)])) as Record<ScoreColumn, Interval>;
}

function rounded(value: number): number {
  // Adding 0 avoids -0 for a tiny negative value.
  return Math.round(value * 1000) / 1000 + 0;
}
