/**
 * What the mean correction of recorded coins does to a coin that has no record: measured on the validation week of the
 * perpetuals, in which every coin has candles, with the correction learnt from the weeks before it and during it.
 */
import { type BandCorrection, NO_CORRECTION } from '../../../domain/record/bands/band-correction.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';
import { type ForecastStretch, figuresOf, ratiosOf } from './band-figures.ts';
import { replayRule } from './band-rules.ts';

export interface PooledFigures {
  symbol: string;
  model: string;
  /** Share inside minus nominal, the scored bars together: without correction, with the mean of others, with its own. */
  error80: readonly number[];
  error95: readonly number[];
  /** Change of CRPS against no correction, the bars together, in per cent: with the mean of others, with its own. */
  crps: readonly number[];
}

/** @param isRecorded  whose corrections are pooled; a recorded symbol gets the mean of the others */
export function pooledFigures(
  stretches: readonly ForecastStretch[],
  isRecorded: (symbol: string) => boolean,
  isMeasured: (slotS: number) => boolean,
): PooledFigures[] {
  const learnt = stretches.map((stretch) => {
    const own = replayRule('conformal', 1, ratiosOf(stretch), stretch.timeframe);
    return { stretch, own, bySlot: new Map([...stretch.slots].map((slot, i) => [slot, own[i]])) };
  });
  return learnt.map(({ stretch, own }) => {
    const others = learnt.filter(
      (one) =>
        one.stretch.model === stretch.model && isRecorded(one.stretch.symbol) && one.stretch.symbol !== stretch.symbol,
    );
    const places = [...stretch.slots.keys()].filter((i) => isMeasured(stretch.slots[i] ?? 0));
    const [first, end] = [places[0] ?? 0, (places.at(-1) ?? -1) + 1];
    const pooled = places.map((i) =>
      meanCorrection(others.flatMap(({ bySlot }) => bySlot.get(stretch.slots[i] ?? 0) ?? [])),
    );
    const none = places.map(() => NO_CORRECTION);
    const part = cut(stretch, first, end);
    const ratios = ratiosOf(part);
    const all = [none, pooled, own.slice(first, end)].map((shown) => figuresOf(part, ratios, shown));
    const errorOf = (level: 80 | 95) =>
      all.map(({ whole }) => mean(whole.filter((one) => one.level === level).map(({ error }) => error)));
    const crps = all.map((figures) => mean(figures.crps.map((sum, b) => sum / (all[0]?.crps[b] ?? 1))));
    return {
      symbol: stretch.symbol,
      model: stretch.model,
      error80: errorOf(80),
      error95: errorOf(95),
      crps: crps.slice(1).map((ratio) => 100 * (ratio - 1)),
    };
  });
}

/** The mean of logarithms; no correction of none. */
function meanCorrection(corrections: readonly BandCorrection[]): BandCorrection {
  if (corrections.length === 0) return NO_CORRECTION;
  const meanAt = (of: (one: BandCorrection) => readonly number[]): number[] =>
    SCORED_BARS.map((_, bar) => Math.exp(mean(corrections.map((one) => Math.log(of(one)[bar] ?? 1)))));
  return { p80: meanAt(({ p80 }) => p80), p95: meanAt(({ p95 }) => p95) };
}

function cut(stretch: ForecastStretch, from: number, to: number): ForecastStretch {
  const [bars, width] = [SCORED_BARS.length, stretch.upper.length / Math.max(1, stretch.slots.length)];
  return {
    ...stretch,
    slots: stretch.slots.subarray(from, to),
    actual: stretch.actual.subarray(from * bars, to * bars),
    upper: stretch.upper.subarray(from * width, to * width),
  };
}

/** One line a symbol, the models together, and one for all without a record. */
export function printPooled(figures: readonly PooledFigures[], isRecorded: (symbol: string) => boolean): void {
  console.log('\n| coin | 80%: none, mean of others, own | 95% | CRPS: mean of others, own |');
  console.log('|---|---|---|---|');
  const groups = new Map<string, readonly PooledFigures[]>(Map.groupBy(figures, ({ symbol }) => symbol));
  groups.set(
    'without a record',
    figures.filter(({ symbol }) => !isRecorded(symbol)),
  );
  groups.set(
    'recorded',
    figures.filter(({ symbol }) => isRecorded(symbol)),
  );
  for (const [name, rows] of groups) {
    const column = (of: (row: PooledFigures) => readonly number[]): number[] =>
      (of(rows[0] ?? EMPTY) ?? []).map((_, i) => mean(rows.map((row) => of(row)[i] ?? 0)));
    const share = (level: number, errors: number[]) => errors.map((e) => (level + 100 * e).toFixed(1)).join(', ');
    const crps = column((row) => row.crps).map((change) => `${change.toFixed(2)}%`);
    console.log(
      `| ${name} | ${share(
        80,
        column((row) => row.error80),
      )} | ${share(
        95,
        column((row) => row.error95),
      )} | ${crps.join(', ')} |`,
    );
  }
  // Any coin serves as one without a record, because its own is left out of the mean.
  for (const level of ['error80', 'error95'] as const) {
    const off = [0, 1, 2].map((i) => (100 * mean(figures.map((row) => Math.abs(row[level][i] ?? 0)))).toFixed(2));
    console.log(
      `\nMean distance of a coin from ${level === 'error80' ? 80 : 95}%, all coins: ${off.join(', ')} points.`,
    );
  }
}

const EMPTY: PooledFigures = { symbol: '', model: '', error80: [], error95: [], crps: [] };

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
