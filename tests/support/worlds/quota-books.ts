/** The prediction store in a separate database, with a clock that the test moves. */
import { openPredictionStore, type PredictionStore } from '../../../server/forecast/predictions/prediction-store.ts';
import type { Database } from '../../../server/platform/database/database.ts';
import { openTestDatabase, type TestDatabaseKind } from '../database/database.ts';
import { untilMorningMs } from '../run/until-morning.ts';

export interface QuotaBooks {
  database: Database;
  store: PredictionStore;
  /** Starts at the next morning, as an offset from the real time; the test may move it. */
  clock: { offsetMs: number };
  close(): Promise<void>;
}

export async function openQuotaBooks(kind: TestDatabaseKind): Promise<QuotaBooks> {
  const clock = { offsetMs: untilMorningMs(Date.now()) };
  const database = await openTestDatabase(kind, { clockOffsetMs: () => clock.offsetMs });
  return { database, store: openPredictionStore({ database }), clock, close: () => database.close() };
}
