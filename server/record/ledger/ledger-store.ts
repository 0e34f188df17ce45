/**
 * Appends forecasts and chances to the chain: the next number, the previous record's hash, the record and a forecast's
 * whole document in one transaction. The database allows one writer at a time across all processes.
 */

import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { chanceText, type UnsealedChance } from '#domain/record/ledger/chance-text.ts';
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
  /** The same for chances, which have no documents. @throws ClockBehind as append */
  appendChances(chances: readonly UnsealedChance[]): Promise<Appended>;
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
      return await database.transaction(OWNER, (tx) => appendWithin(tx, records.map(linkOfForecast)));
    },
    appendChances: (chances) => database.transaction(OWNER, (tx) => appendWithin(tx, chances.map(linkOfChance))),
  };
}

/** The columns that a record repeats of its text, and how its text is written once the chain gives it its place. */
interface UnchainedLink {
  key: Record<'market' | 'sym' | 'model' | 'role' | 'version', string> & {
    slot: number;
    tf?: string | undefined;
    window?: number | undefined;
  };
  issued: number;
  textOf(place: Pick<RecordBody, 'seq' | 'issued' | 'prev'>): string;
  columns: Record<string, unknown>;
}

function linkOfForecast({ record, documentText: document }: ToAppend): UnchainedLink {
  const { market, slot, tf, sym, model, role, version, document: documentHash } = record;
  return {
    key: { market, slot, tf, sym, model, role, version },
    issued: record.issued,
    textOf: (place) => recordText({ ...record, ...place, v: textVersionOf(record) }),
    columns: { timeframe: timeframeOfRecord(record), window: 0, document, documentHash },
  };
}

function linkOfChance(chance: UnsealedChance): UnchainedLink {
  const { market, slot, window, sym, model, role, version } = chance;
  return {
    key: { market, slot, window, sym, model, role, version },
    issued: chance.issued,
    textOf: (place) => chanceText({ ...chance, ...place, v: 3 }),
    columns: { timeframe: DEFAULT_TIMEFRAME, window, document: null, documentHash: null },
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
      (seq bigint, slot bigint, timeframe text, "window" smallint, sym text, model text, version text, role text, market text, issued bigint, body text, hash text,
       document text, "documentHash" text)),
  documents as (
    insert into private.track_documents (hash, slot_s, body)
    select decode("documentHash", 'hex'), slot, document from given where document is not null
    on conflict (hash) do nothing)
  insert into private.track_records (seq, slot_s, timeframe, window_min, sym, model, model_version, role, market_kind, issued_ms, body, hash)
  select seq, slot, timeframe, "window", sym, model, version, role, market, issued, body, decode(hash, 'hex') from given order by seq`;

async function appendWithin(tx: Transaction, records: readonly UnchainedLink[]): Promise<Appended> {
  await tx.query(LEDGER_LOCK);
  const keys = records.map(({ key }, place) => ({ place, ...key }));
  const [head] = await tx.query<Head>(HEAD, [JSON.stringify(keys)]);
  if (head === undefined) throw new Error('The head of the chain returned no row.');
  const known = new Set(head.known);
  const seen = new Set<string>();
  const fresh = records.filter(({ key }, place) => {
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
function chain(fresh: readonly UnchainedLink[], head: Head): Record<string, unknown>[] {
  let { seq, earliestMs } = head;
  let prev = head.hash ?? NO_HASH;
  return fresh.map((link) => {
    const behindMs = (earliestMs ?? link.issued) - link.issued;
    if (behindMs > CLOCK_STEP_MS) throw new ClockBehind(behindMs);
    const issued = Math.max(link.issued, earliestMs ?? 0);
    seq += 1;
    const body = link.textOf({ seq, issued, prev });
    const hash = sha256Hex(body);
    [prev, earliestMs] = [hash, issued];
    const { slot, sym, model, version, role, market } = link.key;
    return { seq, slot, sym, model, version, role, market, issued, body, hash, ...link.columns };
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
