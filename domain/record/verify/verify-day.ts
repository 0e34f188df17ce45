/** Verifies one day line by line: texts, chain, times, roots. A sealed record counts with its published hash. */
import { parsedJson } from '../../format/parsed-json.ts';
import { fromHex, toHex } from '../ledger/bytes.ts';
import { DAY_S, type DayStatement, dayOf, dayRoot, dayStartS, HOUR_S } from '../ledger/day-statement.ts';
import { NO_HASH, type RecordBody, readRecordText, SLOT_S } from '../ledger/ledger.ts';
import { merkleRoot } from '../ledger/merkle.ts';
import { recordLineSchema, type SealedRecord } from '../ledger/record-files.ts';
import type { Commitment } from './verify-commitments.ts';
import type { Findings } from './verify-findings.ts';
import type { VerifyTools } from './verify-keys.ts';
import { checkUnsigned, type SignatureRule } from './verify-unsigned.ts';

export interface DayToVerify {
  day: string;
  statement: DayStatement | null;
  /** Without the first line. */
  lines: Iterable<string>;
}

/** What is compared with a neighbouring day. */
export interface VerifiedDay {
  day: string;
  statement: DayStatement | null;
  first: ChainedRecord | null;
  last: { seq: number; hash: string } | null;
}

/** What is known of every record. `prev` is null for a sealed one, because only the text names it. */
type ChainedRecord = Omit<SealedRecord, 'hash'> & { prev: string | null };

/** Far more than a day can have; later lines are not read. */
const MAX_LINES = 100_000;
/** Records hashed concurrently before progress is reported. */
const BATCH = 256;
/** Allowed difference between our clock and the market's. */
const CLOCK_MARGIN_MS = 5000;
const MINUTE_MS = 60_000;

/** A record with its hash, hex. */
export interface Link {
  body: ChainedRecord;
  hash: string;
}

type LineRead = { text: string; body: RecordBody } | { sealed: SealedRecord };

export interface DayContext {
  tools: VerifyTools;
  rule: SignatureRule;
  findings: Findings;
  onRecord(record: Commitment): void;
  onLines(count: number): void;
}

export async function verifyDay(
  { day, statement, lines }: DayToVerify,
  { tools, rule, findings, onRecord, onLines }: DayContext,
): Promise<VerifiedDay> {
  const chainCheck = newChainCheck(day, findings);
  let batch: LineRead[] = [];
  let read = 0;
  let sealed = 0;
  const flush = async (): Promise<void> => {
    const links = await Promise.all(batch.map((line) => linkOf(line, tools)));
    for (const link of links) {
      chainCheck.step(link);
      onRecord({ ...link.body, hash: link.hash });
    }
    batch = [];
    onLines(BATCH);
  };
  for (const line of lines) {
    read += 1;
    if (read > MAX_LINES) {
      findings.fault('unreadable-file', `The file of ${day} has more lines than a day can have.`, { day });
      break;
    }
    const found = readLine(line, findings);
    if (found === 'no-line')
      findings.fault('unreadable-line', `Line ${read + 1} of ${day} isn’t a valid line of a day's file.`, { day });
    else if (found === 'no-record')
      findings.fault(
        'unreadable-record',
        `Line ${read + 1} of ${day} contains a text that isn’t a valid record, byte for byte.`,
        {
          day,
        },
      );
    else {
      batch.push(found);
      if ('sealed' in found) sealed += 1;
    }
    if (batch.length === BATCH) await flush();
  }
  await flush();
  const { first, last, hours, count } = chainCheck.end();
  findings.counts.days += 1;
  if (sealed > 0) noteSealed(sealed, { day }, findings);
  if (statement === null) checkUnsigned({ name: day, startS: dayStartS(day), about: { day } }, rule, findings);
  else await checkRoots({ day, statement, first, last, hours, count }, tools, findings);
  return { day, statement, first, last };
}

function readLine(line: string, findings: Findings): LineRead | 'no-line' | 'no-record' {
  const parsed = recordLineSchema.safeParse(parsedJson(line));
  if (!parsed.success) return 'no-line';
  const { data } = parsed;
  if (data.score !== null && data.score !== undefined) noteScores(findings);
  if ('sealed' in data) return { sealed: data.sealed };
  const body = readRecordText(data.record);
  return body === null ? 'no-record' : { text: data.record, body };
}

async function linkOf(line: LineRead, { sha256, utf8 }: VerifyTools): Promise<Link> {
  if ('sealed' in line) return { body: { ...line.sealed, prev: null }, hash: line.sealed.hash };
  return { body: line.body, hash: toHex(await sha256(utf8(line.text))) };
}

/** Counts sealed records, of which only the hash can be checked. */
export function noteSealed(count: number, about: { day: string } | { seq: number }, findings: Findings): void {
  findings.counts.sealed += count;
  findings.missed('texts');
  const subject =
    'seq' in about
      ? `Record ${about.seq} is`
      : `${count === 1 ? '1 record' : `${count} records`} of ${about.day} ${count === 1 ? 'is' : 'are'}`;
  findings.note(
    'sealed',
    `${subject} sealed in this file. A text is published when its 50 bars have closed: keep this file, and compare the texts with it then.`,
    about,
  );
}

const notedScores = new WeakSet<Findings>();
/** Adds the note at most once per verification. */
export function noteScores(findings: Findings): void {
  if (notedScores.has(findings)) return;
  notedScores.add(findings);
  findings.note(
    'scores',
    'Scores are not part of the chain and were not checked. You can compute them again from the records and the actual candles.',
  );
}

