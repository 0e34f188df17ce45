import * as z from 'zod/mini';
import { type Database, type DatabaseCaller, SqlError } from '../../platform/database/database.ts';
import { NOT_ONE_ROW, TOO_LARGE, TOO_MANY_AFFECTED } from './answer-text.ts';
import { OBJECT_TYPE, rangeNotSatisfiable } from './preferences.ts';
import type { Statement } from './query/conditions.ts';
import { MAX_ANSWER_BYTES } from './query/query-tree.ts';
import { isTimeLimit, RestError } from './rest-error.ts';

export interface Outcome {
  /** JSON text; null when no body was requested. */
  body: string | null;
  rows: number;
  total: number | null;
  /** How many rows of an upsert existed already. */
  merged?: number | undefined;
}

const outcomeRow = z.object({
  body: z.nullable(z.string()),
  rows: z.number(),
  total: z.nullable(z.coerce.number()),
  merged: z.optional(z.number()),
});

/**
 * One statement, one round trip; if it fails, its writes are undone. @throws RestError 406 PGRST116 (not one row), 400
 * PGRST124 (a write changes too many rows); SqlError and AppError of the database
 */
export async function execute(database: Database, caller: DatabaseCaller, statement: Statement): Promise<Outcome> {
  try {
    const rows = await queryAgainWhenSlow(database, caller, statement);
    return outcomeRow.parse(rows[0]);
  } catch (error) {
    throw (error instanceof SqlError ? plantedRefusal(error) : null) ?? error;
  }
}

/**
 * On a busy machine a cheap statement may exceed the limit (measured). It left nothing behind, so one retry is safe.
 */
async function queryAgainWhenSlow(database: Database, caller: DatabaseCaller, { text, params, limitMs }: Statement) {
  const options = limitMs === undefined ? {} : { callerLimitMs: limitMs };
  try {
    return await database.query(caller, text, params, options);
  } catch (error) {
    if (!isTimeLimit(error)) throw error;
    return database.query(caller, text, params, options);
  }
}

const PLANTED = new RegExp(`"(${NOT_ONE_ROW}|${TOO_MANY_AFFECTED}|${TOO_LARGE})(\\d+)"`);

/** A refusal by the statement itself, through a failing cast: see answer-text.ts. */
function plantedRefusal(error: SqlError): RestError | null {
  if (error.code !== '22P02') return null;
  const [, kind, figure] = PLANTED.exec(error.message) ?? [];
  if (kind === NOT_ONE_ROW)
    return new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${figure} rows`,
    });
  if (kind === TOO_MANY_AFFECTED)
    return new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${figure} rows`,
    });
  if (kind === TOO_LARGE)
    return new RestError(400, 'PGRST100', `The answer is larger than ${MAX_ANSWER_BYTES} bytes`, {
      details: `It has ${figure} bytes`,
      hint: 'Ask for fewer rows or fewer columns',
    });
  return null;
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

/** 200, or 206 when the page is part of a known total. @throws RestError 416 when the page is past the end */
export function readStatus(offset: number, rows: number, total: number | null): 200 | 206 {
  if (total === null) return 200;
  if (offset > total)
    throw rangeNotSatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, total);
  return rows < total ? 206 : 200;
}
