/** Runs a statement under the caller's role and makes the protocol's answer of its one row. */
import * as z from 'zod/mini';
import { type Database, type DatabaseCaller, SqlError } from '../../platform/database.ts';
import { OBJECT_TYPE, rangeNotSatisfiable } from './preferences.ts';
import { isTimeLimit, RestError } from './rest-error.ts';
import { NOT_ONE_ROW, type Statement } from './statement.ts';

export interface Outcome {
  /** JSON text; null when no body was asked for. */
  body: string | null;
  rows: number;
  total: number | null;
}

const outcomeRow = z.object({
  body: z.nullable(z.string()),
  rows: z.number(),
  total: z.nullable(z.coerce.number()),
});

/**
 * One statement, one round trip; when it refuses, what it wrote is undone.
 * @throws RestError 406 PGRST116 when the answer must be one row and is not; SqlError and AppError of the database
 */
export async function execute(database: Database, caller: DatabaseCaller, statement: Statement): Promise<Outcome> {
  try {
    const rows = await queryAgainWhenSlow(database, caller, statement);
    return outcomeRow.parse(rows[0]);
  } catch (error) {
    const count = error instanceof SqlError ? countOfRefusal(error) : null;
    if (count === null) throw error;
    throw new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${count} rows`,
    });
  }
}

/**
 * The first statements of fresh connections, ten at once on a busy machine, may pass the limit that none of them deserves
 * (measured). What was ended left nothing behind, so one more try is safe, for writes too.
 */
async function queryAgainWhenSlow(database: Database, caller: DatabaseCaller, { text, params }: Statement) {
  try {
    return await database.query(caller, text, params);
  } catch (error) {
    if (!isTimeLimit(error)) throw error;
    return database.query(caller, text, params);
  }
}

/** The refusal that `rowsText` plants when one row was asked for. */
function countOfRefusal(error: SqlError): string | null {
  if (error.code !== '22P02') return null;
  return new RegExp(`"${NOT_ONE_ROW}(\\d+)"`).exec(error.message)?.[1] ?? null;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonHeaders(accept: 'array' | 'object'): Record<string, string> {
  return { 'content-type': accept === 'object' ? `${OBJECT_TYPE}; charset=utf-8` : JSON_TYPE };
}

/** `0-9/57`, `0-9/*`, or `*` before the slash without rows. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const span = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`;
  return `${span}/${total ?? '*'}`;
}

/** 200, or 206 when the page is a part of a known whole. @throws RestError 416 when the page lies past the end */
export function readStatus(offset: number, rows: number, total: number | null): 200 | 206 {
  if (total === null) return 200;
  if (offset > total)
    throw rangeNotSatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`);
  return rows < total ? 206 : 200;
}
