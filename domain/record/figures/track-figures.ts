/** Turns sums of blocks into what the page shows: skills, coverage and errors, each with its interval. Pure. */
import { MODEL_NAMES } from '../../forecast/models.ts';
import { sfc32 } from '../../forecast/sfc32.ts';
import type { RecordBody } from '../ledger/ledger.ts';
import { FACTOR_UNITS, LN_UNITS, RECORD_ROLES } from '../ledger/ledger.ts';
import { LEAST_BLOCKS } from '../messages/verdict.ts';
import { copyVerdict } from '../scoring/copy-detector.ts';
import { RECORD_VOID_REASONS } from '../scoring/record-score.ts';
import { SCORED_BARS } from '../scoring/scoring.ts';
import { AT, PIT_BINS, type Quantity, SUMS_WIDTH } from './block-sums.ts';
import { BLOCK_S, blockEstimator, drawnBlockS } from './bootstrap.ts';
import type { TrackBlock } from './track-blocks.ts';
import type { Estimate, TrackFigures, TrackSummary } from './track-summary.ts';

export const TRACK_DRAWS = 400;
const BARS = SCORED_BARS.length;
const ROOTS = SCORED_BARS.map(Math.sqrt);
const WEEK_S = 7 * 86_400;
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_S = 4 * 86_400;

export type TrackParts = Pick<TrackSummary, 'models' | 'bySymbol' | 'byWeek'>;

/** @param blocks  of one timeframe @param pause  called between parts of tens of milliseconds each, to let a server handle other requests */
export async function trackParts(
  blocks: readonly TrackBlock[],
  pause: () => Promise<void> = async () => {},
): Promise<TrackParts> {
  const parts: TrackParts = { models: [], bySymbol: [], byWeek: [] };
  for (const role of RECORD_ROLES) {
    for (const model of MODEL_NAMES) {
      const own = blocks.filter((block) => block.role === role && block.model === model);
      if (own.length === 0) continue;
      await pause();
      parts.models.push(modelPart(own, model, role));
    }
  }
  const serving = blocks.filter(({ role }) => role === 'serving');
  for (const [, own] of grouped(serving, ({ sym, model }) => `${sym} ${model}`)) {
    const [{ sym, model } = { sym: '', model: MODEL_NAMES[0] }] = own;
    await pause();
    parts.bySymbol.push({ sym, model, figures: figuresOf(own) });
  }
  for (const [, own] of grouped(
    serving,
    ({ blockS, model }) => `${String(weekOf(blockS)).padStart(12, '0')} ${model}`,
  )) {
    const [{ blockS, model } = { blockS: 0, model: MODEL_NAMES[0] }] = own;
    await pause();
    parts.byWeek.push({ weekS: weekOf(blockS), model, figures: figuresOf(own) });
  }
  return parts;
}

/** In the order of their keys; within a key, models in the order of MODEL_NAMES. */
function grouped(blocks: readonly TrackBlock[], keyOf: (block: TrackBlock) => string): [string, TrackBlock[]][] {
  const rank = ([block]: TrackBlock[]): number => (block === undefined ? 0 : MODEL_NAMES.indexOf(block.model));
  const head = (key: string): string => key.slice(0, key.lastIndexOf(' '));
  return [...groupedBy(blocks, keyOf)].sort(
    ([a, left], [b, right]) => head(a).localeCompare(head(b), 'en') || rank(left) - rank(right),
  );
}

/** Map.groupBy, which Node 20 lacks: the published code of these figures runs there. */
function groupedBy<K>(blocks: readonly TrackBlock[], keyOf: (block: TrackBlock) => K): Map<K, TrackBlock[]> {
  const groups = new Map<K, TrackBlock[]>();
  for (const block of blocks) {
    const key = keyOf(block);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [block]);
    else group.push(block);
  }
  return groups;
}

/** Monday 00:00 UTC of its week, epoch seconds. */
export function weekOf(blockS: number): number {
  return Math.floor((blockS - FIRST_MONDAY_S) / WEEK_S) * WEEK_S + FIRST_MONDAY_S;
}

function modelPart(
  own: readonly TrackBlock[],
  model: RecordBody['model'],
  role: RecordBody['role'],
): TrackSummary['models'][number] {
  const byBlock = sumsByBlock(own);
  const estimate = estimatorOf(byBlock);
  const total = totalOf(own);
  const mean = (count: Quantity, sum: Quantity): number => at(total, sum) / at(total, count) / LN_UNITS;
  const logError = (count: Quantity, ofModel: Quantity, ofEwma: Quantity) =>
    at(total, count) === 0 ? null : { model: mean(count, ofModel), ewma: mean(count, ofEwma) };
  const closes = BARS * at(total, 'known');
  const newest = [...groupedBy(own, ({ version }) => version)]
    .map(([version, blocks]) => ({ version, lastSeq: Math.max(...blocks.map(({ lastSeq }) => lastSeq)) }))
    .sort((a, b) => b.lastSeq - a.lastSeq);
  return {
    model,
    role,
    versions: newest.map(({ version }) => version),
    all: figuresAt(total, byBlock.length, estimate, null),
    bars: SCORED_BARS.map((bar, index) => ({ bar, figures: figuresAt(total, byBlock.length, estimate, index) })),
    pit: Array.from({ length: PIT_BINS }, (_, bin) => at(total, 'pit', bin)),
    rvError: logError('rvCount', 'rvModel', 'rvEwma'),
    rangeError: logError('rangeCount', 'rangeModel', 'rangeEwma'),
    bandFactor: {
      p80: at(total, 'factor80') / (BARS * at(total, 'issued')) / FACTOR_UNITS,
      p95: at(total, 'factor95') / (BARS * at(total, 'issued')) / FACTOR_UNITS,
    },
    copyShare: closes === 0 ? null : barSum(total, 'copies', null) / closes,
    copyVerdict: copyVerdict({
      records: at(total, 'known'),
      copies: byBar(total, 'copies'),
      unchanged: byBar(total, 'unchanged'),
      drawn: byBar(total, 'pathMove'),
      moved: byBar(total, 'lastError'),
    }),
  };
}

