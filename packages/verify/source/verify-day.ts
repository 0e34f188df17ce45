/**
 * Verifies the file of one day by the format in docs/record.md of Kat's repository. It reads nothing else, and reports
 * each fault as a sentence.
 */
import { rootOf } from './bytes.ts';
import { type ListedKey, signatureFaults, trustedKeys } from './keys.ts';
import { isObject, jsonOf, type RecordLine, readLine } from './lines.ts';

export interface DayReport {
  isSound: boolean;
  day: string;
  /** What is wrong. */
  faults: string[];
  /** What could not be checked, and why. */
  notes: string[];
  records: number;
  sealed: number;
  isSigned: boolean;
  /** Public keys that signed or announced, hex. */
  keys: string[];
}

export interface VerifyDayOptions {
  /** A public key in hex that the user trusts; absent: the first one of the file. */
  key?: string | undefined;
  /** An earlier copy of the day's file. */
  against?: string | undefined;
  /** The day that was requested; absent: whatever day the file is of. */
  day?: string | undefined;
}

interface Hour {
  hour: number;
  first: number;
  count: number;
  root: string;
}

interface Statement {
  day: string;
  first: number;
  count: number;
  hours: Hour[];
  root: string;
  last: string;
  key: string;
}

const NO_HASH = '0'.repeat(64);
const HOUR_MS = 3_600_000;
/** Clocks of market and site may differ by this much. */
const CLOCK_MS = 5000;
/** A forecast of a live market enters the record within the minute of its slot, a chance within thirty seconds. */
const FORECAST_MS = 60_000;
const CHANCE_MS = 30_000;
const MOST_FAULTS = 100;
/** Far more than any site has had; each is compared with all others. */
const MOST_KEYS = 200;
/** Largest number of seconds that is a date. */
const LAST_S = 8.64e12;

export function verifyDay(file: string, { key, against, day }: VerifyDayOptions = {}): DayReport {
  const [headText = '', ...rest] = file.split('\n');
  const report: DayReport = {
    isSound: false,
    day: '',
    faults: [],
    notes: [],
    records: 0,
    sealed: 0,
    isSigned: false,
    keys: [],
  };
  const fault = (text: string) => {
    if (report.faults.length < MOST_FAULTS) report.faults.push(text);
  };
  const head = jsonOf(headText);
  if (!isObject(head) || typeof head.day !== 'string') {
    fault('The first line is not the head of a day’s file.');
    return report;
  }
  report.day = head.day;
  if (day !== undefined && head.day !== day) fault(`The file is of ${head.day}, not of ${day}.`);
  const lines = rest.filter((line) => line !== '').flatMap((line, i) => readLine(line, i + 2, fault) ?? []);
  report.records = lines.length;
  report.sealed = lines.filter(({ isSealed }) => isSealed).length;
  checkChain(lines, head.day, fault);
  checkSigned(head, lines, { key, report, fault });
  if (report.sealed > 0)
    report.notes.push(`${report.sealed} records are sealed: compare this file with their texts once they are public.`);
  report.notes.push('Scores are not part of the chain and were not checked.');
  if (against !== undefined) compareCopies(head, lines, against, fault);
  report.isSound = report.faults.length === 0;
  return report;
}

type Fault = (text: string) => void;

function checkChain(lines: readonly RecordLine[], day: string, fault: Fault): void {
  let before: RecordLine | null = null;
  for (const line of lines) {
    const { seq, issued, slot, market, prev, window } = line;
    if (new Date(issued).toISOString().slice(0, 10) !== day) fault(`Record ${seq} was not issued on ${day}.`);
    const lateMs = issued - slot * 1000;
    const withinMs = window === null ? FORECAST_MS : CHANCE_MS;
    // Replayed and simulated markets have their own time.
    if (market === 'live' && (lateMs < -CLOCK_MS || lateMs >= withinMs + CLOCK_MS))
      fault(`Record ${seq} was not issued at its moment: it is backdated or late.`);
    if (before === null) {
      if (seq === 1 && prev !== null && prev !== NO_HASH) fault('Record 1 names a record before it.');
    } else {
      if (seq !== before.seq + 1)
        fault(`Record ${seq} follows record ${before.seq}: one is missing, doubled or moved.`);
      else if (prev !== null && prev !== before.hash)
        fault(`Record ${seq} does not name the hash of record ${before.seq}.`);
      if (issued < before.issued) fault(`Record ${seq} is dated before the record it follows.`);
    }
    before = line;
  }
}

