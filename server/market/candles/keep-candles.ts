/** The job that creates partitions for the coming weeks of stored candles and drops expired ones. */
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { CandleStore } from './candle-store.ts';

const PERIOD_MS = 3_600_000;

export interface KeepCandlesDeps {
  store: Pick<CandleStore, 'makePartitions' | 'removeOld'>;
  database: Database;
  log: Logger;
}

/** A missed run loses nothing: a candle of a week without a partition has a place too. */
export function keepCandles({ store, database, log }: KeepCandlesDeps): Job {
  return startJob({
    name: 'market-candles-remove-old',
    periodMs: PERIOD_MS,
    store: jobStore(database),
    log,
    async run() {
      const made = await store.makePartitions();
      const { partitions, rows } = await store.removeOld();
      if (made + partitions + rows > 0) log.info({ made, dropped: partitions, rows }, 'partitions of candles changed');
      return undefined;
    },
  });
}
