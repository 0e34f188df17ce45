/** Copies the rows of every table into an empty database and compares them: all of it, or nothing. */
import { type Database, OWNER, type Transaction } from '../platform/database/database.ts';
import { migrateLike } from '../platform/database/migrate.ts';
import type { AppliedMigration } from '../platform/database/migration-files.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { insertRows, isEmptyDatabase, loading } from './load-store.ts';
import { type BackupManifest, BackupRefused } from './manifest.ts';
import { type CopiedSequence, type CopiedTable, sumOf } from './table-store.ts';

export type TableSum = Pick<BackupManifest['tables'][number], 'name' | 'columns' | 'rows' | 'hash'>;

export interface RowSource {
  migrations: readonly AppliedMigration[];
  tables: readonly CopiedTable[];
  sequences: readonly CopiedSequence[];
  /** Pages of rows, from `rowsOf`. */
  rowsOf(table: CopiedTable): AsyncIterable<string[]>;
  /** The table's sum at the source; called after its rows were read. */
  sumOf(table: CopiedTable): Pick<TableSum, 'rows' | 'hash'>;
}

/**
 * One transaction. @returns each table's rows and hash, equal to those at the source
 * @throws BackupRefused when the target is not empty or a table differs; MigrationRefused for a newer schema
 */
export function fillEmptyDatabase(target: Database, source: RowSource, log: Logger): Promise<TableSum[]> {
  return target.transaction(
    OWNER,
    async (tx) => {
      if (!(await isEmptyDatabase(tx)))
        throw new BackupRefused('The target database is not empty. Nothing was overwritten.');
      // Migrations run inside this transaction.
      await migrateLike({ transaction: (_caller, work) => work(tx) }, source.migrations, { log });
      await loading(tx, source.sequences, async () => {
        for (const table of source.tables)
          for await (const lines of source.rowsOf(table)) await insertRows(tx, table, lines);
      });
      return compared(tx, source);
    },
    { statementLimitMs: 0 },
  );
}

async function compared(tx: Transaction, source: RowSource): Promise<TableSum[]> {
  const sums: TableSum[] = [];
  for (const table of source.tables) {
    const { rows, hash } = await sumOf(tx, table);
    const there = source.sumOf(table);
    if (rows !== there.rows || hash !== there.hash)
      throw new BackupRefused(
        `${table.name} differs from its source: ${there.rows} rows there and ${rows} here, with different content. Nothing was stored.`,
      );
    sums.push({ ...table, rows, hash });
  }
  return sums;
}
