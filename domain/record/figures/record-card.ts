/** Records as lists show them, and the selection of a period's best and worst. */
import { BANDS } from '../../forecast/quantiles.ts';
import { LN_UNITS, type RecordBody, UPPER_LEVELS } from '../ledger/ledger.ts';
import type { RecordScore } from '../scoring/record-score.ts';
import { shownUpper } from '../scoring/score-record.ts';
import type { JudgedScore } from './block-sums.ts';
import type { RecordCard, SealedCard } from './track-summary.ts';

const BP = 10_000;
const INDEX_80 = UPPER_LEVELS.indexOf(BANDS.p80.upper);
const INDEX_95 = UPPER_LEVELS.indexOf(BANDS.p95.upper);

export function recordCard(body: RecordBody, score: JudgedScore): RecordCard {
  const upper = shownUpper(body);
  const known = score !== null && 'actual' in score ? score : null;
  return {
    seq: body.seq,
    issuedMs: body.issued,
    slot: body.slot,
    ...(body.tf !== undefined && { tf: body.tf }),
    sym: body.sym,
    model: body.model,
    close: body.close,
    state: score === null ? 'waiting' : known === null ? 'void' : 'known',
    voidReason: score !== null && 'void' in score ? score.void : null,
    pathBp: body.path.map(toBp),
    band80Bp: upper.map((row) => toBp(row[INDEX_80] ?? 0)),
    band95Bp: upper.map((row) => toBp(row[INDEX_95] ?? 0)),
    actualBp: known?.actual.map(toBp) ?? null,
  };
}

/** @param hash  hash of the record's text, hex */
export function sealedCard({ seq, issued, slot, tf, sym, model }: RecordBody, hash: string): SealedCard {
  return { seq, issuedMs: issued, slot, ...(tf !== undefined && { tf }), sym, model, state: 'sealed', hash };
}

function toBp(units: number): number {
  return Math.round((units * BP * 100) / LN_UNITS) / 100;
}

/** A record and its loss: how much worse its path was than the last close at the last scored bar, LN_UNITS. */
export type RankedRecord = readonly [seq: number, loss: number];

export interface Extremes {
  /** Least loss first. */
  best: RankedRecord[];
  /** Greatest loss first. */
  worst: RankedRecord[];
}

export const EXTREMES = 6;

export function pathLoss(body: Pick<RecordBody, 'path'>, score: Pick<RecordScore, 'actual'>): number {
  const actual = score.actual.at(-1) ?? 0;
  return Math.abs(actual - (body.path.at(-1) ?? 0)) - Math.abs(actual);
}

/** Of equal ones the earlier ranks as better. Selecting from parts gives the same as selecting from the whole. */
export function extremesOf(ranked: readonly RankedRecord[]): Extremes {
  const rising = [...new Map(ranked.map((one) => [one[0], one])).values()].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return { best: rising.slice(0, EXTREMES), worst: rising.slice(-EXTREMES).reverse() };
}

/** The extremes of a period from those of its blocks: equally many of each, none twice. */
export function periodExtremes(blocks: readonly Extremes[]): Extremes {
  const { best } = extremesOf(blocks.flatMap((block) => block.best));
  const { worst } = extremesOf(blocks.flatMap((block) => block.worst));
  const both = new Set([...best, ...worst].map(([seq]) => seq)).size;
  // With few records, the two lists would show the same ones.
  const each = Math.min(EXTREMES, Math.floor(both / 2));
  return { best: best.slice(0, each), worst: worst.slice(0, each) };
}
