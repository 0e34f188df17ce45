/**
 * A report of an error as it is stored: redacted, at most 4 KiB a text and 16 KiB in all. Whatever is longer is cut, since
 * half a report still helps. The database refuses what is larger (supabase/migrations/20261129030000_bounded_reports.sql).
 */
import { ELLIPSIS_BYTES, redact, utf8Bytes } from './redact.ts';

/** Of UTF-8; the table takes no longer message. */
const MAX_MESSAGE_BYTES = 2000;
/** A stack, or one text within the context. */
const MAX_TEXT_BYTES = 4096;
/** Of the context as the database stores it. */
const MAX_CONTEXT_BYTES = 8192;

const MAX_KEY_BYTES = 200;
/** What the database adds to a value or a key at most: its length, its type, its alignment, the digits of a number. */
const BYTES_OF_ONE = 32;
/** For the note that something was left out, and for the last value that still went in. */
const RESERVE_BYTES = 256;
const SECRET_KEY = /password|passwd|token|api_?key|secret|authorization/i;
const REMOVED = '[redacted]';

/**
 * @param row      for `error_logs`, whatever its values are
 * @param columns  those that are written: other values are dropped
 */
export function cleanReport(
  row: Readonly<Record<string, unknown>>,
  columns: readonly string[],
): Record<string, unknown> {
  const value = (name: string) => (Object.hasOwn(row, name) ? row[name] : null);
  return Object.fromEntries(columns.map((name) => [name, cleanColumn(name, value(name))]));
}

function cleanColumn(name: string, value: unknown): unknown {
  if (name === 'context') return cleanContext(value);
  const maxBytes = name === 'error_message' ? MAX_MESSAGE_BYTES : MAX_TEXT_BYTES;
  if (typeof value === 'string') return redact(value, maxBytes);
  const isNested = typeof value === 'object' && value !== null;
  return isNested ? redact(JSON.stringify(value), maxBytes) : value;
}

/** What is left for a context, in bytes; below zero by the last value at most. */
interface Room {
  left: number;
  isCut: boolean;
}

function cleanContext(context: unknown): unknown {
  const room: Room = { left: MAX_CONTEXT_BYTES - RESERVE_BYTES, isCut: false };
  const clean = cleanValue(context, room);
  if (!room.isCut) return clean;
  const isObject = typeof clean === 'object' && clean !== null && !Array.isArray(clean);
  return isObject ? { ...clean, cut: true } : { context: clean, cut: true };
}

function cleanValue(value: unknown, room: Room): unknown {
  room.left -= BYTES_OF_ONE;
  if (typeof value === 'string') return cleanText(value, MAX_TEXT_BYTES, room);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return Object.fromEntries(cleanEntries(value, room));
  const kept: unknown[] = [];
  for (const one of value) {
    if (!hasRoom(room)) break;
    kept.push(cleanValue(one, room));
  }
  return kept;
}

function cleanEntries(value: object, room: Room): [string, unknown][] {
  const kept: [string, unknown][] = [];
  for (const [key, held] of Object.entries(value)) {
    if (!hasRoom(room)) break;
    room.left -= BYTES_OF_ONE;
    const isSecret = SECRET_KEY.test(key) && held !== null && typeof held !== 'boolean';
    kept.push([cleanText(key, MAX_KEY_BYTES, room), cleanValue(isSecret ? REMOVED : held, room)]);
  }
  return kept;
}

function hasRoom(room: Room): boolean {
  if (room.left > 0) return true;
  room.isCut = true;
  return false;
}

function cleanText(text: string, maxBytes: number, room: Room): string {
  const clean = redact(text, Math.max(ELLIPSIS_BYTES, Math.min(maxBytes, room.left)));
  room.left -= utf8Bytes(clean);
  return clean;
}
