/** Figures of recorded chances from their blocks, each with a 95% interval. The server and recompute.mjs share it. */
import { sfc32 } from '../../forecast/sfc32.ts';
import { blockEstimator } from '../figures/bootstrap.ts';
import { TRACK_DRAWS, weekOf } from '../figures/track-figures.ts';
import type { Estimate } from '../figures/track-summary.ts';
import { CHANCE_UNITS } from '../ledger/chance-text.ts';
import { LEAST_BLOCKS } from '../messages/verdict.ts';
import { RECORD_VOID_REASONS } from '../scoring/record-score.ts';
import { SCORE_UNITS } from './chance-score.ts';
import type { ChanceDecile, ChanceFigures, ChanceSummary } from './chance-summary.ts';
import { CHANCE_AT, CHANCE_DECILES, CHANCE_SUMS_WIDTH, type ChanceBlock, type ChanceQuantity } from './chance-sums.ts';

export type ChanceParts = Pick<ChanceSummary, 'all' | 'byMinute' | 'bySymbol' | 'byWeek' | 'deciles'>;

/** With fewer chances in a decile, resampled shares say nothing of their uncertainty. */
const LEAST_IN_DECILE = 30;

/** @param blocks  of one market kind and window, as users see them @param pause  lets a server handle other requests */
export async function chanceParts(
  blocks: readonly ChanceBlock[],
  pause: () => Promise<void> = async () => {},
): Promise<ChanceParts> {
  const byMinute = await eachPart(blocks, ({ elapsedMin }) => elapsedMin, pause);
  const bySymbol = await eachPart(blocks, ({ sym }) => sym, pause);
  const byWeek = await eachPart(blocks, ({ blockS }) => weekOf(blockS), pause);
  await pause();
  const summed = sumsByBlock(blocks);
  return {
    all: figuresOf(summed),
    byMinute: byMinute.map(([minute, figures]) => ({ minute, figures })),
    bySymbol: bySymbol.map(([sym, figures]) => ({ sym, figures })),
    byWeek: byWeek.map(([weekS, figures]) => ({ weekS, figures })),
    deciles: decilesOf(summed),
  };
}

async function eachPart<Key extends string | number>(
  blocks: readonly ChanceBlock[],
  keyOf: (block: ChanceBlock) => Key,
  pause: () => Promise<void>,
): Promise<[Key, ChanceFigures][]> {
  const groups = new Map<Key, ChanceBlock[]>();
  for (const block of blocks) groups.set(keyOf(block), [...(groups.get(keyOf(block)) ?? []), block]);
  const parts: [Key, ChanceFigures][] = [];
  for (const [key, own] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await pause();
    parts.push([key, figuresOf(sumsByBlock(own))]);
  }
  return parts;
}

/** Sums of the same six hours over symbols, versions and minutes, oldest first; only those with a scored chance. */
function sumsByBlock(blocks: readonly ChanceBlock[]): Float64Array[] {
  const byBlock = new Map<number, Float64Array>();
  for (const { blockS, sums } of blocks) {
    const total = byBlock.get(blockS) ?? new Float64Array(CHANCE_SUMS_WIDTH);
    for (let i = 0; i < CHANCE_SUMS_WIDTH; i++) total[i] = (total[i] ?? 0) + (sums[i] ?? 0);
    byBlock.set(blockS, total);
  }
  return [...byBlock]
    .sort(([a], [b]) => a - b)
    .map(([, sums]) => sums)
    .filter((sums) => at(sums, 'known') > 0);
}

function figuresOf(blocks: readonly Float64Array[]): ChanceFigures {
  const total = totalOf(blocks);
  const n = at(total, 'known');
  const mean = (quantity: ChanceQuantity): number | null => (n === 0 ? null : at(total, quantity) / n / SCORE_UNITS);
  const estimate = estimatorOf(blocks, CHANCE_AT.known, CHANCE_AT.count);
  const skill = (own: ChanceQuantity, rival: ChanceQuantity): Estimate | null =>
    estimate(
      (sums) => 1 - (sums[CHANCE_AT[own] - CHANCE_AT.known] ?? 0) / (sums[CHANCE_AT[rival] - CHANCE_AT.known] ?? 0),
    );
  return {
    n,
    blocks: blocks.length,
    brier: mean('brierModel'),
    brierBaseline: mean('brierBaseline'),
    log: mean('logModel'),
    logBaseline: mean('logBaseline'),
    skillBrier: skill('brierModel', 'brierBaseline'),
    skillLog: skill('logModel', 'logBaseline'),
  };
}

function decilesOf(blocks: readonly Float64Array[]): ChanceDecile[] {
  const total = totalOf(blocks);
  const estimate = estimatorOf(blocks, CHANCE_AT.count, CHANCE_AT.chance);
  return Array.from({ length: CHANCE_DECILES }, (_, decile) => {
    const count = at(total, 'count', decile);
    const happened = estimate((sums) => (sums[CHANCE_DECILES + decile] ?? 0) / (sums[decile] ?? 0));
    return {
      count,
      chance: count === 0 ? null : at(total, 'chance', decile) / count / CHANCE_UNITS,
      happened: happened !== null && count < LEAST_IN_DECILE ? { ...happened, interval: null } : happened,
    };
  });
}

type Estimator = (statistic: (sums: Float64Array) => number) => Estimate | null;

/** Over the quantities from `from` up to `to` alone. Seeded, so the same blocks always give the same draws. */
function estimatorOf(blocks: readonly Float64Array[], from: number, to: number): Estimator {
  const isEnough = blocks.length >= LEAST_BLOCKS;
  const random = sfc32(0x6b61_7432, blocks.length, 1);
  const narrow = blocks.map((sums) => sums.subarray(from, to));
  const estimate = blockEstimator(narrow, { draws: isEnough ? TRACK_DRAWS : 0, random });
  return (statistic) => {
    const { value, low, high } = estimate(statistic);
    if (!Number.isFinite(value)) return null;
    return { value, interval: isEnough && Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null };
  };
}

/** What became of the chances that were issued. `expected` is computed elsewhere. */
export function chanceCounts(
  blocks: readonly ChanceBlock[],
): Pick<ChanceSummary, 'voidReasons'> & { counts: Omit<ChanceSummary['counts'], 'expected'> } {
  const total = totalOf(blocks.map(({ sums }) => sums));
  const reasons = RECORD_VOID_REASONS.map((reason, i) => [reason, at(total, 'void', i)] as const);
  const voided = reasons.reduce((sum, [, count]) => sum + count, 0);
  const [issued, known] = [at(total, 'issued'), at(total, 'known')];
  return {
    counts: { issued, known, void: voided, waiting: issued - known - voided },
    voidReasons: Object.fromEntries(reasons.filter(([, count]) => count > 0)),
  };
}

function totalOf(all: readonly Float64Array[]): Float64Array {
  const total = new Float64Array(CHANCE_SUMS_WIDTH);
  for (const sums of all) for (let i = 0; i < CHANCE_SUMS_WIDTH; i++) total[i] = (total[i] ?? 0) + (sums[i] ?? 0);
  return total;
}

function at(sums: Float64Array, quantity: ChanceQuantity, offset = 0): number {
  return sums[CHANCE_AT[quantity] + offset] ?? 0;
}
