/**
 * Sums behind the figures of recorded chances: whole numbers over the chances of one symbol, model, version, role,
 * window and minute within it whose moments are in the same six hours. Whole numbers give the same sum in any order.
 */
import { blockOf } from '../figures/track-blocks.ts';
import { CHANCE_UNITS, type ChanceBody } from '../ledger/chance-text.ts';
import { RECORD_VOID_REASONS } from '../scoring/record-score.ts';
import { elapsedMinutes } from './chance-moments.ts';
import type { JudgedChanceScore } from './chance-score.ts';

/** Chances from 0 to 10%, from 10 to 20%, and so on. */
export const CHANCE_DECILES = 10;

/** How many numbers each quantity takes, in this order. */
const WIDTHS = {
  issued: 1,
  known: 1,
  /** SCORE_UNITS. */
  brierModel: 1,
  brierBaseline: 1,
  logModel: 1,
  logBaseline: 1,
  /** By decile of the model's chance: scored chances, those whose window closed above, and the chances' sum, CHANCE_UNITS. */
  count: CHANCE_DECILES,
  happened: CHANCE_DECILES,
  chance: CHANCE_DECILES,
  void: RECORD_VOID_REASONS.length,
} as const;
export type ChanceQuantity = keyof typeof WIDTHS;

const QUANTITIES = Object.keys(WIDTHS) as ChanceQuantity[];
/** Offset of each quantity. */
export const CHANCE_AT = Object.fromEntries(
  QUANTITIES.map((name, i) => [name, QUANTITIES.slice(0, i).reduce((sum, before) => sum + WIDTHS[before], 0)]),
) as Record<ChanceQuantity, number>;
export const CHANCE_SUMS_WIDTH = QUANTITIES.reduce((sum, name) => sum + WIDTHS[name], 0);

export interface JudgedChance {
  body: ChanceBody;
  /** Null while the outcome is unknown. */
  score: JudgedChanceScore;
}

/** The chances of one market kind, symbol, model, version, role, window and minute in the same six hours. */
export interface ChanceBlock extends Pick<ChanceBody, 'market' | 'sym' | 'model' | 'version' | 'role' | 'window'> {
  /** Minutes of the window that were over. */
  elapsedMin: number;
  /** Its first second, a multiple of BLOCK_S. */
  blockS: number;
  firstSlotS: number;
  lastSlotS: number;
  lastSeq: number;
  sums: Float64Array;
}

/** The decile of a chance from 0 to 1: 0 for less than 10%. */
export function decileOf(chance: number): number {
  return Math.min(CHANCE_DECILES - 1, Math.floor(chance * CHANCE_DECILES));
}

/** @param chances  in any order; their blocks must be complete, and each chance is passed once */
export function chanceBlocks(chances: Iterable<JudgedChance>): ChanceBlock[] {
  const blocks = new Map<string, ChanceBlock>();
  for (const { body, score } of chances) {
    const { market, sym, model, version, role, window, slot, seq } = body;
    const [blockS, elapsedMin] = [blockOf(slot), elapsedMinutes(slot, window)];
    const key = JSON.stringify([market, blockS, sym, model, version, role, window, elapsedMin]);
    let block = blocks.get(key);
    if (block === undefined) {
      block = {
        market,
        sym,
        model,
        version,
        role,
        window,
        elapsedMin,
        blockS,
        firstSlotS: slot,
        lastSlotS: slot,
        lastSeq: seq,
        sums: new Float64Array(CHANCE_SUMS_WIDTH),
      };
      blocks.set(key, block);
    }
    block.firstSlotS = Math.min(block.firstSlotS, slot);
    block.lastSlotS = Math.max(block.lastSlotS, slot);
    block.lastSeq = Math.max(block.lastSeq, seq);
    addChance(block.sums, body, score);
  }
  return [...blocks.values()];
}

/** Adds one chance and its score. */
export function addChance(sums: Float64Array, { chance }: Pick<ChanceBody, 'chance'>, score: JudgedChanceScore): void {
  const add = (at: number, value: number): void => {
    sums[at] = (sums[at] ?? 0) + value;
  };
  add(CHANCE_AT.issued, 1);
  if (score === null) return;
  if ('void' in score) {
    add(CHANCE_AT.void + RECORD_VOID_REASONS.indexOf(score.void), 1);
    return;
  }
  const decile = decileOf(chance / CHANCE_UNITS);
  add(CHANCE_AT.known, 1);
  add(CHANCE_AT.brierModel, score.brier.model);
  add(CHANCE_AT.brierBaseline, score.brier.baseline);
  add(CHANCE_AT.logModel, score.log.model);
  add(CHANCE_AT.logBaseline, score.log.baseline);
  add(CHANCE_AT.count + decile, 1);
  add(CHANCE_AT.happened + decile, Number(score.isAbove));
  add(CHANCE_AT.chance + decile, chance);
}
