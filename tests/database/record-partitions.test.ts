/** The record in partitions of a million numbers: its rules hold over all of them, including later ones. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordBody } from '../../domain/record/ledger/ledger.ts';
import { openCatalogue } from '../../server/backend/rest/catalogue.ts';
import { moveDatabase } from '../../server/backup/move-database.ts';
import { type Database, OWNER, type Queries } from '../../server/platform/database/database.ts';
import { readJudged } from '../../server/record/figures/judged-records.ts';
import { ledgerStore, makeRoomAhead } from '../../server/record/ledger/ledger-store.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openEmptyPglite, openTestDatabase, testLog } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { isNight } from '../support/run/test-size.ts';

/** A chain that is about to reach its first million. */
const head = makeRecords({
  after: { seq: 999_994, hash: '0'.repeat(64) },
  syms: ['BTCUSDT.P'],
  models: ['lion'],
  version: 'lion-1',
});
const next = makeRecords({ seed: 'next', firstSlotS: (head.bodies[0]?.slot ?? 0) + 300, version: 'lion-1' });

function toAppend({ v: _v, seq: _seq, prev: _prev, ...record }: RecordBody) {
  const documentText = `of ${record.sym} ${record.model}`;
  return { record: { ...record, document: createHash('sha256').update(documentText).digest('hex') }, documentText };
}

// Runs on both kinds, because partitions, their triggers and their plans are SQL.
describeEachDatabase("the record's partitions", (kind) => {
  let database: Database;
  let atFirst: unknown[];
  const query = (text: string, params?: readonly unknown[]) => database.query(OWNER, text, params);
  const partitions = async (table: string) =>
    (
      await query('select partition::text as name from private.partition_ends($1::text::regclass) order by ends_at', [
        table,
      ])
    ).map(({ name }) => name);

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    // Bypasses the triggers, as a restore does, because the previous records are missing.
    await database.transaction(OWNER, async (tx) => {
      await tx.query("set local session_replication_role = 'replica'");
      await insertRecords({ ...database, query: (_caller, text, params) => tx.query(text, params) }, head);
    });
    atFirst = await partitions('private.track_records');
    await ledgerStore(database).append(next.bodies.map(toAppend));
    await query("insert into private.track_scores (seq, state, score) values (1000001, 'known', '{}')");
  });
  afterAll(() => database?.close());

  test('are created for a record beyond the last one, with its whole slot', async () => {
    expect(atFirst).toEqual(['private.track_records_m0']);
    const rows = await query(
      'select tableoid::regclass::text as place, min(seq) as first, max(seq) as last from private.track_records group by 1 order by 1',
    );
    expect(rows).toEqual([
      { place: 'private.track_records_m0', first: 999_995, last: 999_999 },
      { place: 'private.track_records_m1', first: 1_000_000, last: 1_000_007 },
    ]);
    expect(await query('select count(*)::int as count from private.track_waiting where seq >= 1000000')).toEqual([
      { count: 8 },
    ]);
    await expect(
      query("insert into private.track_scores (seq, state, score) values (1000900, 'known', '{}')"),
    ).rejects.toThrow('foreign key');
  });

  test('refuse a slot that another partition already has', async () => {
    const [last] = await query(
      "select seq, encode(hash, 'hex') as hash, issued_ms from private.track_records order by seq desc limit 1",
    );
    const doubled = makeRecords({
      after: { seq: Number(last?.seq), hash: String(last?.hash) },
      syms: ['BTCUSDT.P'],
      models: ['lion'],
      version: 'lion-1',
      change: () => ({ issued: Number(last?.issued_ms) }),
    });

    await expect(insertRecords(database, doubled)).rejects.toThrow('one forecast a slot');
  });

  test('refuse every change and deletion under their own names', async () => {
    for (const name of ['track_records_m0', 'track_records_m1', 'track_scores_m0', 'track_scores_m1']) {
      for (const call of ['update private.% set seq = seq', 'delete from private.%', 'truncate private.% cascade']) {
        if (name === 'track_scores_m0' && !call.startsWith('truncate')) continue;
        await expect(query(call.replace('%', name)), `${name}: ${call}`).rejects.toThrow('never changed');
      }
    }
    const open = await query(
      `select c.relname from pg_class c where c.relname like 'track\\_%\\_m_' and c.relkind = 'r' and (not c.relrowsecurity
          or exists (select from unnest(array['anon', 'authenticated', 'service_role']) r (role)
                      where has_any_column_privilege(r.role, c.oid, 'select, insert, update')))`,
    );
    expect(open).toEqual([]);
  });

  test('are created ahead once by two simultaneous callers', async () => {
    const counts = await Promise.all([makeRoomAhead(database, 1_000_000), makeRoomAhead(database, 1_000_000)]);

    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 2]);
    expect(await partitions('private.track_scores')).toEqual(
      ['m0', 'm1', 'm2'].map((end) => `private.track_scores_${end}`),
    );
  });

  // The copy is an embedded database migrated from nothing, wherever its rows come from.
  const isCopied = isNight || kind === dayDatabase;
  if (isCopied)
    test('exist in a copy, and refuse changes there as well', async () => {
      const copy = await openEmptyPglite();
      try {
        await moveDatabase(database, copy, testLog);

        expect(await copy.query(OWNER, 'select count(*)::int as count from private.track_records_m1')).toEqual([
          { count: 8 },
        ]);
        for (const call of ['update private.track_records_m1 set seq = seq', 'truncate private.track_scores_m0'])
          await expect(copy.query(OWNER, call)).rejects.toThrow('never changed');
      } finally {
        await copy.close();
      }
    });

  test('apply the limit before the join with scores, newest or oldest first', async () => {
    /** @returns the steps of the plan, outermost first, and the numbers that were found */
    async function planOf(isNewestFirst: boolean): Promise<{ steps: string[]; seqs: number[] }> {
      const found: { steps: string[]; seqs: number[] } = { steps: [], seqs: [] };
      const explained: Queries = {
        async query(text, params) {
          const plan = await query(`explain (costs off) ${text}`, params);
          found.steps = plan.flatMap((row) => /Join|Limit/.exec(String(row['QUERY PLAN']))?.[0] ?? []);
          const rows = await query(text, params);
          found.seqs = rows.map(({ body }) => Number(JSON.parse(String(body)).seq));
          return [];
        },
      };
      await readJudged(explained, { where: 'r.seq > $1::bigint', isNewestFirst, limit: '$2::int' }, [999_996, 5]);
      return found;
    }

    const steps = ['Join', 'Limit'];
    expect(await planOf(false)).toEqual({ steps, seqs: [999_997, 999_998, 999_999, 1_000_000, 1_000_001] });
    expect(await planOf(true)).toEqual({ steps, seqs: [1_000_007, 1_000_006, 1_000_005, 1_000_004, 1_000_003] });
  });

  test('appear to the API as one table', async () => {
    await query('create table public.years (year int) partition by range (year)');
    await query('create table public.years_first partition of public.years for values from (0) to (2000)');
    const catalogue = await openCatalogue(database);
    const { relations } = await catalogue.current();
    await catalogue.close();

    expect([...relations.keys()].filter((name) => name.startsWith('years'))).toEqual(['years']);
    await query('drop table public.years');
  });
});
