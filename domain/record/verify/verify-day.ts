/** Verifies one day line by line: texts, chain, times, roots. A sealed record counts with its published hash. */
import { counted } from '../../format/count.ts';
import { parsedJson } from '../../format/parsed-json.ts';
import { type AnyRecordBody, isChance, readAnyRecord } from '../ledger/any-record.ts';
import { toHex } from '../ledger/bytes.ts';
import { type DayStatement, dayStartS } from '../ledger/day-statement.ts';
import { recordLineSchema, type SealedRecord } from '../ledger/record-files.ts';
import type { Commitment } from './saved-copy.ts';
import { type CheckedChain, type Link, newChainCheck } from './verify-chain.ts';
import { ChanceScoreCheck } from './verify-chances.ts';
import type { Findings } from './verify-findings.ts';
import type { VerifyTools } from './verify-keys.ts';
import { checkRoots } from './verify-statement.ts';
import { checkUnsigned, type SignatureRule } from './verify-unsigned.ts';

export interface DayToVerify {
  day: string;
  statement: DayStatement | null;
  /** Without the first line. */
  lines: Iterable<string>;
}

/** What is compared with a neighbouring day. */
export interface VerifiedDay extends Pick<CheckedChain, 'first' | 'last'> {
  day: string;
  statement: DayStatement | null;
}

/** Far more than a day can have; later lines are not read. */
const MAX_LINES = 100_000;
/** Records hashed concurrently before progress is reported. */
const BATCH = 256;

type LineRead = { text: string; body: AnyRecordBody } | { sealed: SealedRecord };

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
  const scores = new ChanceScoreCheck(findings);
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
      findings.fault('unreadable-file', `The file for ${day} has more lines than a day can have.`, { day });
      break;
    }
    const found = readLine(line, scores, findings);
    if (found === 'no-line')
      findings.fault('unreadable-line', `Line ${read + 1} of the file for ${day} is invalid.`, { day });
    else if (found === 'no-record')
      findings.fault(
        'unreadable-record',
        `Line ${read + 1} of the file for ${day} contains a text that isn’t a valid record, byte for byte.`,
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
  const chain = chainCheck.end();
  findings.counts.days += 1;
  if (sealed > 0) noteSealed(sealed, { day }, findings);
  if (statement === null) checkUnsigned({ name: day, startS: dayStartS(day), about: { day } }, rule, findings);
  else await checkRoots({ day, statement, ...chain }, tools, findings);
  return { day, statement, first: chain.first, last: chain.last };
}

function readLine(line: string, scores: ChanceScoreCheck, findings: Findings): LineRead | 'no-line' | 'no-record' {
  const parsed = recordLineSchema.safeParse(parsedJson(line));
  if (!parsed.success) return 'no-line';
  const { data } = parsed;
  if ('sealed' in data) return { sealed: data.sealed };
  const body = readAnyRecord(data.record);
  if (body === null) return 'no-record';
  if (isChance(body)) scores.check(body, data.score);
  else if (data.score !== null && data.score !== undefined) noteScores(findings);
  return { text: data.record, body };
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
      : `${counted(count, 'record')} of ${about.day} ${count === 1 ? 'is' : 'are'}`;
  findings.note(
    'sealed',
    `${subject} sealed in this file. Texts are published once their 50 bars, or a chance’s window, have closed. Keep this file and compare it with the texts then.`,
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
