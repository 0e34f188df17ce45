/** Copies one database into another, empty one without a file in between; the first is only read. */
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { fillEmptyDatabase, type TableSum } from './database-copy.ts';
import { BackupRefused } from './manifest.ts';
import { type RowSum, rowSum } from './row-sum.ts';
import { appliedMigrationsOf, atOneMoment, type CopiedTable, rowsOf, sequencesOf, tablesOf } from './table-store.ts';

/** @throws BackupRefused, MigrationRefused; the target then remains empty */
export function moveDatabase(from: Database, to: Database, log: Logger): Promise<TableSum[]> {
  return atOneMoment(from, async (tx) => {
    const migrations = await appliedMigrationsOf(tx);
    if (migrations.length === 0) throw new BackupRefused('The database to move contains no Kat data yet.');
    const sums = new Map<string, RowSum>();
    async function* summed(table: CopiedTable): AsyncGenerator<string[]> {
      const sum = rowSum();
      sums.set(table.name, sum);
      for await (const lines of rowsOf(tx, table)) {
        for (const line of lines) sum.add(line);
        yield lines;
      }
    }
    const source = {
      migrations,
      tables: await tablesOf(tx),
      sequences: await sequencesOf(tx),
      rowsOf: summed,
      sumOf: ({ name }: CopiedTable) => sums.get(name) ?? rowSum(),
    };
    return fillEmptyDatabase(to, source, log);
  });
}
