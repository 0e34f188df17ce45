/**
 * The state on disk: one file of JSON lines, each a whole piece of work. A line cut off by a crash is ignored. The file
 * is compacted at each start, and when it has grown far beyond its content.
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
import { parsedJson } from '#domain/format/parsed-json.ts';
import { isTableName, type StateChange, type StateStore } from './model/state-store.ts';

export interface Journal {
  /** Call it before the state takes the changes. @throws Error when the write fails; the file lacks them then too */
  append(changes: readonly StateChange[]): void;
}

export interface JournalOptions {
  /** Epoch seconds: rows that have expired by then are dropped. */
  nowS: number;
  /** A smaller file is not compacted while it is in use. */
  calmBytes?: number;
}

const CALM_BYTES = 1024 * 1024;
/** Growth factor, from the compacted size, at which it is compacted again. */
const GROWTH = 4;

/** @param store  empty; filled from the file. @throws Error for a file that is damaged before its last line */
export function openJournal(
  path: string,
  store: StateStore,
  { nowS, calmBytes = CALM_BYTES }: JournalOptions,
): Journal {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) replay(path, store);
  store.forgetOld(nowS);
  let size = rewriteFile(path, store.snapshot());
  let limit = Math.max(calmBytes, GROWTH * size);
  return {
    append(changes) {
      if (changes.length === 0) return;
      if (size > limit) {
        size = rewriteFile(path, store.snapshot());
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

function rewriteFile(path: string, changes: readonly StateChange[]): number {
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

function lineOf(changes: readonly StateChange[]): Buffer {
  return Buffer.from(`${JSON.stringify(changes)}\n`);
}

function replay(path: string, store: StateStore): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  // Anything after the last line break was cut off.
  lines.pop();
  lines.forEach((line, index) => {
    const changes = changesOf(line);
    if (changes === null)
      throw new Error(
        `The test payments’ journal is damaged at line ${index + 1} of ${path}. Restore a copy, or move the file away to start with an empty journal.`,
      );
    store.apply(changes);
  });
}

/** Null: the line is invalid. */
function changesOf(line: string): StateChange[] | null {
  const changes = parsedJson(line);
  return Array.isArray(changes) && changes.every(isChange) ? changes : null;
}

function isChange(value: unknown): value is StateChange {
  if (typeof value !== 'object' || value === null || !('table' in value) || !('row' in value)) return false;
  const { table, row } = value;
  return isTableName(table) && typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string';
}
