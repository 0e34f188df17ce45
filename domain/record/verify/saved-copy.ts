/** The user's saved copy: the statements and records that were published when it was saved, in any published format. */
import * as z from 'zod/mini';
import { parsedJson } from '../../format/parsed-json.ts';
import { readAnyRecord } from '../ledger/any-record.ts';
import { toHex } from '../ledger/bytes.ts';
import { type DayStatement, readStatementText } from '../ledger/day-statement.ts';
import {
  daysFileSchema,
  recordFileSchema,
  recordLineSchema,
  type SealedRecord,
  sealedRecord,
} from '../ledger/record-files.ts';
import type { VerifyTools } from './verify-keys.ts';

/** The part of a record that is public from the start. */
export type Commitment = SealedRecord;

export interface StatementHere {
  statement: DayStatement;
  text: string;
}

export interface SavedCopy {
  statements: StatementHere[];
  /** By record number. */
  commitments: ReadonlyMap<number, Commitment>;
  /** Number of lines and statements that could not be read. */
  unreadable: number;
}

/** Matches a signed day, and the first line of a day's file. */
const oneStatementSchema = z.object({ statement: z.nullable(z.string()) });

/** @param copy  a statement, a signed day, a page of days, a day's file or a record's file; also several, line by line */
export async function readCopy(copy: string, tools: VerifyTools): Promise<SavedCopy> {
  const parts = parsedJson(copy) === undefined ? copy.split('\n') : [copy];
  const statements: StatementHere[] = [];
  const commitments = new Map<number, Commitment>();
  let unreadable = 0;
  for (const part of parts.map((text) => text.trim()).filter((text) => text !== '')) {
    const read = await readPart(part, tools);
    if (read === null) unreadable += 1;
    if (read?.commitment != null) commitments.set(read.commitment.seq, read.commitment);
    for (const text of read?.statements ?? []) {
      const statement = readStatementText(text);
      if (statement === null) unreadable += 1;
      else statements.push({ statement, text });
    }
  }
  return { statements, commitments, unreadable };
}

interface PartRead {
  /** Texts of statements. */
  statements: string[];
  commitment: Commitment | null;
}

/** @returns null for a part of no known format */
async function readPart(part: string, tools: VerifyTools): Promise<PartRead | null> {
  if (readStatementText(part) !== null) return { statements: [part], commitment: null };
  const value = parsedJson(part);
  const days = daysFileSchema.safeParse(value);
  if (days.success) return { statements: days.data.days.map(({ statement }) => statement), commitment: null };
  const file = recordFileSchema.safeParse(value);
  const line = recordLineSchema.safeParse(value);
  if (file.success || line.success) {
    const record = file.success ? file.data : line.data;
    const commitment = await commitmentOf(record, tools);
    if (commitment === null) return null;
    return { statements: file.data?.proof == null ? [] : [file.data.proof.statement], commitment };
  }
  const day = oneStatementSchema.safeParse(value);
  if (!day.success) return null;
  return { statements: day.data.statement === null ? [] : [day.data.statement], commitment: null };
}

async function commitmentOf(
  file: { record?: string | null; sealed?: SealedRecord | undefined } | undefined,
  { sha256, utf8 }: VerifyTools,
): Promise<Commitment | null> {
  if (file?.sealed !== undefined) return file.sealed;
  const text = file?.record ?? null;
  const body = text === null ? null : readAnyRecord(text);
  return text === null || body === null ? null : sealedRecord(body, toHex(await sha256(utf8(text))));
}
