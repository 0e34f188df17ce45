/** The record as published: days, pages of records, single ones. Read-only. */
import * as z from 'zod/mini';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { RECORDED_WINDOWS, type RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import { DAY_S, dayStartS } from '#domain/record/ledger/day-statement.ts';
import { timeframeField } from '#domain/record/ledger/ledger.ts';
import { type SealedRecord, type SignedDay, sealedRecordSchema } from '#domain/record/ledger/record-files.ts';
import { type Database, OWNER, type Row } from '../../platform/database/database.ts';
import { firstFrom, firstSealable, revealedSql } from '../figures/day-store.ts';
import type { Reveal } from '../reveal.ts';
import { DOCUMENT_HASH } from './document-store.ts';

export interface DayState extends SignedDay {
  /** Numbers of the day's records. */
  first: number;
  last: number;
  /** How many of them are scored or void; both only grow. */
  scored: number;
}

/** Revealed or not: the caller decides which parts are shown. */
export interface StoredRecord extends SealedRecord {
  record: string;
  score: unknown;
}

export interface StoredRecordWithDocument extends StoredRecord {
  document: string | null;
}

export interface ProofParts {
  statement: string;
  signature: string;
  /** Hashes of the records of the same hour, hex, in order. */
  hashes: string[];
  hourS: number;
  /** Number of the hour's first record. */
  first: number;
}

export interface PublishedStore {
  /** @returns null for a day without records */
  day(day: string): Promise<DayState | null>;
  /** Signed days before `before`, the newest first. */
  days(
    before: string | null,
    limit: number,
  ): Promise<{ day: string; statement: string; signature: string; key: string }[]>;
  /** How many of a day's records are not revealed yet. */
  sealed(day: Pick<DayState, 'first' | 'last'>, reveal: Reveal): Promise<number>;
  /** In order, from `first` to `last`, at most `limit`. */
  records(first: number, last: number, limit: number): Promise<StoredRecord[]>;
  record(seq: number): Promise<StoredRecordWithDocument | null>;
  /** @returns null until the record's day is signed */
  proof(seq: number): Promise<ProofParts | null>;
}

const SIGNATURE = "replace(encode(d.signature, 'base64'), E'\\n', '') as signature";
/** In the format of the files. */
const SCORE =
  "case s.state when 'known' then s.score when 'void' then jsonb_build_object('void', s.void_reason) end as score";

const KEY = `r.seq, r.slot_s as slot, r.timeframe, r.window_min, r.issued_ms as issued, r.sym, r.model, r.model_version as version, r.role, r.market_kind as market,
  encode(r.hash, 'hex') as hash`;

const stateRows = z.array(
  z.object({
    scored: z.number(),
    statement: z.nullable(z.string()),
    signature: z.nullable(z.string()),
    key: z.nullable(z.string()),
  }),
);
const dayRows = z.array(z.object({ day: z.string(), statement: z.string(), signature: z.string(), key: z.string() }));
const lineSchema = z.extend(z.omit(sealedRecordSchema, { tf: true, window: true }), {
  timeframe: z.enum(TIMEFRAMES),
  /** 0: a forecast. */
  window_min: z.literal([0, ...RECORDED_WINDOWS]),
  record: z.string(),
  score: z.unknown(),
});
const lineRows = z.array(lineSchema);
const recordRows = z.array(z.extend(lineSchema, { document: z.nullable(z.string()) }));
const countRows = z.array(z.object({ count: z.number() }));
const proofRows = z.array(
  z.object({
    statement: z.string(),
    signature: z.string(),
    hashes: z.array(z.string()),
    hourS: z.number(),
    first: z.number(),
  }),
);

export function publishedStore(database: Database): PublishedStore {
  const read = (text: string, params: readonly unknown[]): Promise<Row[]> => database.query(OWNER, text, params);
  return {
    async day(day) {
      const startMs = dayStartS(day) * 1000;
      const first = await firstFrom(database, startMs);
      const last = (await firstFrom(database, startMs + DAY_S * 1000)) - 1;
      if (last < first) return null;
      const [row] = stateRows.parse(
        await read(
          `select d.statement, ${SIGNATURE}, d.key_id as key,
                  (select count(*) from private.track_scores s where s.seq between $2::bigint and $3::bigint) as scored
             from (select) as always left join private.track_days d on d.day = $1::text::date`,
          [day, first, last],
        ),
      );
      return row === undefined ? null : { ...row, first, last };
    },
    async sealed({ first, last }, reveal) {
      const bounds = MARKET_KINDS.map((market) => ({ market, ...reveal(market) }));
      // The bound by our clock is the same for every kind.
      const issuedEndMs = Math.min(...bounds.map((of) => of.issuedEndMs));
      const from = Math.max(first, await firstSealable(database, { issuedEndMs }));
      const [row] = countRows.parse(
        await read(
          `select count(*) as count from private.track_records r
             join jsonb_to_recordset($3::text::jsonb) as b (market text, "endS" bigint, "issuedEndMs" bigint)
               on b.market = r.market_kind
            where r.seq between $1::bigint and $2::bigint and not (${revealedSql('b."endS"', 'b."issuedEndMs"')})`,
          [from, last, JSON.stringify(bounds)],
        ),
      );
      return row?.count ?? 0;
    },
    days: async (before, limit) =>
      dayRows.parse(
        await read(
          `select d.day::text as day, d.statement, ${SIGNATURE}, d.key_id as key from private.track_days d
            where d.day < coalesce($1::text::date, 'infinity') order by d.day desc limit $2::int`,
          [before, limit],
        ),
      ),
    records: async (first, last, limit) =>
      lineRows
        .parse(
          await read(
            `select ${KEY}, r.body as record, ${SCORE}
             from (select r.* from private.track_records r
                    where r.seq between $1::bigint and $2::bigint order by r.seq limit $3::int) r
             left join private.track_scores s on s.seq = r.seq order by r.seq`,
            [first, last, limit],
          ),
        )
        .map(withKind),
    async record(seq) {
      const rows = await read(
        `select ${KEY}, r.body as record, d.body as document, ${SCORE}
           from private.track_records r
           left join private.track_documents d on d.hash = ${DOCUMENT_HASH}
           left join private.track_scores s on s.seq = r.seq
          where r.seq = $1::bigint`,
        [seq],
      );
      const [row] = recordRows.parse(rows);
      return row === undefined ? null : withKind(row);
    },
    async proof(seq) {
      const rows = await read(
        `select d.statement, ${SIGNATURE}, h.hour_s as "hourS", h.first_seq as first,
                (select jsonb_agg(encode(r.hash, 'hex') order by r.seq) from private.track_records r
                  where r.seq >= h.first_seq and r.seq < h.first_seq + h.count) as hashes
           from private.track_records own
           join private.track_hours h on h.hour_s = own.issued_ms / 3600000 * 3600
           join private.track_days d on d.day = (to_timestamp(h.hour_s) at time zone 'UTC')::date
          where own.seq = $1::bigint`,
        [seq],
      );
      return proofRows.parse(rows)[0] ?? null;
    },
  };
}

/** A row as the files have it. */
function withKind<Row extends { timeframe: Timeframe; window_min: 0 | RecordedWindow }>({
  timeframe,
  window_min: window,
  ...row
}: Row) {
  return { ...row, ...timeframeField(timeframe), ...(window !== 0 && { window }) };
}
