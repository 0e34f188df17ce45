/**
 * `npm run backup [-- FILE]`: everything in one file, tables and DATA_DIR, its keys included: protect it as you protect
 * those. It works whether the server runs or not. A server that holds the embedded database makes the backup itself,
 * through its operator socket, and answers no other requests meanwhile.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BACKUP_LIMIT_MS,
  BACKUP_PATH,
  type BackupOutcome,
  backupOutcomeSchema,
  backupTo,
} from '../../server/backup/backup-command.ts';
import { stampOf } from '../../server/backup/backup-schedule.ts';
import { productVersion } from '../../server/backup/product-version.ts';
import { type Config, readConfig } from '../../server/platform/config/config.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';
import { onHeldDatabase } from './held-database.ts';

const path = readOrExit(readFile, 'npm run backup [-- FILE]');
const startedMs = performance.now();
try {
  const config = readConfig(process.env);
  const file = resolve(path ?? join(config.backups?.dir ?? '.', `kat-${stampOf(Date.now())}.tar.gz`));
  const outcome = await make(config, file);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  const { bytes, tables, rows, files, storedFiles } = outcome;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `${outcome.file}: ${rows} rows of ${tables} tables and ${files} files, ${(bytes / 1e6).toFixed(1)} MB, in ${seconds} s.`,
  );
  console.log(
    'It contains this site’s secrets, and only you can read it. Store it on another machine, and keep it private.',
  );
  if (storedFiles === 'bucket') console.log('Profile photos are in the bucket of S3_URL and NOT in this file.');
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function readFile(): string | undefined {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length > 1) throw new BadInput('Name only one file.');
  return positionals[0];
}

async function make(config: Config, file: string): Promise<BackupOutcome> {
  const { dataDir, s3, hosted } = config;
  if (hosted !== null) throw new Error('A hosted project makes its own backups. Copy DATA_DIR in addition to them.');
  const parts = { dataDir, hasBucket: s3 !== null, version: productVersion() };
  return onHeldDatabase(config, {
    path: BACKUP_PATH,
    body: { file },
    limitMs: BACKUP_LIMIT_MS,
    parse: (answer) => backupOutcomeSchema.parse(answer),
    run: (database) => backupTo(file, { ...parts, database }),
  });
}
