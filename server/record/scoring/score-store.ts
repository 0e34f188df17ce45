/** Records that wait for their score, and the scores. Each statement is idempotent and safe when run concurrently. */
import * as z from 'zod/mini';
import type { MarketKind } from '#domain/market/symbols.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import type { ChanceScore } from '#domain/record/chances/chance-score.ts';
import type { RecordScore, RecordVoidReason } from '#domain/record/scoring/record-score.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import { DOCUMENT_HASH } from '../ledger/document-store.ts';

export interface WaitingRecord {
  seq: number;
  sym: string;
  timeframe: Timeframe;
  body: string;
  /** From its document; null without one. */
  venueId: string | null;
}

export type RecordResolution = { seq: number } & (
  | { state: 'known'; score: RecordScore | ChanceScore }
  | { state: 'void'; reason: RecordVoidReason }
  /** @property nextTryS  epoch seconds of the market's time */
  | { state: 'later'; nextTryS: number }
);

export interface ScoreStore {
  /** Records due by `nowS` (market time), at most `limit` per symbol's market, the longest waiting first. */
  due(markets: readonly { sym: string; kind: MarketKind }[], nowS: number, limit: number): Promise<WaitingRecord[]>;
  /** Stores the scores and postpones the others, in one statement. An existing score stays. */
  resolve(resolutions: readonly RecordResolution[]): Promise<void>;
  /** Voids waiting records issued before `issuedMs`, the oldest first: their candles were deleted. @returns how many */
  giveUp(issuedMs: number, limit: number): Promise<number>;
}

const waitingSchema = z.array(
  z.object({
    seq: z.int(),
    sym: z.string(),
    timeframe: z.enum(TIMEFRAMES),
    body: z.string(),
    venueId: z.nullable(z.string()),
  }),
);

export function scoreStore(database: Database): ScoreStore {
  const queries = asOwner(database);
  return {
    async due(markets, nowS, limit) {
      const rows = await queries.query(
        `select w.seq, w.sym, r.timeframe, r.body, d.body::json ->> 'venue' as "venueId"
           from jsonb_to_recordset($1::text::jsonb) as m (sym text, kind text)
          cross join lateral (
            select seq, sym, next_try_s from private.track_waiting
             where sym = m.sym and market_kind = m.kind and next_try_s <= $2::bigint
             order by next_try_s, seq limit $3::int) w
           join private.track_records r on r.seq = w.seq
           left join private.track_documents d on d.hash = ${DOCUMENT_HASH}
          order by w.next_try_s, w.seq`,
        [JSON.stringify(markets), Math.floor(nowS), limit],
      );
      return waitingSchema.parse(rows);
    },
    async resolve(resolutions) {
      await queries.query(
        `with r as materialized (
           select * from jsonb_to_recordset($1::text::jsonb)
             as r (seq bigint, state text, void_reason text, score jsonb, next_try_s bigint)),
         written as (
           insert into private.track_scores (seq, state, void_reason, score)
           select seq, state, void_reason, score from r where state <> 'later' order by seq
           on conflict (seq) do nothing),
         ended as (
           delete from private.track_waiting w using r where w.seq = r.seq and r.state <> 'later')
         update private.track_waiting w set next_try_s = r.next_try_s
           from r where w.seq = r.seq and r.state = 'later'`,
        [JSON.stringify(resolutions.map(toRow))],
      );
    },
    async giveUp(issuedMs, limit) {
      const [row] = await queries.query<{ count: number }>(
        `with old as materialized (
           select seq from private.track_waiting where issued_ms < $1::bigint order by issued_ms, seq limit $2::int),
         written as (
           insert into private.track_scores (seq, state, void_reason)
           select seq, 'void', 'candles-gone' from old order by seq
           on conflict (seq) do nothing),
         ended as (delete from private.track_waiting w using old where w.seq = old.seq)
         select count(*)::int as count from old`,
        [Math.floor(issuedMs), limit],
      );
      return row?.count ?? 0;
    },
  };
}

function toRow(resolution: RecordResolution): Record<string, unknown> {
  const { seq, state } = resolution;
  switch (state) {
    case 'known':
      return { seq, state, score: resolution.score };
    case 'void':
      return { seq, state, void_reason: resolution.reason };
    case 'later':
      return { seq, state, next_try_s: Math.ceil(resolution.nextTryS) };
  }
}
