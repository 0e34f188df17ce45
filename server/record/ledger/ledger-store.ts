/**
 * Appends forecasts to the chain: the next number, the previous record's hash, the record and its whole document in one
 * transaction. The database allows one writer at a time across all processes.
 */
import {
  NO_HASH,
  type RecordBody,
  recordText,
  textVersionOf,
  timeframeOfRecord,
  type UnsealedRecord,
} from '#domain/record/ledger/ledger.ts';
import { asOwner, type Database, OWNER, type Queries, type Transaction } from '../../platform/database/database.ts';
import { sha256Hex } from './node-tools.ts';

export interface ToAppend {
  /** `issued` is our clock's time just before the append. */
  record: UnsealedRecord;
  /** The text whose SHA-256 is record.document. */
  documentText: string;
}

export interface Appended {
  /** Numbers of the written records, in the given order. */
  appended: number[];
  /** How many already existed, with the same market, slot, timeframe, symbol, model, role and version. */
  skipped: number;
}

export interface LedgerStore {
  /**
   * All of them or none, except those that exist. @throws RangeError for a document that does not match its record's
   * hash; ClockBehind when our clock is further behind the chain than a record's time may be moved
   */
  append(records: readonly ToAppend[]): Promise<Appended>;
}

/** Nothing is backdated: nothing is issued until our clock has reached the chain's time. */
export class ClockBehind extends Error {
  override readonly name = 'ClockBehind';
  readonly behindMs: number;

  constructor(behindMs: number) {
    super(`Our clock is ${behindMs} ms behind the last record.`);
    this.behindMs = behindMs;
  }
}

/** A clock synchronised over the network may step back a little; up to this, a record takes its predecessor's time. */
export const CLOCK_STEP_MS = 5000;

/** Taken by every writer that appends to the chain or seals it; the triggers take it too. */
export const LEDGER_LOCK = 'select pg_advisory_xact_lock(7203114)';

export function ledgerStore(database: Database): LedgerStore {
  return {
    async append(records) {
      for (const { record, documentText } of records)
        if (sha256Hex(documentText) !== record.document) throw new RangeError('A record names a different document.');
      return await database.transaction(OWNER, (tx) => appendWithin(tx, records));
    },
  };
}

interface Head {
  seq: number;
  hash: string | null;
  /** Epoch milliseconds: no new record may be issued before this. */
  earliestMs: number | null;
  /** Positions of the given records that already exist. */
  known: number[];
  [column: string]: unknown;
}

// A function with a cached plan: planning over all partitions would cost more than the query.
const HEAD = 'select seq, hash, earliest_ms as "earliestMs", known from private.track_head($1::text::jsonb)';

// Passes the hashes along: the tables check them, so the database does not hash ten kilobytes twice.
const INSERT = `
  with given as materialized (
    select * from json_to_recordset($1::text::json) as g
      (seq bigint, slot bigint, timeframe text, sym text, model text, version text, role text, market text, issued bigint, body text, hash text,
       document text, "documentHash" text)),
  documents as (
    insert into private.track_documents (hash, slot_s, body)
    select decode("documentHash", 'hex'), slot, document from given
    on conflict (hash) do nothing)
  insert into private.track_records (seq, slot_s, timeframe, sym, model, model_version, role, market_kind, issued_ms, body, hash)
  select seq, slot, timeframe, sym, model, version, role, market, issued, body, decode(hash, 'hex') from given order by seq`;

async function appendWithin(tx: Transaction, records: readonly ToAppend[]): Promise<Appended> {
  await tx.query(LEDGER_LOCK);
  const keys = records.map(({ record: { market, slot, tf, sym, model, role, version } }, place) => ({
    ...{ place, market, slot, tf, sym, model, role, version },
  }));
  const [head] = await tx.query<Head>(HEAD, [JSON.stringify(keys)]);
  if (head === undefined) throw new Error('The head of the chain returned no row.');
  const known = new Set(head.known);
  const seen = new Set<string>();
  const fresh = records.filter((_, place) => {
    const { place: _place, ...key } = keys[place] ?? { place };
    const name = JSON.stringify(key);
    if (known.has(place) || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
  const end = head.seq + fresh.length;
  // Once in a million records; usually a job has created the partition long before.
  if (Math.floor(end / RECORDS_A_PARTITION) > Math.floor(head.seq / RECORDS_A_PARTITION)) await makeRoomFor(tx, end);
  if (fresh.length > 0) await tx.query(INSERT, [JSON.stringify(chain(fresh, head))]);
  return { appended: fresh.map((_, i) => head.seq + 1 + i), skipped: records.length - fresh.length };
}

/** The new rows' columns. @throws ClockBehind */
function chain(fresh: readonly ToAppend[], head: Head): Record<string, unknown>[] {
  let { seq, earliestMs } = head;
  let prev = head.hash ?? NO_HASH;
  return fresh.map(({ record, documentText: document }) => {
    const behindMs = (earliestMs ?? record.issued) - record.issued;
    if (behindMs > CLOCK_STEP_MS) throw new ClockBehind(behindMs);
    const issued = Math.max(record.issued, earliestMs ?? 0);
    seq += 1;
    const full: RecordBody = { ...record, v: textVersionOf(record), seq, issued, prev };
    const body = recordText(full);
    const hash = sha256Hex(body);
    [prev, earliestMs] = [hash, issued];
    const { slot, sym, model, version, role, market, document: documentHash } = record;
    const timeframe = timeframeOfRecord(record);
    return { seq, slot, timeframe, sym, model, version, role, market, issued, body, hash, document, documentHash };
  });
}

/** As supabase/migrations/20261130080000_record.sql. */
export const RECORDS_A_PARTITION = 1_000_000;

/** Creates missing partitions for all numbers up to `seq`. Takes the chain's lock, so concurrent calls are safe. */
export async function makeRoomFor(queries: Queries, seq: number): Promise<number> {
  const [row] = await queries.query<{ created: number }>(
    'select private.make_track_partitions($1::bigint) as created',
    [seq],
  );
  return row?.created ?? 0;
}

/** Done ahead, so that no forecast waits for it. @returns how many partitions were created */
export async function makeRoomAhead(database: Database, aheadRecords: number): Promise<number> {
  const queries = asOwner(database);
  const [head] = await queries.query<{ seq: number }>('select coalesce(max(seq), 0) as seq from private.track_records');
  return makeRoomFor(queries, (head?.seq ?? 0) + aheadRecords);
}
