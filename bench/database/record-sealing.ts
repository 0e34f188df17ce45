/**
 * Milliseconds per record for writing and closing the public record: appends of 12 at a time, then an hour of 144 and a
 * day of 3,456 sealed and signed, on PGlite and on PostgreSQL, with the size of a row. One JSON table, with the
 * machine's load.
 */
import { createHash } from 'node:crypto';
import { loadavg } from 'node:os';
import type { UnsealedRecord } from '#domain/record/ledger/ledger.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { keyStore } from '../../server/record/ledger/key-store.ts';
import { ledgerStore, type ToAppend } from '../../server/record/ledger/ledger-store.ts';
import { keyIdOfHex, makeKeyPair, signText } from '../../server/record/ledger/node-tools.ts';
import { sealingStore } from '../../server/record/ledger/sealing-store.ts';
import { makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase } from '../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';

const SLOTS = 288;
const IN_A_SLOT = 12;
/** As long as a whole forecast's: 600 quantiles and 250 candle figures. */
const DOCUMENT_CHARACTERS = 9000;
const FIRST_SLOT_S = Date.parse('2025-11-12T00:00:00Z') / 1000;

interface Line {
  database: string;
  records: number;
  appendMsEach: number;
  appendWorstMs: number;
  hourMsEach: number;
  dayMsEach: number;
  /** Writing and closing together. */
  allMsEach: number;
  /** This process's CPU time for the same, with PGlite the database's too. Unaffected by other processes. */
  cpuMsEach: number;
  /** Bytes of the longest text and the widest row. */
  textBytes: number;
  rowBytes: number;
  load: number;
}

async function measure(database: Database): Promise<Line> {
  const { bodies } = makeRecords({ slots: SLOTS, firstSlotS: FIRST_SLOT_S });
  const all = bodies.map(({ v: _v, seq: _seq, prev: _prev, ...record }) => toAppend(record));
  const store = ledgerStore(database);
  const cpuBefore = process.cpuUsage();
  const appendMs: number[] = [];
  for (let from = 0; from < all.length; from += IN_A_SLOT) {
    const startedMs = performance.now();
    await store.append(all.slice(from, from + IN_A_SLOT));
    appendMs.push(performance.now() - startedMs);
  }
  const pair = makeKeyPair();
  const key = { ...pair, id: keyIdOfHex(pair.public), addedAtS: FIRST_SLOT_S, announcement: null, signature: null };
  await keyStore(database).publish([key]);
  const sealing = sealingStore(database);
  const nowMs = (FIRST_SLOT_S + 2 * 86_400) * 1000;
  const hourMs = await timed(async () => {
    while (await sealing.sealHour(nowMs));
  });
  const dayMs = await timed(() => sealing.signDay(nowMs, { keyId: key.id, sign: (text) => signText(text, pair) }));
  const cpu = process.cpuUsage(cpuBefore);
  const [size] = await database.query<{ text: number; row: number }>(
    OWNER,
    'select max(octet_length(body)) as text, max(pg_column_size(r.*)) as row from private.track_records r',
  );
  const total = appendMs.reduce((sum, ms) => sum + ms, 0);
  return {
    database: database.kind,
    records: all.length,
    appendMsEach: round(total / all.length),
    appendWorstMs: round(Math.max(...appendMs)),
    hourMsEach: round(hourMs / all.length),
    dayMsEach: round(dayMs / all.length),
    allMsEach: round((total + hourMs + dayMs) / all.length),
    cpuMsEach: round((cpu.user + cpu.system) / 1000 / all.length),
    textBytes: size?.text ?? 0,
    rowBytes: size?.row ?? 0,
    load: round(loadavg()[0] ?? Number.NaN),
  };
}

function toAppend(record: UnsealedRecord): ToAppend {
  const documentText = `${record.sym} ${record.model} ${record.slot} `.padEnd(DOCUMENT_CHARACTERS, '0123456789');
  return { record: { ...record, document: createHash('sha256').update(documentText).digest('hex') }, documentText };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

const lines: Line[] = [];
const server = await startThrowawayPostgres();
if ('skipped' in server) console.error(server.skipped);
else process.env.TEST_DATABASE_URL = server.url;
for (const kind of 'skipped' in server ? (['pglite'] as const) : (['pglite', 'postgres'] as const)) {
  const database = await openTestDatabase(kind);
  try {
    lines.push(await measure(database));
  } finally {
    await database.close();
  }
}
if (!('skipped' in server)) await server.stop();
console.log(JSON.stringify(lines, null, 2));
