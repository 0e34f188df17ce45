/** Searches the whole database for what is left of an account. */
import { atOneMoment, rowsOf, tablesOf } from '../../../server/backup/table-store.ts';
import type { Database } from '../../../server/platform/database/database.ts';
import type { FilledUser } from '../worlds/filled-user.ts';

interface TextRow {
  table: string;
  line: string;
}

/** Every row of every table as text: the whole catalogue, including later additions. */
export const everything = (database: Database): Promise<TextRow[]> =>
  atOneMoment(database, async (tx) => {
    const rows: TextRow[] = [];
    for (const table of await tablesOf(tx))
      for await (const lines of rowsOf(tx, table)) rows.push(...lines.map((line) => ({ table: table.name, line })));
    return rows;
  });

export const mentions = (rows: readonly TextRow[], user: Pick<FilledUser, 'traces'>): TextRow[] =>
  rows.filter(({ line }) => user.traces.some((trace) => line.toLowerCase().includes(trace.toLowerCase())));
