/**
 * Texts, hashes and scores are real ones of a simulated market that repeats every few hours; the chain is whole. It
 * bypasses the triggers, which check each record: 1.26 million of them would take half an hour.
 */
import { recordText, SLOT_S } from '#domain/record/ledger/ledger.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { type Database, OWNER, type Transaction } from '../../../server/platform/database/database.ts';
import { makeRoomFor } from '../../../server/record/ledger/ledger-store.ts';
import {
  aBaselineTable,
  makeRecords,
  outcomeOf,
  RECORDS_A_SLOT,
} from '../../../server/record/testing/record-fixtures.ts';

export interface RecordCrowd {
  /** Days of 288 slots. */
  days: number;
  /** Epoch seconds of the slot after the last. */
  endS: number;
}

export const CROWD_RECORDS_A_DAY = RECORDS_A_SLOT * 288;
/** Slots of the simulated market before it repeats. */
const SHAPE_SLOTS = 211;
/** The outcomes of the last records are not known yet. */
const WAITING_SLOTS = 10;

/** @returns how long it took in seconds, including `analyze` */
export async function fillRecordCrowd(database: Database, { days, endS }: RecordCrowd): Promise<number> {
  const startedMs = performance.now();
  const startS = endS - days * 86_400;
  await database.transaction(
    OWNER,
    async (tx) => {
      await tx.query("set local session_replication_role = 'replica'; set local work_mem = '256MB'");
      await makeRoomFor(tx, days * CROWD_RECORDS_A_DAY);
      await makeShapes(tx);
      await tx.query(chainSql(startS, endS));
      await tx.query(scoresSql(startS, endS));
    },
    { statementLimitMs: 0 },
  );
  for (const table of RECORD_CROWD_TABLES) await database.query(OWNER, `analyze ${table}`);
  return Math.round((performance.now() - startedMs) / 1000);
}

export const RECORD_CROWD_TABLES = ['private.track_records', 'private.track_scores'];

/** What stays the same in every repetition: everything between `issued` and `prev`, and the score. */
async function makeShapes(tx: Transaction): Promise<void> {
  const table = aBaselineTable();
  const records = makeRecords({ slots: SHAPE_SLOTS, seed: 'crowd' });
  const perSlot = records.bodies.length / SHAPE_SLOTS;
  const shapes = records.bodies.map((body, i) => {
    const text = recordText(body);
    const middle = text.slice(text.indexOf(',"sym":'), text.indexOf(',"prev":'));
    const score = scoreRecord(body, outcomeOf(records, body), table);
    const { sym, model, version } = body;
    return { shape: Math.floor(i / perSlot), place: i % perSlot, sym, model, version, middle, score };
  });
  await tx.query(
    `create temporary table crowd_shapes (shape int, place int, sym text, model text, version text, middle text, score jsonb,
       primary key (shape, place)) on commit drop`,
  );
  await tx.query(
    `insert into crowd_shapes select * from jsonb_to_recordset($1::text::jsonb)
       as s (shape int, place int, sym text, model text, version text, middle text, score jsonb)`,
    [JSON.stringify(shapes)],
  );
  await tx.query('analyze crowd_shapes');
}

const slots = (startS: number, endS: number) =>
  `generate_series(${startS}::bigint, ${endS - SLOT_S}::bigint, ${SLOT_S}) slot
   join crowd_shapes s on s.shape = ((slot - ${startS}) / ${SLOT_S}) % ${SHAPE_SLOTS}`;

/** One after the other: each contains the hash of the one before. */
function chainSql(startS: number, endS: number): string {
  return `
do $$
declare
  one record;
  seq bigint := 0;
  prev bytea := decode(repeat('0', 64), 'hex');
  body text;
begin
  for one in select slot, s.* from ${slots(startS, endS)} order by slot, s.place loop
    seq := seq + 1;
    body := '{"v":1,"seq":' || seq || ',"slot":' || one.slot || ',"issued":' || one.slot * 1000 + 2000 || one.middle
      || ',"prev":"' || rtrim(translate(encode(prev, 'base64'), '+/', '-_'), '=') || '"}';
    prev := sha256(convert_to(body, 'UTF8'));
    insert into private.track_records (seq, slot_s, sym, model, model_version, role, market_kind, issued_ms, body, hash)
    values (seq, one.slot, one.sym, one.model, one.version, 'serving', 'live', one.slot * 1000 + 2000, body, prev);
  end loop;
end $$`;
}

/** One in a hundred is void; those of the last fifty minutes are not scored yet. */
function scoresSql(startS: number, endS: number): string {
  return `
insert into private.track_scores (seq, state, void_reason, score)
select r.seq, case when r.seq % 100 = 7 then 'void' else 'known' end, case when r.seq % 100 = 7 then 'candles-missing' end,
       case when r.seq % 100 <> 7 then s.score end
  from private.track_records r
  join crowd_shapes s on s.shape = ((r.slot_s - ${startS}) / ${SLOT_S}) % ${SHAPE_SLOTS} and s.place = (r.seq - 1) % ${RECORDS_A_SLOT}
 where r.slot_s < ${endS - WAITING_SLOTS * SLOT_S}
 order by r.seq`;
}
