/** Makes a daily backup into a folder and deletes the oldest. One of many processes makes it, in its own folder. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP_JOB } from '#domain/operations/job-rest.ts';
import type { BackupSettings } from '../platform/config/config-backup.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { type Job, startJob } from '../platform/processes/schedule.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import type { BackupParts } from './backup-command.ts';
import { DRAFT_PREFIX, makeBackup } from './make-backup.ts';

const DAY_MS = 86_400_000;
const LIMIT_MS = 1_800_000;
/** Scheduled backups; other files in the folder stay. */
const SCHEDULED = /^kat-daily-\d{8}T\d{6}Z\.tar\.gz$/;

export function startBackups(deps: BackupParts & BackupSettings & { log: Logger }): Job {
  const { database, log } = deps;
  const run = async () => {
    const { bytes, rows } = await makeScheduled(deps, Date.now());
    log.info({ bytes, rows }, 'a backup was made');
    return undefined;
  };
  return startJob({ name: BACKUP_JOB, periodMs: DAY_MS, limitMs: LIMIT_MS, run, store: jobStore(database), log });
}

/** Deletes older backups once the new one is complete. @throws what makeBackup throws */
export async function makeScheduled(
  { dir, retained, ...parts }: BackupParts & BackupSettings,
  nowMs: number,
): Promise<{ bytes: number; rows: number }> {
  await removeLeftovers(dir, nowMs);
  const backup = await makeBackup({ ...parts, file: join(dir, `kat-daily-${stampOf(nowMs)}.tar.gz`), nowMs });
  const all = (await readdir(dir)).filter((name) => SCHEDULED.test(name)).sort();
  for (const name of all.slice(0, Math.max(0, all.length - retained))) await rm(join(dir, name));
  return backup;
}

/** `20261122T031500Z` */
export function stampOf(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
}

/** Removes drafts of a process that was killed. */
async function removeLeftovers(dir: string, nowMs: number): Promise<void> {
  // Without the folder there is nothing to remove.
  const names = await readdir(dir).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(DRAFT_PREFIX))) {
    const { mtimeMs } = await stat(join(dir, name));
    if (nowMs - mtimeMs > DAY_MS) await rm(join(dir, name), { recursive: true, force: true });
  }
}
