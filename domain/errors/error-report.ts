/**
 * An error report as it is stored: redacted, at most 4 KiB per text and 16 KiB in all. Longer reports are cut, since
 * half a report still helps. The database refuses larger ones (supabase/migrations/20261130100000_operations.sql).
 */
import { utf8Bytes } from '../format/utf8-bytes.ts';
import { ELLIPSIS_BYTES, redact } from './redact.ts';

/** Bytes of UTF-8; the table accepts no longer message. */
const MAX_MESSAGE_BYTES = 2000;
/** Limit for a stack, or for one text within the context. */
const MAX_TEXT_BYTES = 4096;
/** Limit for the context as the database stores it. */
const MAX_CONTEXT_BYTES = 8192;

const MAX_KEY_BYTES = 200;
/** The most that the database adds to a value or key: its length, type, alignment, and a number's digits. */
const BYTES_OF_ONE = 32;
/** Reserved for the note that something was cut, and for the last value that still fitted. */
const RESERVE_BYTES = 256;
const SECRET_KEY = /password|passwd|token|api_?key|secret|authorization/i;
const REMOVED = '[redacted]';

/** @param columns  the columns of `error_logs` to write; other values are dropped */
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
  const items: unknown[] = [];
  for (const one of value) {
    if (!hasRoom(room)) break;
    items.push(cleanValue(one, room));
  }
  return items;
}

function cleanEntries(value: object, room: Room): [string, unknown][] {
  const entries: [string, unknown][] = [];
  for (const [key, held] of Object.entries(value)) {
    if (!hasRoom(room)) break;
    room.left -= BYTES_OF_ONE;
    const isSecret = SECRET_KEY.test(key) && held !== null && typeof held !== 'boolean';
    entries.push([cleanText(key, MAX_KEY_BYTES, room), cleanValue(isSecret ? REMOVED : held, room)]);
  }
  return entries;
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
