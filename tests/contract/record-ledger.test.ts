/**
 * The chain of records as the database stores it: many writers, restarts, clocks set back. Runs on both databases,
 * because the lock that makes one chain differs.
 */
import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { NO_HASH, readRecordText, recordText, type UnsealedRecord } from '#domain/record/ledger/ledger.ts';
import { type Database, OWNER, SqlError } from '../../server/platform/database/database.ts';
import { openPostgresDatabase } from '../../server/platform/database/postgres/postgres-database.ts';
import { ClockBehind, ledgerStore, type ToAppend } from '../../server/record/ledger/ledger-store.ts';
import { makeRecords, RECORDS_A_SLOT } from '../../server/record/testing/record-fixtures.ts';
import { createTestPostgres, openTestDatabase, testLimits } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { emptyRecord } from '../support/database/empty-record.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

describeEachDatabase('the ledger', (kind) => {
  const opened = openedForTests(() => (kind === 'postgres' ? twoProcesses() : oneProcess()));
  /** Two processes of one server; PGlite only ever has one. */
  let databases: readonly [Database, Database];

  beforeEach(async () => {
    databases = opened().databases;
    await emptyRecord(databases[0]);
  });

  test('appends records with their documents to one chain, and skips those already present', async () => {
    const [first, second, third] = unsealed(3);
    const store = ledgerStore(databases[0]);

    expect(await store.append([first])).toEqual({ appended: [1], skipped: 0 });
    expect(await store.append([second, first, second, third])).toEqual({ appended: [2, 3], skipped: 2 });
    expect(await store.append([third])).toEqual({ appended: [], skipped: 1 });

    const chain = await requireWholeChain(databases[0]);
    expect(chain.map(({ sym, model }) => [sym, model])).toEqual(
      [first, second, third].map(({ record }) => [record.sym, record.model]),
    );
    const documents = await databases[0].query(
      OWNER,
      `select d.body from private.track_records r join private.track_documents d
         on d.hash = decode(translate(r.body::json ->> 'document', '-_', '+/') || '=', 'base64') order by r.seq`,
    );
    expect(documents.map(({ body }) => body)).toEqual([first, second, third].map(({ documentText }) => documentText));
  });

  test('makes one whole chain from twenty simultaneous writers in two processes, each record once', async () => {
    const { issued } = unsealed(1)[0].record;
    const all = unsealed(60).map((one) => ({ ...one, record: { ...one.record, issued } }));
    const writers = Array.from({ length: 20 }, (_, n) => ledgerStore(databases[n % 2 === 0 ? 0 : 1]));

    // Two writers append every record, in batches of different sizes and orders.
    const outcomes = await Promise.all(
      writers.map(async (store, n) => {
        let appended = 0;
        const own = all.filter((_, i) => i % 10 === n % 10);
        const size = 1 + (n % 3);
        for (let from = 0; from < own.length; from += size) {
          appended += (
            await store.append(n < 10 ? own.slice(from, from + size) : own.slice(from, from + size).reverse())
          ).appended.length;
        }
        return appended;
      }),
    );

    expect(outcomes.reduce((sum, count) => sum + count, 0)).toBe(60);
    const chain = await requireWholeChain(databases[1]);
    expect(chain).toHaveLength(60);
  });

  test('continues the chain after a restart', async () => {
    const [first, second] = unsealed(2);
    await ledgerStore(databases[0]).append([first]);

    await ledgerStore(databases[1]).append([second]);

    expect(await requireWholeChain(databases[0])).toHaveLength(2);
  });

  test('stores neither record nor document when a transaction fails', async () => {
    const [first, second] = unsealed(2);
    const broken = { ...second, record: { ...second.record, sym: 'x'.repeat(41) } };

    await expect(ledgerStore(databases[0]).append([first, broken])).rejects.toThrow(SqlError);
    await expect(ledgerStore(databases[0]).append([{ ...first, documentText: 'another' }])).rejects.toThrow(RangeError);

    expect(await requireWholeChain(databases[0])).toEqual([]);
    expect(await databases[0].query(OWNER, 'select 1 as one from private.track_documents')).toEqual([]);
    expect(await ledgerStore(databases[0]).append([first])).toEqual({ appended: [1], skipped: 0 });
  });

  test('reuses the last time when the clock is 5 s back, and refuses beyond that', async () => {
    const [first, second, third] = unsealed(3);
    const store = ledgerStore(databases[0]);
    await store.append([first]);
    const at = (one: ToAppend, ms: number) => ({ ...one, record: { ...one.record, issued: first.record.issued + ms } });

    await store.append([at(second, -5000)]);
    const refused = store.append([at(third, -5001)]);

    await expect(refused).rejects.toThrow(ClockBehind);
    await expect(refused).rejects.toMatchObject({ behindMs: 5001 });
    const chain = await requireWholeChain(databases[0]);
    expect(chain.map(({ issued }) => issued)).toEqual([first.record.issued, first.record.issued]);
  });
});

async function twoProcesses() {
  const { url, drop } = await createTestPostgres();
  const open = () => openPostgresDatabase({ ...testLimits(), url, poolSize: 10 });
  const databases = [await open(), await open()] as const;
  return {
    databases,
    async close() {
      await Promise.all(databases.map((database) => database.close()));
      await drop();
    },
  };
}

async function oneProcess() {
  const database = await openTestDatabase('pglite');
  return { databases: [database, database] as const, close: () => database.close() };
}

/** As a server would append them: one after the other by its clock. */
function unsealed(count: number): [ToAppend, ToAppend, ToAppend, ...ToAppend[]] {
  const { bodies } = makeRecords({ slots: Math.ceil(count / RECORDS_A_SLOT) });
  const [first, second, third, ...others] = bodies.slice(0, Math.max(3, count)).map(toAppend);
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few records');
  return [first, second, third, ...others];
}

function toAppend({
  v: _v,
  seq,
  prev: _prev,
  ...record
}: UnsealedRecord & { v: 1 | 2; seq: number; prev: string }): ToAppend {
  const documentText = `document ${seq}`;
  const document = createHash('sha256').update(documentText).digest('hex');
  return { record: { ...record, document }, documentText };
}

/** Reads and checks every text and hash. */
async function requireWholeChain(database: Database) {
  const rows = await database.query<{ seq: number; body: string; hash: string }>(
    OWNER,
    "select seq, body, encode(hash, 'hex') as hash from private.track_records order by seq",
  );
  let prev = NO_HASH;
  let earliest = 0;
  return rows.map(({ seq, body, hash }, i) => {
    const record = readRecordText(body);
    if (record === null) throw new Error(`record ${seq} cannot be read`);
    expect(recordText(record)).toBe(body);
    expect({ seq: record.seq, prev: record.prev }).toEqual({ seq: i + 1, prev });
    expect(createHash('sha256').update(body).digest('hex')).toBe(hash);
    expect(record.issued).toBeGreaterThanOrEqual(earliest);
    [prev, earliest] = [hash, record.issued];
    return record;
  });
}
