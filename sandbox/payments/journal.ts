/**
 * The books on disk: one file of JSON lines, each a piece of work as a whole. A line that was cut by a sudden end is as
 * if it had never been; at each start the file is written anew with what is left.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Change, isTableName, type KeptBooks } from './model/books.ts';

export interface Journal {
  append(changes: readonly Change[]): void;
}

/** @param books  empty; filled with what the file holds. @throws Error for a file that is damaged before its last line */
export function openJournal(path: string, books: KeptBooks, nowS: number): Journal {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) replay(readFileSync(path, 'utf8'), books);
  books.forgetOld(nowS);
  const fresh = `${path}.new`;
  writeFileSync(fresh, lineOf(books.snapshot()), { mode: 0o600 });
  renameSync(fresh, path);
  return {
    append(changes) {
      if (changes.length > 0) appendFileSync(path, lineOf(changes));
    },
  };
}

function lineOf(changes: readonly Change[]): string {
  return `${JSON.stringify(changes)}\n`;
}

function replay(text: string, books: KeptBooks): void {
  const lines = text.split('\n');
  // What follows the last line break was cut.
  lines.pop();
  lines.forEach((line, index) => {
    const changes: unknown = JSON.parse(line);
    if (!Array.isArray(changes) || !changes.every(isChange))
      throw new Error(`Line ${index + 1} of the journal is damaged.`);
    books.keep(changes);
  });
}

/** The rows are this program's own: that they are rows at all is enough. */
function isChange(value: unknown): value is Change {
  if (typeof value !== 'object' || value === null || !('table' in value) || !('row' in value)) return false;
  const { table, row } = value;
  return isTableName(table) && typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string';
}
