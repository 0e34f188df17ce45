/**
 * Verifies the public record from its published files alone: one record, a day, several days. Runs in browsers and in
 * Node, never rejects, and reports its findings as sentences. What it cannot detect: docs/decisions/035-track-record.md
 */
import { parsedJson } from '../../format/parsed-json.ts';
import { isChance, readAnyRecord } from '../ledger/any-record.ts';
import { fromHex, toHex } from '../ledger/bytes.ts';
import { DAY_S, isDay, readStatementText } from '../ledger/day-statement.ts';
import { isIncluded } from '../ledger/merkle.ts';
import {
  type DayHead,
  dayHeadSchema,
  type PublishedKey,
  type RecordFile,
  recordFileSchema,
} from '../ledger/record-files.ts';
import { type Commitment, readCopy, type StatementHere } from './saved-copy.ts';
import { checkTimes, dayOfOr, type Link } from './verify-chain.ts';
import { ChanceScoreCheck } from './verify-chances.ts';
import { CommitmentCheck } from './verify-commitments.ts';
import { checkLinks, compareWithCopy } from './verify-copy.ts';
import { noteScores, noteSealed, type VerifiedDay, verifyDay } from './verify-day.ts';
import { type CheckOutcome, type Counts, type Finding, type Findings, newFindings } from './verify-findings.ts';
import { checkSignature, type KnownKeys, knownKeys, type VerifyTools } from './verify-keys.ts';
import { checkStatement } from './verify-statement.ts';
import { checkAnythingSigned, checkUnsigned, type SignatureRule } from './verify-unsigned.ts';

export interface VerifyOptions {
  tools: VerifyTools;
  /** Epoch seconds; when a key is given, a day that is over must be signed. */
  nowS: number;
  /** Trusted public keys in hex; without any, those in the files are trusted, and a note reports that. */
  keys?: readonly string[];
  /** The user's saved copy in any published format: a statement, a day's file, a record's file, sealed or not. */
  against?: string | null;
  /** Called with the number of lines read, and the total. */
  onProgress?: (done: number, total: number) => void;
}

export interface Verification {
  /** True when nothing that could be checked is wrong; `checks` lists what could. */
  isSound: boolean;
  /** Faults and notes in order of discovery, at most 200; `moreFindings` counts the rest. */
  findings: Finding[];
  moreFindings: number;
  checks: CheckOutcome[];
  counts: Counts;
  /** Keys whose signatures counted. */
  keys: { id: string; publicKey: string; isFromUser: boolean }[];
}

export interface FileToVerify {
  name: string;
  text: string;
}

type Opened = { kind: 'day'; head: DayHead; text: string } | { kind: 'record'; file: RecordFile };

export async function verifyRecordFiles(
  files: readonly FileToVerify[],
  { tools, nowS, keys: userKeys = [], against = null, onProgress }: VerifyOptions,
): Promise<Verification> {
  const findings = newFindings();
  const rule = { nowS, hasUserKey: userKeys.length > 0 };
  const opened = files.flatMap((file) => open(file, findings) ?? []);
  const published: PublishedKey[] = opened.flatMap((one) => (one.kind === 'day' ? one.head.keys : one.file.keys));
  const known = await knownKeys(published, userKeys, tools, findings);
  const total = opened.reduce((sum, one) => sum + (one.kind === 'day' ? countLines(one.text) : 1), 0);
  let done = 0;
  const advance = (count: number): void => {
    done = Math.min(total, done + count);
    onProgress?.(done, total);
  };
  const days: (VerifiedDay & { text: string | null })[] = [];
  const statements: StatementHere[] = [];
  const copy = against === null ? null : await readCopy(against, tools);
  const commitments = new CommitmentCheck(copy?.commitments ?? new Map());
  const onRecord = (record: Commitment): void => commitments.compare(record);
  for (const one of opened) {
    findings.counts.files += 1;
    const found =
      one.kind === 'day'
        ? await verifyDayFile(one.head, one.text, { known, tools, rule, findings, onRecord, advance, days })
        : await verifyRecordFile(one.file, { known, tools, rule, findings, onRecord });
    if (found !== null) statements.push(found);
    if (one.kind === 'record') advance(1);
  }
  checkAnythingSigned(statements.length, rule, findings);
  await checkLinks(days, tools, findings);
  const hasCompared = commitments.report(new Set(days.map(({ day }) => day)), findings);
  if (copy !== null) {
    const unsigned = new Set(opened.flatMap((one) => unsignedDayOf(one) ?? []));
    await compareWithCopy(copy, { statements, unsigned, hasCompared }, tools, findings);
  }
  onProgress?.(total, total);
  const trusted = [...known.values()].filter(({ isTrusted }) => isTrusted);
  const keys = trusted.map(({ id, publicKey, isFromUser }) => ({ id, publicKey: toHex(publicKey), isFromUser }));
  return { ...findings.result(), keys };
}

interface Context {
  known: KnownKeys;
  tools: VerifyTools;
  rule: SignatureRule;
  findings: Findings;
  onRecord(record: Commitment): void;
}

