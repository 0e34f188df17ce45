/** The jobs that create and drop partitions, as two server processes run them on one database. */
import { expect, test } from 'vitest';
import { openCandleStore } from '../../server/market/candles/candle-store.ts';
import { startCandleRetention } from '../../server/market/market.ts';
import { startOldRows } from '../../server/operations/old-rows.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { startRecordPartitions } from '../../server/record/ledger/ledger.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const DAY_MS = 86_400_000;

// Runs on both kinds, because SQL creates and drops the partitions.
describeEachDatabase('two servers', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  const query = (text: string) => database().query(OWNER, text);

  test('create the coming weeks and million once, and drop the weeks that are over', async () => {
    const head = makeRecords({ after: { seq: 800_000, hash: '0'.repeat(64) }, syms: ['BTCUSDT.P'], models: ['lion'] });
    await database().transaction(OWNER, async (tx) => {
      await tx.query("set local session_replication_role = 'replica'");
      await insertRecords({ ...database(), query: (_caller, text, params) => tx.query(text, params) }, head);
    });
    const [before] = await query("select min(ends_at) as first from private.partition_ends('private.market_candles')");
    // After forty-five days most weeks of a new database are over, and those around that day are missing.
    const clock = { nowMs: () => Date.now() + 45 * DAY_MS };
    const store = openCandleStore({ database: database(), clock, log: testLog });
    const parts = { database: database(), clock, log: testLog, store };

    const jobs = [1, 2].flatMap(() => [startCandleRetention(parts), startRecordPartitions(parts), startOldRows(parts)]);

    await expect
      .poll(() => query('select name, runs::int as runs, last_error as error from private.jobs order by name'))
      .toEqual(
        ['market-candles-remove-old', 'old-rows', 'record-partitions'].map((name) => ({ name, runs: 1, error: null })),
      );
    for (const job of jobs) await job.close();
    await store.close();
    expect(
      await query("select partition::text as name from private.partition_ends('private.track_records')"),
    ).toHaveLength(2);
    const [weeks] = await query(
      "select min(ends_at) as first, max(ends_at) as last from private.partition_ends('private.market_candles')",
    );
    expect(Number(weeks?.first)).toBeGreaterThan(Number(before?.first));
    expect(Number(weeks?.first) * 1000).toBeGreaterThan(clock.nowMs() - 30 * DAY_MS);
    expect(Number(weeks?.last) * 1000).toBeGreaterThan(clock.nowMs() + 14 * DAY_MS);
  });
});
