/** Creates the record's next partition long before it is needed; after a failure the first writer in it does. */
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { makeRoomAhead } from './record-partition-store.ts';

/** Twenty days at the maximum rate, seventy at the rate of the house's forecasts alone. */
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
