/**
 * Scores one record against its 50 actual candles. Everything but realised volatility and range is computed from whole
 * numbers: those of the record, and five closes relative to the last close. Anyone with those gets the same score to the
 * last digit, without the candles.
 */
import { BANDS } from '../../forecast/quantiles.ts';
import { HORIZON_BARS } from '../../forecast/window.ts';
import { type Candle, isWellFormed } from '../../market/candle.ts';
import { correctedUpper } from '../bands/band-correction.ts';
import { FACTOR_UNITS, LN_UNITS, type RecordBody, SIGMA_UNITS, UPPER_LEVELS } from '../ledger/ledger.ts';
import { type BaselineTable, ewmaUpper, harUpper } from './baseline-table.ts';
import { COPY_UNITS } from './copy-detector.ts';
import { crpsOf } from './crps.ts';
import { quantileRank } from './quantile-rank.ts';
import type { RecordScore } from './record-score.ts';
import { SCORED_BARS } from './scoring.ts';
import { recordTimes } from './void-rules.ts';

/** The part of a score that follows from the record and `actual`. */
export type ActualScore = Pick<RecordScore, 'crps' | 'inside' | 'pit' | 'isCopy'>;
/** Limit of a four-byte integer, in which scores can be stored; no market comes near it. */
const MAX_WHOLE = 2 ** 31 - 1;
const INDEX_80 = UPPER_LEVELS.indexOf(BANDS.p80.upper);
const INDEX_95 = UPPER_LEVELS.indexOf(BANDS.p95.upper);

/**
 * @param outcome  the candle of `slot` and the 49 after it
 * @throws RangeError for any other candles, or a table whose version isn't the record's
 */
export function scoreRecord(body: RecordBody, outcome: readonly Candle[], table: BaselineTable): RecordScore {
  const close = Number(body.close);
  requireOutcome(body, close, outcome);
  const closes = outcome.map((candle) => candle.close);
  const actual = SCORED_BARS.map((bar) => lnUnits((closes[bar - 1] ?? Number.NaN) / close));
  const high = Math.max(...outcome.map((candle) => candle.high));
  const low = Math.min(...outcome.map((candle) => candle.low));
  const squares = closes.map((price, i) => Math.log(price / (closes[i - 1] ?? close)) ** 2);
  return {
    actual,
    ...scoreFromActual(body, actual, table),
    rv: whole(LN_UNITS * Math.sqrt(squares.reduce((sum, square) => sum + square, 0))),
    range: lnUnits(high / low),
  };
}

/**
 * @param actual  ln of each scored bar's close over the last close, in LN_UNITS
 * @throws RangeError for a table whose version isn't the record's
 */
export function scoreFromActual(body: RecordBody, actual: readonly number[], table: BaselineTable): ActualScore {
  if (table.version !== body.baseline) throw new RangeError('The record was made with a different baseline table.');
  const shown = shownUpper(body);
  const crpsBy = (rows: readonly (readonly number[])[]): number[] =>
    actual.map((y, at) => whole((SIGMA_UNITS / LN_UNITS) * crpsOf(y, bothSides(rows[at] ?? []))));
  const isWithin = (rows: readonly (readonly number[])[], levelIndex: number): boolean[] =>
    actual.map((y, at) => Math.abs(y) <= (rows[at]?.[levelIndex] ?? Number.NaN));
  return {
    crps: {
      shown: crpsBy(shown),
      model: crpsBy(body.upper),
      ewma: crpsBy(inUnits(ewmaUpper(body))),
      har: crpsBy(inUnits(harUpper(body, table))),
    },
    inside: {
      shown80: isWithin(shown, INDEX_80),
      shown95: isWithin(shown, INDEX_95),
      model80: isWithin(body.upper, INDEX_80),
      model95: isWithin(body.upper, INDEX_95),
    },
    pit: actual.map((y, at) => quantileRank(y, shown[at] ?? [])),
    isCopy: body.path.map((drawn) => Math.abs(drawn) <= COPY_UNITS),
  };
}

/** Quantiles as users saw them, by scored bar, at UPPER_LEVELS, whole LN_UNITS. */
export function shownUpper({ upper, bands: [p80, p95] }: Pick<RecordBody, 'upper' | 'bands'>): number[][] {
  return upper.map((row, at) => {
    const factors = { p80: (p80[at] ?? FACTOR_UNITS) / FACTOR_UNITS, p95: (p95[at] ?? FACTOR_UNITS) / FACTOR_UNITS };
    return correctedUpper(UPPER_LEVELS, row, factors).map(Math.round);
  });
}

/** Rounds to the record's units, so that none of the four is scored more finely than the others. */
function inUnits(rows: readonly (readonly number[])[]): number[][] {
  return rows.map((row) => row.map((quantile) => Math.round(LN_UNITS * quantile)));
}

/** All 25 levels from the upper half: the lower half mirrors it, and the median is the last close. */
function bothSides(upper: readonly number[]): number[] {
  return [...upper.map((quantile) => -quantile).reverse(), 0, ...upper];
}

function lnUnits(ratio: number): number {
  return whole(LN_UNITS * Math.log(ratio));
}

function whole(value: number): number {
  // Adding 0 turns -0 into 0, because JSON does not preserve -0.
  return Math.max(-MAX_WHOLE, Math.min(MAX_WHOLE, Math.round(value))) + 0;
}

function requireOutcome(body: RecordBody, close: number, outcome: readonly Candle[]): void {
  if (!(close > 0) || !Number.isFinite(close)) throw new RangeError("The last close isn't a price.");
  const times = recordTimes(body);
  const isOfItsBars = outcome.every((candle, i) => candle.time === times[i]);
  if (outcome.length !== HORIZON_BARS || !isOfItsBars)
    throw new RangeError(`An outcome is the ${HORIZON_BARS} candles from the slot on.`);
  if (!outcome.every(isWellFormed)) throw new RangeError('A candle is malformed.');
}
