/**
 * `npm run backup -- to-postgres --to postgres://...`: copies the embedded database in DATA_DIR into an empty PostgreSQL
 * and compares every table. It doesn't change the embedded database. Stop the server first.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { moveDatabase } from '../../server/backup/move-database.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';
import { printTables } from './print-tables.ts';

const databaseUrl = readOrExit(() => {
  const { values } = parseArgs({ options: { to: { type: 'string' } } });
  if (!values.to || !/^postgres(ql)?:\/\//.test(values.to)) throw new BadInput('Name the target as a postgres:// URL.');
  return values.to;
}, 'npm run backup -- to-postgres --to postgres://USER:PASSWORD@HOST/DATABASE');
const startedMs = performance.now();
try {
  const { dataDir, isDurable } = readConfig(process.env);
  if (!existsSync(join(dataDir, 'database', 'PG_VERSION'))) throw new Error(`There is no database in ${dataDir}.`);
  const log = createLogger('fatal');
  const parts = { dataDir, isDurable: isDurable ?? true, clockOffsetMs: () => 0, log, poolSize: 1 };
  const from = await openDatabase({ ...parts, databaseUrl: null });
  try {
    const to = await openDatabase({ ...parts, databaseUrl });
    try {
      printTables(await moveDatabase(from, to, log));
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `Copied in ${seconds} s. Set DATABASE_URL to the new database and start the server. Keep DATA_DIR: its keys and files are still used.`,
  );
  console.log(`${join(dataDir, 'database')} was not changed. Archive it once the site is running.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
