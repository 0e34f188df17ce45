/** Stored files in a local folder. A draft is written, synced, then renamed, so that a name has all bytes or none. */

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { hasErrorCode, nullIfMissing } from '../../../platform/error-code.ts';
import { FILE_NAME, FilesUnavailable, type ListedFile, type ObjectFiles, requireFileName } from './object-files.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const DRAFT = '.draft';

/** @param folder  created at the first write */
export function diskFiles(folder: string): ObjectFiles {
  /** 256 folders, because a single one becomes slow to list. */
  const folderOf = (name: string) => join(folder, requireFileName(name).slice(0, 2));

  return {
    async put(name, bytes) {
      const home = folderOf(name);
      const draft = join(home, `${randomUUID()}${DRAFT}`);
      try {
        await mkdir(home, { recursive: true, mode: PRIVATE_FOLDER });
        await writeSynced(draft, bytes);
        await rename(draft, join(home, name));
        await syncFolder(home);
      } catch (error) {
        // If the draft can't be removed either, the sweep removes it; the first error is the one to report.
        await rm(draft, { force: true }).catch(() => undefined);
        throw new FilesUnavailable(error);
      }
    },
    async open(name) {
      const path = join(folderOf(name), name);
      let file: FileHandle | null = null;
      try {
        file = await open(path, 'r');
        const { size } = await file.stat();
        return { sizeBytes: size, bytes: streamOf(file) };
      } catch (error) {
        await file?.close();
        if (hasErrorCode(error, 'ENOENT')) return null;
        throw new FilesUnavailable(error);
      }
    },
    async remove(name) {
      const path = join(folderOf(name), name);
      try {
        await rm(path, { force: true });
      } catch (error) {
        throw new FilesUnavailable(error);
      }
    },
    list: () => listFolder(folder),
    close() {},
  };
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The rename itself must be on the disk before a row refers to the name. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function streamOf(file: FileHandle): ReadableStream<Uint8Array> {
  // Closes the file at the end, on an error, and when the reader disconnects.
  return Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>;
}

/** Also removes drafts left by a crash. */
async function* listFolder(folder: string): AsyncIterable<ListedFile> {
  for (const part of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(part)) continue;
    for (const entry of await namesIn(join(folder, part))) {
      if (!FILE_NAME.test(entry) && !entry.endsWith(DRAFT)) continue;
      const path = join(folder, part, entry);
      const found = await stat(path).catch(nullIfMissing);
      if (found === null) continue;
      if (FILE_NAME.test(entry)) yield { name: entry, writtenAtMs: found.mtimeMs };
      else if (Date.now() - found.mtimeMs > DRAFT_LIFE_MS) await rm(path, { force: true });
    }
  }
}

/** A draft is renamed within seconds; an older one was left by a crash. */
const DRAFT_LIFE_MS = 60 * 60 * 1000;

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nullIfMissing)) ?? [];
}