function figuresOf(own: readonly TrackBlock[]): TrackFigures {
  const byBlock = sumsByBlock(own);
  return figuresAt(totalOf(own), byBlock.length, estimatorOf(byBlock), null);
}

type Statistic = (sums: Float64Array) => number;
type Estimator = (statistic: Statistic) => Estimate | null;

/** @param bar  index of the scored bar; null: all of them */
function figuresAt(total: Float64Array, blocks: number, estimate: Estimator, bar: number | null): TrackFigures {
  const skill = (own: Quantity, rival: Quantity): Estimate | null =>
    estimate((sums) => 1 - barSum(sums, own, bar, true) / barSum(sums, rival, bar, true));
  const share = (inside: Quantity): Estimate | null =>
    estimate((sums) => barSum(sums, inside, bar) / (at(sums, 'known') * (bar === null ? BARS : 1)));
  return {
    n: at(total, 'known'),
    blocks,
    skillEwma: skill('crpsShown', 'crpsEwma'),
    skillHar: skill('crpsShown', 'crpsHar'),
    skillLastClose: skill('pathError', 'lastError'),
    cover80: share('shown80'),
    cover95: share('shown95'),
    modelCover80: share('model80'),
    modelCover95: share('model95'),
  };
}

/** Seeded, so the same blocks always give the same draws. */
function estimatorOf(blocks: readonly Float64Array[]): Estimator {
  const isEnough = blocks.length >= LEAST_BLOCKS;
  const random = sfc32(0x6b61_7431, blocks.length, 1);
  // Quantities from `copies` on need no interval, which halves the work.
  const narrow = blocks.map((sums) => sums.subarray(0, AT.copies));
  const estimate = blockEstimator(narrow, { draws: isEnough ? TRACK_DRAWS : 0, random });
  return (statistic) => {
    const { value, low, high } = estimate(statistic);
    // A market that never moved: its errors are zero and cannot be a divisor.
    if (!Number.isFinite(value)) return null;
    return { value, interval: isEnough && Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null };
  };
}

/** Merges symbols and versions of one drawn block, oldest first; drops blocks without a scored record. */
function sumsByBlock(own: readonly TrackBlock[]): Float64Array[] {
  const drawnS = own[0] === undefined ? BLOCK_S : drawnBlockS(own[0].timeframe);
  return [...groupedBy(own, ({ blockS }) => Math.floor(blockS / drawnS))]
    .sort(([a], [b]) => a - b)
    .map(([, blocks]) => totalOf(blocks))
    .filter((sums) => at(sums, 'known') > 0);
}

function totalOf(blocks: readonly Pick<TrackBlock, 'sums'>[]): Float64Array {
  const total = new Float64Array(SUMS_WIDTH);
  for (const { sums } of blocks) for (let i = 0; i < SUMS_WIDTH; i++) total[i] = (total[i] ?? 0) + (sums[i] ?? 0);
  return total;
}

function at(sums: Float64Array, quantity: Quantity, offset = 0): number {
  return sums[AT[quantity] + offset] ?? 0;
}

function byBar(sums: Float64Array, quantity: Quantity): number[] {
  return SCORED_BARS.map((_, bar) => at(sums, quantity, bar));
}

/** The sum of one scored bar, or of all. Errors grow with the root of the bar, so each is divided by it. */
function barSum(sums: Float64Array, quantity: Quantity, bar: number | null, isOverRoot = false): number {
  if (bar !== null) return at(sums, quantity, bar);
  let sum = 0;
  for (let i = 0; i < BARS; i++) sum += at(sums, quantity, i) / (isOverRoot ? (ROOTS[i] ?? 1) : 1);
  return sum;
}

/** Counts what users were shown. `expected` is computed elsewhere. */
export function trackCounts(
  blocks: readonly TrackBlock[],
): Pick<TrackSummary, 'voidReasons'> & { counts: Omit<TrackSummary['counts'], 'expected'> } {
  const total = totalOf(blocks.filter(({ role }) => role === 'serving'));
  const reasons = RECORD_VOID_REASONS.map((reason, i) => [reason, at(total, 'void', i)] as const);
  const voided = reasons.reduce((sum, [, count]) => sum + count, 0);
  const [issued, known] = [at(total, 'issued'), at(total, 'known')];
  return {
    counts: { issued, known, void: voided, waiting: issued - known - voided },
    voidReasons: Object.fromEntries(reasons.filter(([, count]) => count > 0)),
  };
}
