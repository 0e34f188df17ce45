/** The two kinds of texts in the chain: forecasts, and chances of clock windows. */
import { type ChanceBody, readChanceText } from './chance-text.ts';
import { type RecordBody, readRecordText } from './ledger.ts';

export type AnyRecordBody = RecordBody | ChanceBody;

/** @returns null for a text that is neither */
export function readAnyRecord(text: string): AnyRecordBody | null {
  return readRecordText(text) ?? readChanceText(text);
}

/** Whether a text is a chance's. */
export function isChance(body: AnyRecordBody): body is ChanceBody {
  return 'window' in body;
}
