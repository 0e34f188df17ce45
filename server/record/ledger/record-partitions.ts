/** Makes the record's next partition long before it is needed. Where that failed, whoever writes the first record of it does. */
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { makeRoomAhead } from './record-partition-store.ts';

/** Twenty days of the most that there is, seventy of what the house issues by itself. */
const AHEAD_RECORDS = 250_000;
const PERIOD_MS = 6 * 3_600_000;

export function startRecordPartitions({ database, log }: { database: Database; log: Logger }): Job {
  return startJob({
    name: 'record-partitions',
    periodMs: PERIOD_MS,
    store: jobStore(database),
    log,
    async run() {
      const made = await makeRoomAhead(database, AHEAD_RECORDS);
      if (made > 0) log.info({ made }, 'partitions of the record were made');
      return undefined;
    },
  });
}
