/** Whether a day's records follow each other: numbers, hashes, slots and times. */

import { CHANCE_WITHIN_MS } from '../chances/chance-moments.ts';
import { fromHex } from '../ledger/bytes.ts';
import { dayOf, HOUR_S } from '../ledger/day-statement.ts';
import { NO_HASH, slotSecondsOf, timeframeOfRecord } from '../ledger/ledger.ts';
import type { SealedRecord } from '../ledger/record-files.ts';
import type { Findings } from './verify-findings.ts';

/** Allowed difference between our clock and the market's. */
const CLOCK_MARGIN_MS = 5000;
const MINUTE_MS = 60_000;

/** What is known of every record. `prev` is null for a sealed one, because only the text names it. */
export type ChainedRecord = Omit<SealedRecord, 'hash'> & { prev: string | null };

/** A record with its hash, hex. */
export interface Link {
  body: ChainedRecord;
  hash: string;
}

/** Records of one hour, for its root. */
export interface SeenHour {
  first: number;
  hashes: Uint8Array[];
}

export interface CheckedChain {
  first: ChainedRecord | null;
  last: { seq: number; hash: string } | null;
  /** By the second in which the hour begins. */
  hours: ReadonlyMap<number, SeenHour>;
  count: number;
}

export function newChainCheck(day: string, findings: Findings) {
  const seqs = new Set<number>();
  const slots = new Map<string, number>();
  const hours = new Map<number, SeenHour>();
  let first: ChainedRecord | null = null;
  let before: Link | null = null;
  let last: CheckedChain['last'] = null;
  return {
    step({ body, hash }: Link): void {
      const { seq, issued } = body;
      const about = { seq, day };
      findings.counts.records += 1;
      first ??= body;
      if (seqs.has(seq)) findings.fault('doubled', `Record ${seq} appears twice.`, about);
      seqs.add(seq);
      const slot = JSON.stringify([
        body.market,
        body.slot,
        body.tf,
        body.window,
        body.sym,
        body.model,
        body.role,
        body.version,
      ]);
      const twin = slots.get(slot);
      if (twin !== undefined && twin !== seq)
        findings.fault('doubled', `Record ${seq} is of the same slot, symbol and model as record ${twin}.`, about);
      slots.set(slot, seq);
      checkFollows(body, before, day, findings);
      checkTimes(body, day, findings);
      const hour = Math.floor(issued / 1000 / HOUR_S) * HOUR_S;
      const seen = hours.get(hour) ?? { first: seq, hashes: [] };
      seen.hashes.push(fromHex(hash) ?? new Uint8Array());
      hours.set(hour, seen);
      before = { body, hash };
      last = { seq, hash };
    },
    end(): CheckedChain {
      if (seqs.size > 0) for (const check of ['texts', 'chain', 'times'] as const) findings.ran(check);
      return { first, last, hours, count: seqs.size };
    },
  };
}

function checkFollows(
  { seq, prev, issued }: ChainedRecord,
  before: Link | null,
  day: string,
  findings: Findings,
): void {
  const about = { seq, day };
  if (before === null) {
    if (seq === 1 && prev !== null && prev !== NO_HASH)
      findings.fault('chain', 'Record 1 names a record before it, but it is the first one.', about);
    return;
  }
  const next = before.body.seq + 1;
  if (seq > next) {
    const missing = seq - next === 1 ? `Record ${next} is` : `Records ${next} to ${seq - 1} are`;
    findings.fault('gap', `${missing} missing before record ${seq}.`, about);
  } else if (seq < next) findings.fault('order', `Record ${seq} appears after record ${before.body.seq}.`, about);
  else if (prev !== null && prev !== before.hash)
    findings.fault(
      'chain',
      `Record ${seq} does not link to record ${seq - 1} as found here: one of the two was changed.`,
      about,
    );
  if (issued < before.body.issued)
    findings.fault('issued-earlier', `Record ${seq} is dated before the record it follows.`, about);
}

/** @param day  the day it should be in */
export function checkTimes(record: ChainedRecord, day: string, findings: Findings): void {
  const { seq, issued, slot, market } = record;
  const about = { seq, day };
  if (dayOfOr(issued) !== day) findings.fault('foreign-day', `Record ${seq} was not issued on ${day}.`, about);
  // Other markets have their own time.
  if (market !== 'live') return;
  const lateMs = issued - slot * 1000;
  const withinMs = record.window === undefined ? MINUTE_MS : CHANCE_WITHIN_MS;
  if (lateMs < -CLOCK_MARGIN_MS || lateMs >= withinMs + CLOCK_MARGIN_MS)
    findings.fault('slot-minute', `Record ${seq} was not issued ${placeOf(record)}: it is backdated or late.`, about);
}

function placeOf(record: ChainedRecord): string {
  if (record.window !== undefined)
    return `within ${CHANCE_WITHIN_MS / 1000} seconds of its moment in a ${record.window}-minute window`;
  return `in the first minute of its ${slotSecondsOf(timeframeOfRecord(record)) / 60}-minute slot`;
}

/** @returns the UTC day; empty for a number beyond the date range */
export function dayOfOr(epochMs: number): string {
  return Math.abs(epochMs) > 8.64e15 ? '' : dayOf(epochMs);
}
