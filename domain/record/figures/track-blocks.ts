/** Scored records grouped into blocks of six hours, the basis of every figure of the public record. */

import type { Timeframe } from '../../market/timeframes.ts';
import { type RecordBody, timeframeOfRecord } from '../ledger/ledger.ts';
import { addRecord, type JudgedScore, SUMS_WIDTH } from './block-sums.ts';
import { BLOCK_S } from './bootstrap.ts';
import { type Extremes, extremesOf, pathLoss } from './record-card.ts';

export interface JudgedRecord {
  body: RecordBody;
  /** Null while the outcome is unknown. */
  score: JudgedScore;
}

/** The records of one market kind, symbol, timeframe, model, version and role whose slots are in the same six hours. */
export interface TrackBlock extends Pick<RecordBody, 'market' | 'sym' | 'model' | 'version' | 'role'> {
  timeframe: Timeframe;
  /** Its first second, a multiple of BLOCK_S. */
  blockS: number;
  firstSlotS: number;
  lastSlotS: number;
  /** When its first and its last record were issued. */
  firstMs: number;
  lastMs: number;
  lastSeq: number;
  sums: Float64Array;
  extremes: Extremes;
}

/** @param records  in any order; their blocks must be complete, and each record is passed once */
export function trackBlocks(records: Iterable<JudgedRecord>): TrackBlock[] {
  const blocks = new Map<string, TrackBlock>();
  for (const { body, score } of records) {
    const { market, sym, model, version, role } = body;
    const timeframe = timeframeOfRecord(body);
    const blockS = blockOf(body.slot);
    const key = JSON.stringify([market, blockS, sym, timeframe, model, version, role]);
    let block = blocks.get(key);
    if (block === undefined) {
      block = {
        market,
        sym,
        timeframe,
        model,
        version,
        role,
        blockS,
        firstSlotS: body.slot,
        lastSlotS: body.slot,
        firstMs: body.issued,
        lastMs: body.issued,
        lastSeq: body.seq,
        sums: new Float64Array(SUMS_WIDTH),
        extremes: { best: [], worst: [] },
      };
      blocks.set(key, block);
    }
    block.firstSlotS = Math.min(block.firstSlotS, body.slot);
    block.lastSlotS = Math.max(block.lastSlotS, body.slot);
    block.firstMs = Math.min(block.firstMs, body.issued);
    block.lastMs = Math.max(block.lastMs, body.issued);
    block.lastSeq = Math.max(block.lastSeq, body.seq);
    addRecord(block.sums, body, score);
    if (score === null || !('actual' in score)) continue;
    const ranked = [body.seq, pathLoss(body, score)] as const;
    block.extremes = extremesOf([...block.extremes.best, ...block.extremes.worst, ranked]);
  }
  return [...blocks.values()];
}

export function blockOf(slotS: number): number {
  return Math.floor(slotS / BLOCK_S) * BLOCK_S;
}
