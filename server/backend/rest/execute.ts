/** Runs a statement under the caller's role and makes the protocol's answer of its one row. */
import * as z from 'zod/mini';
import type { Database, DatabaseCaller } from '../../platform/database.ts';
import { OBJECT_TYPE, rangeNotSatisfiable } from './preferences.ts';
import { RestError } from './rest-error.ts';
import type { Statement } from './statement.ts';

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
 * @param mustBeOneRow a write or call whose answer must be one row is undone when it is not
 * @throws RestError 406 PGRST116; SqlError and AppError of the database
 */
export async function execute(
  database: Database,
  caller: DatabaseCaller,
  statement: Statement,
  options: { mustBeOneRow: boolean; isRead: boolean },
): Promise<Outcome> {
  if (!options.mustBeOneRow || options.isRead) {
    const outcome = toOutcome(await database.query(caller, statement.text, statement.params));
    if (options.mustBeOneRow) requireOneRow(outcome);
    return outcome;
  }
  return database.transaction(caller, async (tx) => {
    const outcome = toOutcome(await tx.query(statement.text, statement.params));
    requireOneRow(outcome);
    return outcome;
  });
}

function toOutcome(rows: readonly unknown[]): Outcome {
  return outcomeRow.parse(rows[0]);
}

function requireOneRow(outcome: Outcome): void {
  if (outcome.rows === 1) return;
  throw new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${outcome.rows} rows`,
  });
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
