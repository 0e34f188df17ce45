/** The rows of a write: their columns and their JSON text, passed on unchanged so that no number loses digits. */
import { isPlainObject, parseJson } from '../../platform/http/calls/request-body.ts';
import { MAX_NAMES, MAX_ROWS } from './query/query-tree.ts';
import { invalidBody } from './rest-error.ts';

export interface WrittenRows {
  /** A JSON array's text. */
  text: string;
  objects: readonly Readonly<Record<string, unknown>>[];
  columns: readonly string[];
  count: number;
}

/** @param columns  the `columns` parameter: only these are written, whatever else the rows contain */
export function readRows(text: string, columns: readonly string[] | null): WrittenRows {
  const parsed = parseJson(text);
  const rows: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (rows.length > MAX_ROWS) throw invalidBody(`At most ${MAX_ROWS} rows can be written in one request`);
  const objects = rows.filter(isPlainObject);
  if (objects.length !== rows.length) throw invalidBody('Every row must be a JSON object');
  const names = columns ?? Object.keys(objects[0] ?? {});
  if (names.length > MAX_NAMES) throw invalidBody(`At most ${MAX_NAMES} columns can be written in one request`);
  if (columns === null && !objects.every((row) => hasExactly(row, names)))
    throw invalidBody('All object keys must match');
  if (names.length === 0 && rows.length > 1) throw invalidBody('Rows without columns must be written one by one');
  const array = Array.isArray(parsed) ? text : `[${text}]`;
  return { text: array, objects, columns: [...new Set(names)], count: rows.length };
}

/** Also from an array of one, as PostgREST. @returns one object's text and its columns; `{}` has none */
export function readRow(text: string, columns: readonly string[] | null): { text: string; columns: readonly string[] } {
  const value = parseJson(text);
  const isList = Array.isArray(value) && value.length === 1;
  const parsed: unknown = isList ? value[0] : value;
  if (!isPlainObject(parsed)) throw invalidBody('An update must be one JSON object');
  const names = [...new Set(columns ?? Object.keys(parsed))];
  if (names.length > MAX_NAMES) throw invalidBody(`At most ${MAX_NAMES} columns can be written in one request`);
  // Without its brackets, an array of one is the text of that one.
  return { text: isList ? text.trim().slice(1, -1) : text, columns: names };
}

function hasExactly(row: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.keys(row).length === names.length && names.every((name) => Object.hasOwn(row, name));
}
