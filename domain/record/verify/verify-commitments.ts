/** Compares records with a file saved while they were sealed. A text with another hash was written afterwards. */
import { parsedJson } from '../../format/parsed-json.ts';
import { readAnyRecord } from '../ledger/any-record.ts';
import { toHex } from '../ledger/bytes.ts';
import { recordFileSchema, recordLineSchema, type SealedRecord, sealedRecord } from '../ledger/record-files.ts';
import type { Findings } from './verify-findings.ts';
import type { VerifyTools } from './verify-keys.ts';

/** The part of a record that is public from the start. */
export type Commitment = SealedRecord;

/** Commitments by record number. @param copy  a day's file or a record's file; any other format has none */
export async function commitmentsOfCopy(copy: string, tools: VerifyTools): Promise<ReadonlyMap<number, Commitment>> {
  const whole = parsedJson(copy);
  const values = whole === undefined ? copy.split('\n').map(parsedJson) : [whole];
  const found = new Map<number, Commitment>();
  for (const value of values) {
    const commitment = await commitmentOf(value, tools);
    if (commitment !== null) found.set(commitment.seq, commitment);
  }
  return found;
}

async function commitmentOf(value: unknown, { sha256, utf8 }: VerifyTools): Promise<Commitment | null> {
  const read = recordLineSchema.safeParse(value);
  const file = recordFileSchema.safeParse(value);
  const sealed = file.success ? file.data.sealed : read.success && 'sealed' in read.data ? read.data.sealed : undefined;
  if (sealed !== undefined) return sealed;
  const text = file.success ? file.data.record : read.success && 'record' in read.data ? read.data.record : null;
  const body = text === null ? null : readAnyRecord(text);
  return text === null || body === null ? null : sealedRecord(body, toHex(await sha256(utf8(text))));
}

/** Compares records one by one with those of the user's saved file. */
export class CommitmentCheck {
  readonly #copied: ReadonlyMap<number, Commitment>;
  #compared = 0;
  #otherHashes: number[] = [];
  #otherKeys: number[] = [];

  constructor(copied: ReadonlyMap<number, Commitment>) {
    this.#copied = copied;
  }

  compare(record: Commitment): void {
    const before = this.#copied.get(record.seq);
    if (before === undefined) return;
    this.#compared += 1;
    if (before.hash !== record.hash) this.#otherHashes.push(record.seq);
    else if (textOf(before) !== textOf(record)) this.#otherKeys.push(record.seq);
  }

  report(findings: Findings): void {
    if (this.#compared === 0) return;
    findings.ran('copy');
    findings.counts.committed += this.#compared;
    reportFirst(
      this.#otherHashes,
      'does not match its commitment: its hash differs from the one in your copy',
      findings,
    );
    reportFirst(this.#otherKeys, 'has a different key or time than in your copy', findings);
  }
}

/** Names the first and counts the others, because a rewritten history has thousands. */
function reportFirst([seq, ...more]: readonly number[], problem: string, findings: Findings): void {
  if (seq === undefined) return;
  const others = more.length === 0 ? '' : ` The same applies to ${more.length} more.`;
  findings.fault('not-committed', `Record ${seq} ${problem}.${others}`, { seq });
}

function textOf(commitment: Commitment): string {
  return JSON.stringify(sealedRecord(commitment, commitment.hash));
}
