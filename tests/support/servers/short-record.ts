/** A few days of the public record in the data folder of a stopped server: issued, scored, not sealed yet. */
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { asOwner } from '../../../server/platform/database/database.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import {
  aBaselineTable,
  insertRecords,
  makeRecords,
  outcomeOf,
} from '../../../server/record/testing/record-fixtures.ts';
import { testLog } from '../database/database.ts';

export interface ShortRecord {
  /** Epoch seconds of the first slot: a midnight, so that its days are whole. */
  firstSlotS: number;
  days: number;
}

const SLOTS_A_DAY = 288;
/** One forecast in this many has no outcome. */
const VOID_EVERY = 50;

/** All three models on one symbol of the simulated market. */
export async function fillShortRecord(dataDir: string, { firstSlotS, days }: ShortRecord): Promise<void> {
  const records = makeRecords({ slots: days * SLOTS_A_DAY, syms: ['BTCUSDT.P'], firstSlotS, market: 'simulated' });
  const table = aBaselineTable();
  const scores = records.bodies.map((body) =>
    body.seq % VOID_EVERY === 0
      ? { seq: body.seq, state: 'void', reason: 'candles-missing' }
      : { seq: body.seq, state: 'known', score: scoreRecord(body, outcomeOf(records, body), table) },
  );
  const database = await openDatabase({
    databaseUrl: null,
    dataDir,
    isDurable: false,
    clockOffsetMs: () => 0,
    log: testLog,
    statementLimitMs: 60_000,
  });
  try {
    await insertRecords(database, records);
    await asOwner(database).query(
      `insert into private.track_scores (seq, state, void_reason, score)
       select seq, state, reason, score
         from jsonb_to_recordset($1::text::jsonb) as r (seq bigint, state text, reason text, score jsonb)`,
      [JSON.stringify(scores)],
    );
    // The server that made the folder has run its jobs: without their rows the next one starts immediately.
    await asOwner(database).query('delete from private.jobs');
  } finally {
    await database.close();
  }
}