function checkSigned(
  head: Record<string, unknown>,
  lines: readonly RecordLine[],
  { key, report, fault }: { key: string | undefined; report: DayReport; fault: Fault },
): void {
  const text = head.statement;
  if (text === null || text === undefined) {
    const isOver = Date.now() > Date.parse(`${head.day}T00:00:00Z`) + 25 * HOUR_MS;
    if (isOver) fault('The day is over and not signed.');
    else report.notes.push('The day is not signed yet: records may still be added or changed.');
    return;
  }
  const statement = statementOf(text);
  if (typeof text !== 'string' || statement === null) {
    fault('The day’s statement cannot be read.');
    return;
  }
  const published = (Array.isArray(head.keys) ? head.keys : []).filter((one): one is ListedKey => isObject(one));
  if (published.length > MOST_KEYS) {
    fault(`The file has more than ${MOST_KEYS} keys.`);
    return;
  }
  const trusted = trustedKeys(published, key, fault);
  report.keys = [...trusted.values()].map((one) => one.publicKey);
  if (key === undefined)
    report.notes.push(
      'No key was given: the first one in the file was trusted, as far as you trust the file’s source.',
    );
  const signature = typeof head.signature === 'string' ? head.signature : '';
  const faults = signatureFaults({ text, signature, key: statement.key, day: statement.day }, trusted);
  for (const one of faults) fault(one);
  report.isSigned = faults.length === 0;
  checkStatement(statement, lines, head.day, fault);
}

/** @returns null unless the text is JSON as it is written, without blanks */
function statementOf(text: unknown): Statement | null {
  const value = typeof text === 'string' ? jsonOf(text) : null;
  if (!isObject(value) || JSON.stringify(value) !== text || value.v !== 1) return null;
  const { day, first, count, hours, root, last, key } = value;
  const isWhole = (one: unknown): one is number => Number.isSafeInteger(one);
  if (typeof day !== 'string' || typeof root !== 'string' || typeof last !== 'string' || typeof key !== 'string')
    return null;
  if (!isWhole(first) || !isWhole(count) || !Array.isArray(hours) || hours.length === 0 || hours.length > 24)
    return null;
  const isHour = (one: unknown): one is Hour =>
    isObject(one) &&
    isWhole(one.hour) &&
    Math.abs(one.hour) <= LAST_S &&
    isWhole(one.first) &&
    isWhole(one.count) &&
    typeof one.root === 'string';
  return hours.every(isHour) ? { day, first, count, hours, root, last, key } : null;
}

function checkStatement(statement: Statement, lines: readonly RecordLine[], day: unknown, fault: Fault): void {
  if (statement.day !== day) fault(`The statement is for ${statement.day}, not for ${day}.`);
  if (lines[0]?.seq !== statement.first || lines.length !== statement.count)
    fault(
      `The statement counts ${statement.count} records from number ${statement.first}, the file has ${lines.length}.`,
    );
  if (lines.at(-1)?.hash !== statement.last) fault('The last record is not the one that the statement names.');
  const byHour = new Map<number, RecordLine[]>();
  for (const line of lines) {
    const hour = (Math.floor(line.issued / HOUR_MS) * HOUR_MS) / 1000;
    const known = byHour.get(hour);
    if (known === undefined) byHour.set(hour, [line]);
    else known.push(line);
  }
  for (const { hour, first, count, root } of statement.hours) {
    const found = byHour.get(hour) ?? [];
    byHour.delete(hour);
    const name = new Date(hour * 1000).toISOString().slice(11, 16);
    if (found[0]?.seq !== first || found.length !== count)
      fault(`The statement counts ${count} records in the hour ${name}, the file has ${found.length}.`);
    else if (rootOf(found.map(({ hash }) => hash)) !== root)
      fault(`The records of the hour ${name} do not give its root.`);
  }
  for (const hour of byHour.keys())
    fault(`The hour ${new Date(hour * 1000).toISOString().slice(11, 16)} is missing from the statement.`);
  if (rootOf(statement.hours.map(({ root }) => root)) !== statement.root)
    fault('The roots of the hours do not give the root of the day.');
}

/** All of the copy must still be there: its statement, and every record with the same hash and place. */
function compareCopies(head: Record<string, unknown>, lines: readonly RecordLine[], copy: string, fault: Fault): void {
  const [headText = '', ...rest] = copy.split('\n');
  const before = jsonOf(headText);
  if (!isObject(before) || typeof before.day !== 'string') {
    fault('The first line of the copy is not the head of a day’s file.');
    return;
  }
  if (before.day !== head.day) {
    fault(`The copy is of ${before.day}, not of ${head.day}.`);
    return;
  }
  if (typeof before.statement === 'string' && typeof head.statement !== 'string')
    fault('The copy is signed, and the file is not.');
  else if (typeof before.statement === 'string' && before.statement !== head.statement)
    fault('The day’s statement is not the one in your copy.');
  const now = new Map(lines.map((line) => [line.seq, placeText(line)]));
  let compared = 0;
  for (const [i, text] of rest.entries()) {
    if (text === '') continue;
    const line = readLine(text, i + 2, (reason) => fault(`The copy: ${reason}`));
    if (line === null) continue;
    compared += 1;
    if (now.get(line.seq) !== placeText(line)) fault(`Record ${line.seq} is not the one in your copy.`);
  }
  if (compared === 0) fault('The copy has no records to compare with.');
}

function placeText({ seq, slot, issued, market, window, hash }: RecordLine): string {
  return JSON.stringify([seq, slot, issued, market, window, hash]);
}
