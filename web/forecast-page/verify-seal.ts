import { recordFileSchema } from '#domain/record/ledger/record-files.ts';
import { verifyRecordFiles } from '#domain/record/verify/verify-record.ts';
import { browserTools } from '../site/verify-tools.ts';

/** Checks the record's published file and compares it with the hash that this page shows. @returns the result as text */
export async function verifySeal(seq: number, shownHash: string): Promise<string> {
  const tools = await browserTools();
  if (tools === null) return 'Browsers only compute hashes over HTTPS, so nothing was checked.';
  const response = await fetch(`/record/records/${seq}.json`);
  if (!response.ok) throw new Error(`record ${seq}: ${response.status}`);
  const text = await response.text();
  const file = recordFileSchema.parse(JSON.parse(text));
  if (file.hash !== shownHash)
    return 'The record has another hash than this page. Store both: one of them was changed.';
  const { isSound, findings } = await verifyRecordFiles([{ name: `${seq}.json`, text }], {
    tools,
    nowS: Date.now() / 1000,
  });
  if (!isSound)
    return `The check failed: ${findings.map(({ kind }) => kind).join(', ')}. The full check has the details.`;
  if (file.record === null) return 'The record is sealed under this hash. Store this page to compare it when it opens.';
  const day = file.proof === null ? 'Its day is not signed yet.' : 'It is part of its day’s signed statement.';
  return `Verified here, in your browser: the record’s text gives this hash. ${day}`;
}
