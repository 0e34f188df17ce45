/** Decides whether a shadow may replace the serving model, by the record's scores of both on the same slots. */
import { type BlockEstimate, blockEstimator } from '#domain/record/figures/bootstrap.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { seededRandom } from '../../server/forecast/paths/random.ts';
import type { PairedBlock, SideSums } from './paired-scores.ts';

export interface Evidence {
  /** Slots and symbols with scores for both, and their six-hour blocks. */
  pairs: number;
  blocks: number;
  /** Share by which the shadow's CRPS is lower: bars divided by their root, symbols by their mean. */
  gain: BlockEstimate | null;
  /** Shares of closes within the bands, over all bars. */
  coverage: { level: 80 | 95; shadow: number; serving: number }[];
  /** Reasons against it; empty if the shadow may serve. */
  refusals: string[];
}

/** A week, so that no single day decides. */
const LEAST_PAIRED_BLOCKS = 28;
/** Allowed extra distance of a shadow's coverage from nominal: about a week's chance variation. */
const COVERAGE_SLACK = 0.005;
const DRAWS = 1000;
const COLUMNS = 7;

export function evidenceOf(paired: readonly PairedBlock[]): Evidence {
  const scales = symbolScales(paired);
  const blocks = [...Map.groupBy(paired, ({ blockS }) => blockS).values()].map((own) => blockSums(own, scales));
  const pairs = paired.reduce((sum, { slots }) => sum + slots, 0);
  if (blocks.length < LEAST_PAIRED_BLOCKS) {
    const refusal = `only ${blocks.length} six-hour blocks with both models in the record; ${LEAST_PAIRED_BLOCKS} are needed`;
    return { pairs, blocks: blocks.length, gain: null, coverage: [], refusals: [refusal] };
  }
  const estimate = blockEstimator(blocks, { draws: DRAWS, random: seededRandom('promotion', pairs) });
  const gain = estimate((sums) => 1 - (sums[0] ?? 0) / (sums[1] ?? 1));
  const share = (column: number): number => estimate((sums) => (sums[column] ?? 0) / (sums[2] ?? 1)).value;
  const coverage: Evidence['coverage'] = [
    { level: 80, shadow: share(3), serving: share(4) },
    { level: 95, shadow: share(5), serving: share(6) },
  ];
  const refusals = coverage.flatMap(({ level, shadow, serving }) => {
    const [far, near] = [Math.abs(shadow - level / 100), Math.abs(serving - level / 100)];
    return far <= near + COVERAGE_SLACK ? [] : [`its ${level}% band is less well calibrated than the serving model’s`];
  });
  if (!(gain.low > 0)) refusals.unshift('the interval of its gain is not entirely above 0');
  return { pairs, blocks: blocks.length, gain, coverage, refusals };
}

export function describeEvidence({ pairs, blocks, gain, coverage, refusals }: Evidence): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
  return [
    `${pairs} forecasts of both models on the same candles, in ${blocks} six-hour blocks.`,
    ...(gain === null
      ? []
      : [`CRPS lower by ${percent(gain.value)} (95% interval ${percent(gain.low)} to ${percent(gain.high)}).`]),
    ...coverage.map(
      ({ level, shadow, serving }) =>
        `The ${level}% band covered ${percent(shadow)} of closes, the serving model’s ${percent(serving)}.`,
    ),
    ...refusals.map((reason) => `Against it: ${reason}.`),
  ];
}

/** Mean CRPS of the serving model by symbol: without it the wildest coin would dominate. */
function symbolScales(paired: readonly PairedBlock[]): ReadonlyMap<string, number> {
  return new Map(
    [...Map.groupBy(paired, ({ sym }) => sym)].map(([sym, own]) => {
      const total = own.reduce((sum, { serving }) => sum + overRoots(serving), 0);
      const slots = own.reduce((sum, one) => sum + one.slots, 0);
      return [sym, total / slots];
    }),
  );
}

/** Shadow's and serving CRPS; closes; closes within 80% (shadow, serving) and 95% (shadow, serving). */
function blockSums(own: readonly PairedBlock[], scales: ReadonlyMap<string, number>): Float64Array {
  const sums = new Float64Array(COLUMNS);
  for (const { sym, slots, shadow, serving } of own) {
    const scale = scales.get(sym) ?? 1;
    const row = [
      ...[overRoots(shadow) / scale, overRoots(serving) / scale, slots * SCORED_BARS.length],
      ...[total(shadow.in80), total(serving.in80), total(shadow.in95), total(serving.in95)],
    ];
    for (const [column, value] of row.entries()) sums[column] = (sums[column] ?? 0) + value;
  }
  return sums;
}

function overRoots({ crps }: SideSums): number {
  return total(crps.map((sum, i) => sum / Math.sqrt(SCORED_BARS[i] ?? 1)));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
