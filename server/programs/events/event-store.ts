/**
 * Events from the database. Records are numbered in the order of their commits, so that none is missed. An outcome's
 * time is that of its transaction's start, so outcomes are read once they are older than any transaction.
 */
import * as z from 'zod/mini';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import { timeframeOfText } from '#domain/market/timeframes.ts';
import { readRecordText, timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { revealTimeS } from '#domain/record/ledger/reveal.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import { isoOf } from '../readings/forecast-shapes.ts';
import { callerOf, type KeyOwner } from '../readings/key-owner.ts';
import type { EventCursor } from './event-cursor.ts';
import type { IssuedEvent, OutcomeEvent } from './event-shapes.ts';

/** Longer than a transaction may take. */
const SETTLE_S = 10;
/** Events in one read. */
const PAGE = 500;
/** Older ones are left out after a long break: about a day of records. */
export const MOST_RECORDS = 15_000;
const MOST_US = 26 * 3600 * 1e6;

export interface Issued {
  seq: number;
  data: IssuedEvent;
}

export interface Scored {
  seq: number;
  us: number;
  /** Null for an outcome that is no forecast's: a reader only passes it. */
  data: OutcomeEvent | null;
}

export interface EventStore {
  /** Where a reader without a cursor begins: after everything that is known now. */
  head(): Promise<EventCursor>;
  issuedAfter(seq: number): Promise<Issued[]>;
  scoredAfter(cursor: Pick<EventCursor, 'scoredUs' | 'scoredSeq'>): Promise<Scored[]>;
  /** Read as the owner under row-level security. */
  ownAfter(owner: KeyOwner, ownUs: number): Promise<Scored[]>;
}

const headRow = z.object({ seq: z.number(), us: z.number() });
const issuedRow = z.object({ seq: z.number(), hash: z.string(), text: z.string() });
const scoredRow = z.object({
  seq: z.number(),
  us: z.number(),
  text: z.nullable(z.string()),
  state: z.enum(['known', 'void']),
  reason: z.nullable(z.string()),
});
const ownRow = z.object({
  id: z.string(),
  us: z.number(),
  sym: z.string(),
  model: z.string(),
  timeframe: z.string(),
  market: z.enum(MARKET_KINDS),
  state: z.enum(['known', 'void']),
  reason: z.nullable(z.string()),
});

const usOf = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint`;
const SETTLED = `now() - interval '${SETTLE_S} seconds'`;

export function eventStore(database: Database): EventStore {
  const queries = asOwner(database);
  return {
    async head() {
      const rows = await queries.query(
        `select (select coalesce(max(seq), 0) from private.track_records) as seq, ${usOf(SETTLED)} as us`,
      );
      const { seq, us } = headRow.parse(rows[0]);
      return { seq, scoredUs: us, scoredSeq: 0, ownUs: us };
    },

    async issuedAfter(seq) {
      const rows = await queries.query(
        `select r.seq, encode(r.hash, 'hex') as hash, r.body as text from private.track_records r
          where r.seq > $1::bigint and r.window_min = 0 order by r.seq limit ${PAGE}`,
        [seq],
      );
      return rows.map((row) => {
        const { seq: number, hash, text } = issuedRow.parse(row);
        const body = recordOf(text);
        return {
          seq: number,
          data: {
            ...keyOf(body),
            modelVersion: body.version,
            role: body.role,
            hash,
            issuedAt: isoOf(body.issued / 1000),
            opensAt: isoOf(revealTimeS(body)),
          },
        };
      });
    },

    async scoredAfter({ scoredUs, scoredSeq }) {
      const rows = await queries.query(
        `select s.seq, ${usOf('s.scored_at')} as us, s.state, s.void_reason as reason,
             case when r.window_min = 0 then r.body end as text
           from (select s.* from private.track_scores s
                  where (s.scored_at, s.seq) > (timestamptz 'epoch' + $1::bigint * interval '1 microsecond', $2::bigint)
                    and s.scored_at <= ${SETTLED}
                  order by s.scored_at, s.seq limit ${PAGE}) s
           join private.track_records r on r.seq = s.seq order by s.scored_at, s.seq`,
        [scoredUs, scoredSeq],
      );
      return rows.map((row) => {
        const { seq, us, text, state, reason } = scoredRow.parse(row);
        if (text === null) return { seq, us, data: null };
        return { seq, us, data: { ...keyOf(recordOf(text)), owner: 'house', state, voidReason: reason } };
      });
    },

    async ownAfter(owner, ownUs) {
      const rows = await database.query(
        callerOf(owner),
        `select o.prediction_id::text as id, ${usOf('o.resolved_at')} as us, o.sym, p.model, p.timeframe, o.state,
                o.market_kind as market, o.void_reason as reason
           from public.prediction_outcomes o join public.user_predictions p on p.id = o.prediction_id
          where o.user_id = $1::text::uuid
            and o.resolved_at > timestamptz 'epoch' + $2::bigint * interval '1 microsecond'
            and o.resolved_at <= ${SETTLED}
          order by o.resolved_at limit ${PAGE}`,
        [owner.userId, ownUs],
      );
      return rows.flatMap((row) => {
        const { id, us, sym, model, timeframe, market, state, reason } = ownRow.parse(row);
        const name = modelOfBackendName(model)?.name;
        const length = timeframeOfText(timeframe);
        if (name === undefined || length === null) return [];
        const data = { id, symbol: sym, model: name, timeframe: length, market, state, voidReason: reason };
        return [{ seq: 0, us, data: { ...data, owner: 'you' as const } }];
      });
    },
  };
}

/** Begins later where too much was missed. @param head where a reader without a cursor begins */
export function boundedCursor(cursor: EventCursor, head: EventCursor): { cursor: EventCursor; isGap: boolean } {
  const least = { seq: head.seq - MOST_RECORDS, us: head.scoredUs - MOST_US };
  const isGap = cursor.seq < least.seq || cursor.scoredUs < least.us || cursor.ownUs < least.us;
  const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
  return {
    isGap,
    cursor: {
      seq: within(cursor.seq, least.seq, head.seq),
      scoredUs: within(cursor.scoredUs, least.us, head.scoredUs),
      scoredSeq: cursor.scoredSeq,
      ownUs: within(cursor.ownUs, least.us, head.ownUs),
    },
  };
}

function recordOf(text: string) {
  const body = readRecordText(text);
  if (body === null) throw new Error('The database contains an invalid record.');
  return body;
}

function keyOf(body: ReturnType<typeof recordOf>) {
  const { seq, sym, model, market } = body;
  return { id: String(seq), symbol: sym, model, timeframe: timeframeOfRecord(body), market };
}
