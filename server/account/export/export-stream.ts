/** Streams an export while it is read, with at most one page in memory. */
import { asOwner, type Database } from '../../platform/database/database.ts';
import { textStream } from '../../platform/http/streams/text-stream.ts';
import { EXPORT_SECTIONS, exportedRows } from './export-store.ts';

/**
 * The JSON text of an export, from `{` to `}`. Reading stops when the client disconnects.
 *
 * @param user.account  JSON text
 * @param onBreak  called with the error that cut the export short; the client then gets no end either
 */
export function exportStream(
  database: Database,
  user: { id: string; account: string; exportedAtIso: string },
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return textStream(exportPieces(database, user), onBreak);
}

async function* exportPieces(
  database: Database,
  user: { id: string; account: string; exportedAtIso: string },
): AsyncGenerator<string> {
  yield `{"ok":true,"exported_at":${JSON.stringify(user.exportedAtIso)},"account":${user.account}`;
  for (const section of EXPORT_SECTIONS) {
    yield `,${JSON.stringify(section.name)}:[`;
    let isFirst = true;
    for await (const rows of exportedRows(asOwner(database), section, user.id)) {
      yield `${isFirst ? '' : ','}${rows.join(',')}`;
      isFirst = false;
    }
    yield ']';
  }
  yield '}';
}
