/**
 * The database's disk is full while people work: first its files cannot grow, then its log cannot either; then there is
 * space again. On the embedded database, and on PostgreSQL, which exits if its log cannot grow.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from '../../../../server/platform/database/sql/sql-session.ts';
import { startKat } from '../../../support/servers/kat-server.ts';
import { type FaultTimes, startAcknowledgedWork, WORK_SETTINGS } from '../acknowledged.ts';
import { watchAnswers } from '../answer-watch.ts';
import type { FaultReport, FaultWithMeans } from '../fault.ts';
import { startNodes } from '../host/nodes.ts';
import { openSmallDisk, type SmallDisk } from '../host/small-disk.ts';

const DISK_MIB = 400;
const FULL_MS = 15_000;
const RECOVERY_LIMIT_MS = 90_000;
const PATHS = { lives: '/healthz', ready: '/readyz', table: '/rest/v1/changelog_posts?select=id' };
/** More than two of PostgreSQL's log files, which have 16 MB each. */
const LOG_MB = 40;

/** On the embedded database. */
export const fullDisk: FaultWithMeans = async () => {
  const fault = 'full-disk';
  const disk = openSmallDisk(DISK_MIB);
  if ('skipped' in disk) return { fault, ...disk };
  const dataDir = join(disk.folder, 'data');
  mkdirSync(dataDir);
  const server = await startKat({ env: { ...WORK_SETTINGS, DEVELOPMENT: 'community=sandbox' }, dataDir });
  try {
    return await fillAndSee(disk, { fault, url: server.url, provider: null, fullMs: FULL_MS });
  } finally {
    await server.stop('SIGKILL');
    disk.close();
  }
};

/** On PostgreSQL, whose log is filled too. It exits then, and is restarted as its supervisor would. */
export const fullDatabaseDisk: FaultWithMeans = async () => {
  const fault = 'full-database-disk';
  const disk = openSmallDisk(DISK_MIB);
  if ('skipped' in disk) return { fault, ...disk };
  const nodes = await startNodes(1, {}, { parentFolder: disk.folder });
  const notes: string[] = [];
  // Opened while there is space: a new session writes a file.
  const sql = await openSession({ url: nodes.postgres.url });
  const writeLog = async (): Promise<void> => {
    try {
      for (let i = 0; i < LOG_MB; i++)
        await sql.send(`select pg_logical_emit_message(false, 'full', repeat('x', 1000000))::text`, null);
      notes.push('the log took everything');
    } catch (error) {
      notes.push(`the log: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const startAgainIfItEnded = async (): Promise<void> => {
    const hasEnded = /database system is shut down\s*$/.test(nodes.postgres.log().trimEnd());
    notes.push(hasEnded ? 'PostgreSQL had ended, and was started again' : 'PostgreSQL recovered automatically');
    if (hasEnded) await nodes.postgres.startAgain();
  };
  try {
    const { url, provider } = nodes;
    const report = await fillAndSee(disk, {
      ...{ fault, url, provider, fullMs: FULL_MS },
      whenFull: writeLog,
      whenRoom: startAgainIfItEnded,
    });
    report.notes.push(...notes);
    return report;
  } finally {
    await sql.end();
    await nodes.close();
    disk.close();
  }
};

interface Case {
  fault: string;
  url: string;
  provider: Parameters<typeof startAcknowledgedWork>[0]['provider'];
  fullMs: number;
  whenFull?: () => Promise<void>;
  whenRoom?: () => Promise<void>;
}

async function fillAndSee(disk: SmallDisk, one: Case): Promise<FaultReport> {
  const work = await startAcknowledgedWork({ url: () => one.url, provider: one.provider });
  const watch = await watchAnswers(() => one.url, PATHS);
  try {
    await work.untilAllGoOn(RECOVERY_LIMIT_MS);
    const startMs = Date.now();
    watch.part('full');
    disk.fill();
    await sleep(one.fullMs);
    if (one.whenFull !== undefined) {
      watch.part('log full');
      await one.whenFull();
      await sleep(one.fullMs);
    }
    disk.makeRoom();
    await one.whenRoom?.();
    const times: FaultTimes = { startMs, endMs: Date.now() };
    watch.part('room again');
    await work.untilAllGoOn(RECOVERY_LIMIT_MS);
    await work.stop();
    const verdict = await work.verify();
    verdict.notes.push(...watch.stop());
    return { fault: one.fault, recoveryMs: [work.recoveredAfterMs(times)], ...verdict };
  } finally {
    watch.stop();
    await work.stop();
  }
}
