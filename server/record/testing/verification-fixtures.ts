/** A small record across midnight, so on two days, and its verification from downloaded files. */
import { type RecordBody, readRecordText, recordText } from '#domain/record/ledger/ledger.ts';
import { type Verification, type VerifyOptions, verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import { nodeTools } from '../ledger/node-tools.ts';
import { makeDayKey, type PublishedDay, publishDays } from './day-fixtures.ts';
import { makeRecords } from './record-fixtures.ts';

/** Three hours before midnight: the first day ends in the middle. */
export const EVENING_S = Date.parse('2025-11-12T21:00:00Z') / 1000;
export const EVENING = { slots: 60, syms: ['BTCUSDT.P'], firstSlotS: EVENING_S, market: 'live' as const };
/** Also the default key of the verification. */
export const KEY = makeDayKey();

/** @returns 108 records of the first day, 72 of the second */
export async function eveningDays(): Promise<[PublishedDay, PublishedDay]> {
  const [first, second] = await publishDays(makeRecords(EVENING), [KEY]);
  if (first === undefined || second === undefined) throw new Error('two days were expected');
  return [first, second];
}

export async function verify(
  texts: string | readonly string[],
  options: Partial<VerifyOptions> = {},
): Promise<Verification> {
  const files = [texts].flat().map((text, i) => ({ name: `file ${i + 1}`, text }));
  return await verifyRecordFiles(files, { tools: nodeTools, nowS: EVENING_S, keys: [KEY.public], ...options });
}

export function faultsOf({ findings }: Verification) {
  return findings.filter(({ severity }) => severity === 'fault').map(({ kind, seq }) => ({ kind, seq }));
}

/** A record with changed content and a well-formed text. */
export function withBody(text: string, change: Partial<RecordBody>): string {
  return recordText({ ...requireRecord(text), ...change });
}

/** @throws Error when the text is not a record */
export function requireRecord(text: string): RecordBody {
  const body = readRecordText(text);
  if (body === null) throw new Error('no record');
  return body;
}