interface SeenHour {
  first: number;
  hashes: Uint8Array[];
}

function newChainCheck(day: string, findings: Findings) {
  const seqs = new Set<number>();
  const slots = new Map<string, number>();
  const hours = new Map<number, SeenHour>();
  let first: ChainedRecord | null = null;
  let before: Link | null = null;
  return {
    step({ body, hash }: Link): void {
      const { seq, issued } = body;
      const about = { seq, day };
      findings.counts.records += 1;
      first ??= body;
      if (seqs.has(seq)) findings.fault('doubled', `Record ${seq} appears twice.`, about);
      seqs.add(seq);
      const slot = JSON.stringify([body.market, body.slot, body.sym, body.model, body.role, body.version]);
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
    },
    end(): { first: ChainedRecord | null; last: VerifiedDay['last']; hours: Map<number, SeenHour>; count: number } {
      const last: Link | null = before;
      if (seqs.size > 0) for (const check of ['texts', 'chain', 'times'] as const) findings.ran(check);
      return { first, last: last === null ? null : lastOf(last), hours, count: seqs.size };
    },
  };
}

function lastOf({ body, hash }: Link): { seq: number; hash: string } {
  return { seq: body.seq, hash };
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
      findings.fault('chain', 'Record 1 names a record before it, and there is none.', about);
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
      `Record ${seq} names a different predecessor than record ${seq - 1} as found here: one of the two was changed.`,
      about,
    );
  if (issued < before.body.issued)
    findings.fault('issued-earlier', `Record ${seq} is dated before the record that it follows.`, about);
}

/** @param day  the day it should be in */
export function checkTimes({ seq, issued, slot, market }: ChainedRecord, day: string, findings: Findings): void {
  const about = { seq, day };
  if (dayOfOr(issued) !== day) findings.fault('foreign-day', `Record ${seq} was not issued on ${day}.`, about);
  // Other markets have their own time.
  if (market !== 'live') return;
  const lateMs = issued - slot * 1000;
  if (lateMs < -CLOCK_MARGIN_MS || lateMs >= MINUTE_MS + CLOCK_MARGIN_MS)
    findings.fault(
      'slot-minute',
      `Record ${seq} was not issued in the first minute of its ${SLOT_S / 60}: it is dated back or late.`,
      about,
    );
}

/** The input may be any whole number, beyond the date range too. */
function dayOfOr(epochMs: number): string {
  return Math.abs(epochMs) > 8.64e15 ? '' : dayOf(epochMs);
}

interface DayFound {
  day: string;
  statement: DayStatement;
  first: ChainedRecord | null;
  last: VerifiedDay['last'];
  hours: ReadonlyMap<number, SeenHour>;
  count: number;
}

async function checkRoots(
  { day, statement, first, last, hours, count }: DayFound,
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  findings.ran('roots');
  await checkStatement(statement, day, tools, findings);
  if (first?.seq !== statement.first || count !== statement.count)
    findings.fault(
      'day-rows',
      `The statement of ${day} counts ${statement.count} records from ${statement.first}; here are ${count} from ${first?.seq ?? 'none'}.`,
      { day },
    );
  if (last !== null && last.hash !== statement.last)
    findings.fault('last-hash', `The last record of ${day} is not the one that its statement names.`, {
      seq: last.seq,
      day,
    });
  for (const sealed of statement.hours) {
    const seen = hours.get(sealed.hour);
    const name = new Date(sealed.hour * 1000).toISOString().slice(11, 16);
    const about = { seq: sealed.first, day };
    if (seen === undefined || seen.first !== sealed.first || seen.hashes.length !== sealed.count)
      findings.fault(
        'hour-rows',
        `The hour ${name} has ${sealed.count} records from ${sealed.first} in the statement of ${day}; here are ${seen?.hashes.length ?? 0} from ${seen?.first ?? 'none'}.`,
        about,
      );
    if (seen === undefined) continue;
    findings.counts.hours += 1;
    if (toHex(await merkleRoot(seen.hashes, tools.sha256)) !== sealed.root)
      findings.fault('hour-root', `The records of the hour ${name} of ${day} do not give its root.`, about);
  }
  const named = new Set(statement.hours.map(({ hour }) => hour));
  for (const [hour, seen] of hours) {
    if (!named.has(hour))
      findings.fault('hour-rows', `Record ${seen.first} lies in an hour that the statement of ${day} does not name.`, {
        seq: seen.first,
        day,
      });
  }
}

/** Checks a statement's own consistency. @param day  the day it should be for */
export async function checkStatement(
  statement: DayStatement,
  day: string,
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  if (statement.day !== day)
    findings.fault('statement-day', `The statement is of ${statement.day} and not of ${day}.`, { day });
  const startS = dayStartS(statement.day);
  let next = statement.first;
  let afterS = startS;
  for (const { hour, first, count } of statement.hours) {
    if (hour < afterS || hour >= startS + DAY_S || first !== next)
      findings.fault('statement', `The hours of the statement of ${statement.day} do not follow each other.`, { day });
    [next, afterS] = [first + count, hour + HOUR_S];
  }
  if (next - statement.first !== statement.count || (await dayRoot(statement.hours, tools.sha256)) !== statement.root)
    findings.fault(
      next - statement.first === statement.count ? 'day-root' : 'statement',
      `The hours of the statement of ${statement.day} do not give its root and count.`,
      { day },
    );
}
