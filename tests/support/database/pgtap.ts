/** Runs pgTAP files through the product's own driver and reads their output. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';

const SUPABASE = fileURLToPath(new URL('../../../supabase/', import.meta.url));

/** How PGlite finds pgTAP; PostgreSQL has it installed. */
export const PGTAP_EXTENSION = {
  pgtap: { moduleUrl: import.meta.resolve('@electric-sql/pglite-pgtap'), exportName: 'pgtap' },
};

export interface TapReport {
  /** Number of checks that the file announced. */
  planned: number;
  passed: number;
  /** Every line of a failed check, with pgTAP's own diagnosis below it. */
  failures: string[];
}

class Undo extends Error {}

/** @returns false if the server has no pgTAP */
export async function loadPgtap(database: Database): Promise<boolean> {
  const known = await database.query(OWNER, "select from pg_available_extensions where name = 'pgtap'");
  if (known.length === 0) return false;
  const text = readFileSync(`${SUPABASE}tests/support/tests_schema.sql`, 'utf8');
  await database.transaction(OWNER, (tx) => tx.query(text), { statementLimitMs: 0 });
  return true;
}

/** @param text  a whole file: begin; select plan(n); ... select * from finish(); rollback; */
export async function runPgtap(database: Database, text: string): Promise<TapReport> {
  const body = text.replace(/^\s*begin\s*;/im, '').replace(/^\s*rollback\s*;\s*$/im, '');
  let lines: string[] = [];
  try {
    await database.transaction(OWNER, async (tx) => {
      await tx.query('set local search_path = public, tap');
      const rows = await tx.query(body);
      lines = rows.flatMap((row) => Object.values(row)).filter((cell) => typeof cell === 'string');
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return readTap(lines.flatMap((line) => line.split('\n')));
}

function readTap(lines: readonly string[]): TapReport {
  const planned = Number(lines.map((line) => /^1\.\.(\d+)$/.exec(line)?.[1]).find((n) => n !== undefined) ?? 0);
  const failures: string[] = [];
  let isFailing = false;
  for (const line of lines) {
    const isComment = line.startsWith('#');
    if (!isComment) isFailing = line.startsWith('not ok');
    if (isFailing || (isComment && /Looks like/.test(line))) failures.push(line);
  }
  return { planned, passed: lines.filter((line) => line.startsWith('ok ')).length, failures };
}
