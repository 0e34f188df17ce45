/** Every parameter is sent as text and takes its place's type, so JSON text for a jsonb is never encoded twice. */
import type postgres from 'postgres';
import { SqlError } from '../database.ts';

export type SqlValue = string | null;

/**
 * @param params null, text, numbers, bigints, booleans, Dates, bytes, and arrays of these; undefined counts as null
 * @throws TypeError for an object or a non-finite number; SqlError 22021 for a NUL byte, which PostgreSQL cannot store
 */
export function toSqlValues(params: readonly unknown[]): SqlValue[] {
  return params.map(toSqlValue);
}

function toSqlValue(value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return withoutNul(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`Not a number for SQL: ${value}`);
    return String(value);
  }
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map(toArrayElement).join(',')}}`;
  throw new TypeError("An object isn't an SQL parameter: send it as JSON text");
}

function toArrayElement(value: unknown): string {
  if (Array.isArray(value)) return toSqlValue(value) ?? '{}';
  const text = toSqlValue(value);
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

export function withoutNul(text: string): string {
  if (text.includes('\0')) {
    throw new SqlError('22021', 'invalid byte sequence for encoding "UTF8": 0x00', null, null, undefined);
  }
  return text;
}

/** `2026-11-20 10:00:00.5+00` to `2026-11-20T10:00:00.5+00:00`: ISO 8601 for every browser, with its microseconds. */
export function toIsoTime(text: string): string {
  const match = /^(\d{4,}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?:([+-]\d{2})(:\d{2})?)?$/.exec(text);
  if (!match) return text; // infinity, -infinity and years before Christ stay as PostgreSQL writes them
  const [, date, time, hours, minutes] = match;
  return `${date}T${time}${hours === undefined ? '' : `${hours}${minutes ?? ':00'}`}`;
}

/** Safe whole numbers become numbers; larger ones stay text, to preserve every digit. */
export function toSafeNumber(text: string): number | string {
  const n = Number(text);
  return Number.isSafeInteger(n) ? n : text;
}

const asText = (value: unknown): unknown => value;

/** OIDs of pg_type, with parsers for returned values; sent values are already text. */
const SQL_TYPES: Record<string, postgres.PostgresType> = {
  bigint: { to: 20, from: [20], serialize: asText, parse: toSafeNumber },
  bool: { to: 16, from: [16], serialize: asText, parse: (raw: string) => raw === 't' },
  bytea: { to: 17, from: [17], serialize: asText, parse: (raw: string) => Buffer.from(raw.slice(2), 'hex') },
  json: { to: 114, from: [114, 3802], serialize: asText, parse: (raw: string): unknown => JSON.parse(raw) },
  date: { to: 1082, from: [1082], serialize: asText, parse: (raw: string) => raw },
  timestamp: { to: 1184, from: [1114, 1184], serialize: asText, parse: toIsoTime },
};

export function sqlTypes(): Record<string, postgres.PostgresType> {
  return SQL_TYPES;
}
