/**
 * `npm run restore -- FILE`: restores a backup into DATA_DIR, which must be empty, and into its embedded database, or
 * into the empty database of DATABASE_URL. Checks the file before and compares every table afterwards: all of it, or
 * nothing.
 */
import { parseArgs } from 'node:util';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';
import { printTables } from './print-tables.ts';

const file = readOrExit(() => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [one, ...others] = positionals;
  if (one === undefined || others.length > 0) throw new BadInput('Name the backup file.');
  return one;
}, 'npm run restore -- FILE');
const startedMs = performance.now();
try {
  const { databaseUrl, dataDir, isDurable, hosted } = readConfig(process.env);
  if (hosted !== null) throw new Error('A hosted project restores its own backups.');
  const log = createLogger('fatal');
  const { manifest, tables } = await restoreBackup({
    file,
    dataDir,
    log,
    openDatabase: () =>
      openDatabase({ databaseUrl, dataDir, isDurable: isDurable ?? true, clockOffsetMs: () => 0, log, poolSize: 1 }),
  });
  printTables(tables);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `The backup of ${manifest.madeAt} (version ${manifest.product}) was restored to ${dataDir} in ${seconds} s, with ${manifest.files.length} files.`,
  );
  if (manifest.storedFiles === 'bucket')
    console.log('Its profile photos are in a bucket. Set S3_URL to the same value as before.');
  console.log('If this version is newer, the next start updates its schema.');
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
