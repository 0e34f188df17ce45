import { parsedJson } from '#domain/format/parsed-json.ts';
import { readRecordText } from '#domain/record/ledger/ledger.ts';
import { recordFileSchema } from '#domain/record/ledger/record-files.ts';
import { revealTimeS } from '#domain/record/ledger/reveal.ts';

/** The forecast page of a checked record. */
export interface RecordPage {
  seq: number;
  /** Epoch seconds; null once the record is open. */
  opensS: number | null;
}

/** @param text  of a record's file  @returns null for other files, and for a chance, which has no page */
export function pageOfRecordFile(text: string): RecordPage | null {
  const file = recordFileSchema.safeParse(parsedJson(text)).data;
  if (file === undefined) return null;
  if (file.sealed !== undefined) {
    const { sealed } = file;
    return sealed.window === undefined ? { seq: sealed.seq, opensS: revealTimeS(sealed) } : null;
  }
  const body = file.record === null ? null : readRecordText(file.record);
  return body === null ? null : { seq: body.seq, opensS: null };
}
