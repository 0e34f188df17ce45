/**
 * The books on disk: one file of JSON lines, each a piece of work as a whole. A line that was cut by a sudden end is as
 * if it had never been. At each start, and when it has grown far beyond what it tells, the file is written anew.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Change, isTableName, type KeptBooks } from './model/books.ts';

export interface Journal {
  /**
   * To be called before the books keep the changes.
   *
   * @throws Error when the disk does not take them: then they are not in the file either
   */
  append(changes: readonly Change[]): void;
}

export interface JournalOptions {
  /** Epoch seconds: what is old by then is forgotten. */
  nowS: number;
  /** A smaller file is never written anew while it is in use. */
  calmBytes?: number;
}

const CALM_BYTES = 1024 * 1024;
/** How many times its newly written size a file may grow to. */
const GROWTH = 4;

/** @param books  empty; filled with what the file holds. @throws Error for a file that is damaged before its last line */
export function openJournal(path: string, books: KeptBooks, { nowS, calmBytes = CALM_BYTES }: JournalOptions): Journal {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) replay(path, books);
  books.forgetOld(nowS);
  let size = writeAnew(path, books.snapshot());
  let limit = Math.max(calmBytes, GROWTH * size);
  return {
    append(changes) {
      if (changes.length === 0) return;
      if (size > limit) {
        size = writeAnew(path, books.snapshot());
        limit = Math.max(calmBytes, GROWTH * size);
      }
      const line = lineOf(changes);
      try {
        appendFileSync(path, line);
      } catch (error) {
        // Half a line in the middle would be damage.
        truncateSync(path, size);
        throw error;
      }
      size += line.length;
    },
  };
}

/** Beside the file and then in its place, so that a sudden end leaves one of the two whole. @returns bytes */
function writeAnew(path: string, changes: readonly Change[]): number {
  const line = lineOf(changes);
  const fresh = `${path}.new`;
  const file = openSync(fresh, 'w', 0o600);
  try {
    writeFileSync(file, line);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return line.length;
}

function lineOf(changes: readonly Change[]): Buffer {
  return Buffer.from(`${JSON.stringify(changes)}\n`);
}

function replay(path: string, books: KeptBooks): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  // What follows the last line break was cut.
  lines.pop();
  lines.forEach((line, index) => {
    const changes = changesOf(line);
    if (changes === null)
      throw new Error(
        `The books of the test payments are damaged at line ${index + 1} of ${path}. Put a copy back, or move the file away to begin with empty books.`,
      );
    books.keep(changes);
  });
}

/** Null: this is none of our lines. */
function changesOf(line: string): Change[] | null {
  try {
    const changes: unknown = JSON.parse(line);
    return Array.isArray(changes) && changes.every(isChange) ? changes : null;
  } catch {
    // Not even JSON: the caller says where.
    return null;
  }
}

/** The rows are this program's own: that they are rows at all is enough. */
function isChange(value: unknown): value is Change {
  if (typeof value !== 'object' || value === null || !('table' in value) || !('row' in value)) return false;
  const { table, row } = value;
  return isTableName(table) && typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string';
}