function open({ name, text }: FileToVerify, findings: Findings): Opened | null {
  const end = text.indexOf('\n');
  const head = dayHeadSchema.safeParse(parsedJson(end === -1 ? text : text.slice(0, end)));
  if (head.success && isDay(head.data.day))
    return { kind: 'day', head: head.data, text: end === -1 ? '' : text.slice(end + 1) };
  const file = recordFileSchema.safeParse(parsedJson(text));
  if (file.success) return { kind: 'record', file: file.data };
  findings.fault('unreadable-file', `${name} is neither a day’s file nor a record’s file.`);
  return null;
}

/** @returns null for a signed file */
function unsignedDayOf(one: Opened): string | null {
  if (one.kind === 'day') return one.head.statement === null ? one.head.day : null;
  const { proof, record, sealed } = one.file;
  const body = record === null ? sealed : readAnyRecord(record);
  return proof === null && body != null ? dayOfOr(body.issued) : null;
}

async function verifyDayFile(
  head: DayHead,
  text: string,
  context: Context & { advance: (count: number) => void; days: (VerifiedDay & { text: string | null })[] },
): Promise<StatementHere | null> {
  const { tools, rule, findings, onRecord, advance, days } = context;
  const { day } = head;
  const signed = await readSigned(head.statement, head.signature ?? '', day, context);
  const verified = await verifyDay(
    { day, statement: signed?.statement ?? null, lines: linesOf(text) },
    { tools, rule, findings, onRecord, onLines: advance },
  );
  days.push({ ...verified, text: signed?.text ?? null });
  return signed;
}

async function readSigned(
  text: string | null,
  signature: string,
  day: string,
  { known, tools, findings }: Context,
): Promise<StatementHere | null> {
  if (text === null) return null;
  const statement = readStatementText(text);
  if (statement === null) {
    findings.fault('statement', `The statement for ${day} is not valid, byte for byte.`, { day });
    return null;
  }
  await checkSignature({ statement, text, signature }, known, tools, findings);
  return { statement, text };
}

async function verifyRecordFile(file: RecordFile, context: Context): Promise<StatementHere | null> {
  const { rule, findings, onRecord } = context;
  const { proof } = file;
  const link = file.record === null ? sealedLink(file, findings) : await textLink(file, file.record, context);
  if (link === null) {
    findings.fault('unreadable-record', 'The file contains a text that isn’t a valid record, byte for byte.');
    return null;
  }
  const { body, hash } = link;
  const { seq } = body;
  findings.counts.records += 1;
  onRecord({ ...body, hash });
  if (proof === null) {
    const startS = Math.floor(body.issued / 1000 / DAY_S) * DAY_S;
    checkUnsigned({ name: `The day of record ${seq}`, startS, about: { seq } }, rule, findings);
    return null;
  }
  return await checkProof({ ...link, proof }, context);
}

function sealedLink({ sealed, hash }: RecordFile, findings: Findings): Link | null {
  if (sealed === undefined || sealed.hash !== hash) return null;
  noteSealed(1, { seq: sealed.seq }, findings);
  return { body: { ...sealed, prev: null }, hash };
}

/** @returns null for a text that isn't a record */
async function textLink(file: RecordFile, text: string, { tools, findings }: Context): Promise<Link | null> {
  const body = readAnyRecord(text);
  if (body === null) return null;
  const { seq } = body;
  const { document } = file;
  const hash = toHex(await tools.sha256(tools.utf8(text)));
  findings.ran('texts');
  if (hash !== file.hash) findings.fault('hash', `The text of record ${seq} does not match its hash.`, { seq });
  if (document !== null) {
    findings.counts.documents += 1;
    const named = isChance(body) ? null : body.document;
    if (toHex(await tools.sha256(tools.utf8(document))) !== named)
      findings.fault('document', `The document of record ${seq} does not match the hash in the record.`, { seq });
  }
  if (isChance(body)) new ChanceScoreCheck(findings).check(body, file.score);
  else if (file.score !== null && file.score !== undefined) noteScores(findings);
  return { body, hash };
}

async function checkProof(
  { body, hash, proof }: Link & { proof: NonNullable<RecordFile['proof']> },
  context: Context,
): Promise<StatementHere | null> {
  const { tools, findings } = context;
  const { seq, issued } = body;
  const signed = await readSigned(proof.statement, proof.signature, `record ${seq}`, context);
  if (signed === null) return null;
  const { statement } = signed;
  const { day } = statement;
  findings.ran('times');
  findings.ran('roots');
  checkTimes(body, day, findings);
  await checkStatement(statement, day, tools, findings);
  const hour = statement.hours[proof.hour];
  const root = hour === undefined ? null : fromHex(hour.root);
  const path = proof.path.map(fromHex);
  const isOwnHour = hour !== undefined && Math.floor(issued / 3_600_000) * 3600 === hour.hour;
  const isThere =
    isOwnHour &&
    root !== null &&
    path.every((step) => step !== null) &&
    (await isIncluded(
      { entry: fromHex(hash) ?? new Uint8Array(), index: seq - hour.first, count: hour.count, path },
      root,
      tools.sha256,
    ));
  if (isThere) findings.counts.proofs += 1;
  else findings.fault('proof', `Record ${seq} is not proven to be in the statement for ${day}.`, { seq, day });
  return signed;
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    yield end === -1 ? text.slice(from) : text.slice(from, end);
    from = end === -1 ? text.length : end + 1;
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
