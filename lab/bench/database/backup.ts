/**
 * Backup and restore of a large site, on this machine's disk: PostgreSQL and the embedded database, alternately from
 * one into the other, as one JSON table. The embedded one answers no other requests while it is copied: that is
 * `pause`.
 *
 *   npm run bench -- backup [--users 100000] [--predictions 20000] [--days 7]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBackup } from '../../../server/backup/make-backup.ts';
import { restoreBackup } from '../../../server/backup/restore-backup.ts';
import type { Database } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import { testLog } from '../../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../../tests/support/database/throwaway-postgres.ts';
import { fillAdminCrowd } from '../../../tests/support/worlds/admin-crowd.ts';
import { fillRecordCrowd } from '../../../tests/support/worlds/record-crowd.ts';

const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    predictions: { type: 'string', default: '20000' },
    days: { type: 'string', default: '7' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'kat-bench-backup-'));
const open = (databaseUrl: string | null, dataDir: string): Promise<Database> =>
  openDatabase({ databaseUrl, dataDir, isDurable: false, clockOffsetMs: () => 0, log: testLog, poolSize: 2 });

const tenths = (ms: number): number => Math.round(ms / 100) / 10;

/** Real and processor time: on a busy machine only the latter is meaningful. It excludes PostgreSQL's own. */
async function seconds<T>(work: () => Promise<T>): Promise<{ s: number; cpuS: number; result: T }> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { s: tenths(performance.now() - startedMs), cpuS: tenths((user + system) / 1000), result };
}

const formatTimes = ({ s, cpuS }: { s: number; cpuS: number }): string => `${s} s, of the processor ${cpuS} s`;

function backup(database: Database, name: string) {
  const file = join(folder, name);
  const parts = { dataDir: join(folder, 'none'), file, hasBucket: true, version: 'bench', nowMs: Date.now() };
  return seconds(() => makeBackup({ ...parts, database }));
}

const [first, second] = await Promise.all([startThrowawayPostgres(), startThrowawayPostgres()]);
if ('skipped' in first || 'skipped' in second) throw new Error('This bench needs PostgreSQL.');
try {
  const postgres = await open(first.url, folder);
  await migrate(postgres, { log: testLog });
  await fillAdminCrowd(postgres, {
    users: Number(options.users),
    predictions: Number(options.predictions),
    posts: 100,
  });
  await fillRecordCrowd(postgres, { days: Number(options.days), endS: Math.floor(Date.now() / 300_000) * 300 });
  const written = await backup(postgres, 'postgres.tar.gz');
  await postgres.close();
  const restore = (name: string, url: string | null) => {
    const dataDir = join(folder, name);
    return seconds(() =>
      restoreBackup({
        file: join(folder, 'postgres.tar.gz'),
        dataDir,
        log: testLog,
        openDatabase: () => open(url, dataDir),
      }),
    );
  };
  const intoPostgres = await restore('into-postgres', second.url);
  const intoEmbedded = await restore('into-embedded', null);
  const embedded = await open(null, join(folder, 'into-embedded'));
  const fromEmbedded = await backup(embedded, 'embedded.tar.gz');
  await embedded.close();
  const { rows, bytes } = written.result;
  const line = { rows, megabytes: Math.round(bytes / 1e5) / 10, load: loadavg()[0]?.toFixed(1) };
  console.log(
    JSON.stringify(
      {
        ...options,
        ...line,
        postgres: { backup: formatTimes(written), restore: formatTimes(intoPostgres) },
        embedded: { pause: formatTimes(fromEmbedded), restore: formatTimes(intoEmbedded) },
        maxRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
      },
      null,
      1,
    ),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([first.stop(), second.stop()]);
}
