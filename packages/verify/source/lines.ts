/** Lines of a day's file: a record's text, or the public part of a sealed one. */
import { HEX_256, hashOf } from './bytes.ts';

export interface RecordLine {
  seq: number;
  /** Epoch seconds of the market's time. */
  slot: number;
  /** Epoch milliseconds by the site's clock. */
  issued: number;
  market: string;
  /** Minutes of a chance's window; null for a forecast. */
  window: number | null;
  /** Of its text, hex. */
  hash: string;
  /** Hash of the record before, hex; null for a sealed one. */
  prev: string | null;
  isSealed: boolean;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns undefined for a text that is not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param number of the line, from 1 */
export function readLine(text: string, number: number, fault: (text: string) => void): RecordLine | null {
  const line = jsonOf(text);
  const found = isObject(line) ? (typeof line.record === 'string' ? textOf(line.record) : sealedOf(line.sealed)) : null;
  if (found === null) fault(`Line ${number} is not a record.`);
  return found;
}

/** The text counts to the byte: anything but JSON without blanks is refused. */
function textOf(text: string): RecordLine | null {
  const body = jsonOf(text);
  if (!isObject(body) || JSON.stringify(body) !== text) return null;
  const prev = typeof body.prev === 'string' ? unpacked(body.prev) : null;
  const place = placeOf(body);
  return prev === null || place === null ? null : { ...place, hash: hashOf(text), prev, isSealed: false };
}

function sealedOf(value: unknown): RecordLine | null {
  if (!isObject(value) || typeof value.hash !== 'string' || !HEX_256.test(value.hash)) return null;
  const place = placeOf(value);
  return place === null ? null : { ...place, hash: value.hash, prev: null, isSealed: true };
}

function placeOf({ seq, slot, issued, market, window }: Record<string, unknown>) {
  const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  if (!isWhole(seq) || seq < 1 || !isWhole(slot) || !isWhole(issued) || issued > 8.64e15 || typeof market !== 'string')
    return null;
  return { seq, slot, issued, market, window: isWhole(window) ? window : null };
}

/** Hashes in texts are base64url without padding. */
function unpacked(text: string): string | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 32 && bytes.toString('base64url') === text ? bytes.toString('hex') : null;
}
