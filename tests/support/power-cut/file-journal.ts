/** What a recorded process did to its files, in order: record-files.ts writes it, disk-model.ts reads it. */
import * as z from 'zod/mini';

const recordSchema = z.discriminatedUnion('op', [
  /** A file or folder that existed; later records name it by its inode. */
  z.object({ op: z.literal('open'), path: z.string(), inode: z.int() }),
  z.object({ op: z.literal('create'), path: z.string(), inode: z.int() }),
  z.object({ op: z.literal('folder'), path: z.string(), inode: z.int() }),
  z.object({ op: z.literal('write'), inode: z.int(), at: z.int() }),
  z.object({ op: z.literal('resize'), inode: z.int(), size: z.int() }),
  z.object({ op: z.literal('rename'), path: z.string(), to: z.string() }),
  z.object({ op: z.literal('remove'), path: z.string() }),
  /** A sync covers what was recorded before its begin, and only from its end on. */
  z.object({ op: z.literal('sync-begin'), inode: z.int(), id: z.string() }),
  z.object({ op: z.literal('sync-end'), inode: z.int(), id: z.string() }),
  /** The process reported a write as done. */
  z.object({ op: z.literal('acknowledge') }),
]);
export type FileRecord = z.infer<typeof recordSchema>;

export interface JournalEntry {
  record: FileRecord;
  data: Uint8Array;
}

const SIZES = 8;

export function encodeEntry(record: FileRecord, data: Uint8Array = new Uint8Array()): Uint8Array {
  const header = Buffer.from(JSON.stringify(record));
  const sizes = Buffer.alloc(SIZES);
  sizes.writeUInt32LE(header.length, 0);
  sizes.writeUInt32LE(data.length, 4);
  return Buffer.concat([sizes, header, data]);
}

/** An entry that a kill cut off at the end is left out: what it records may or may not have happened. */
export function decodeJournal(bytes: Buffer): JournalEntry[] {
  const entries: JournalEntry[] = [];
  let at = 0;
  while (at + SIZES <= bytes.length) {
    const headerEnd = at + SIZES + bytes.readUInt32LE(at);
    const end = headerEnd + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) break;
    const record = recordSchema.parse(JSON.parse(bytes.toString('utf8', at + SIZES, headerEnd)));
    entries.push({ record, data: bytes.subarray(headerEnd, end) });
    at = end;
  }
  return entries;
}
