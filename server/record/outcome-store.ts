/** Predictions that wait for their outcome, and the outcomes. Each statement is idempotent. */
import * as z from 'zod/mini';
import type { Candle } from '#domain/market/candle.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import type { VoidReason } from '#domain/record/scoring/outcome.ts';
import type { PathScore } from '#domain/record/scoring/scoring.ts';
import { asOwner, type Database } from '../platform/database/database.ts';

/** Real candles before the forecast, read with it to identify its market. */
export const TAIL_BARS = 10;

export interface DueOutcome {
  predictionId: string;
  sym: string;
  marketKind: MarketKind;
  timeframe: Timeframe;
  /** Epoch seconds. */
  joinS: number;
  /** The last ten of the saved history and the 50 forecast ones, as stored in the database. */
  candles: unknown;
}

export type Resolution = { predictionId: string } & (
  | { state: 'known'; candles: readonly Candle[]; score: PathScore }
  | { state: 'void'; reason: VoidReason }
  | { state: 'later'; nextTryMs: number }
);

export interface OutcomeStore {
  /** Predictions due at `nowMs`, the longest waiting first. */
  due(nowMs: number, limit: number): Promise<DueOutcome[]>;
  /** Stores the outcomes of waiting predictions, and the next check's time for the others. */
  resolve(resolutions: readonly Resolution[], nowMs: number): Promise<void>;
  /** For predictions inserted without a stream: the demo's. An existing row stays. */
  await(waiting: WaitingOutcome): Promise<void>;
}

export interface WaitingOutcome {
  predictionId: string;
  marketKind: MarketKind;
  sym: string;
  timeframe: Timeframe;
  joinS: number;
}

const dueSchema = z.array(
  z.object({
    predictionId: z.string(),
    sym: z.string(),
    marketKind: z.enum(MARKET_KINDS),
    timeframe: z.enum(TIMEFRAMES),
    joinS: z.number(),
    candles: z.unknown(),
  }),
);

export function outcomeStore(database: Database): OutcomeStore {
  const queries = asOwner(database);
  return {
    async due(nowMs, limit) {
      const rows = await queries.query(
        // Selected first: otherwise each batch would read the candles of all due predictions.
        `with due as materialized (
           select o.prediction_id, o.sym, o.market_kind, o.timeframe, o.join_s, o.next_try_at
             from public.prediction_outcomes o
            where o.state = 'waiting' and o.next_try_at <= $1::text::timestamptz
            order by o.next_try_at limit $2::int)
         select due.prediction_id as "predictionId", due.sym, due.market_kind as "marketKind", due.timeframe,
           due.join_s as "joinS",
           jsonb_path_query_array(p.data, '$[140 to 199]') as candles
           from due join public.user_predictions p on p.id = due.prediction_id
          order by due.next_try_at`,
        [new Date(nowMs).toISOString(), limit],
      );
      return dueSchema.parse(rows);
    },
    async resolve(resolutions, nowMs) {
      await queries.query(
        `update public.prediction_outcomes o
            set state = r.state, void_reason = r.void_reason, candles = r.candles, score = r.score,
                next_try_at = coalesce(r.next_try_at, o.next_try_at),
                resolved_at = case when r.state = 'waiting' then null else $2::text::timestamptz end
           from jsonb_to_recordset($1::text::jsonb) as r (
             prediction_id uuid, state text, void_reason text, candles jsonb, score jsonb, next_try_at timestamptz)
          where o.prediction_id = r.prediction_id and o.state = 'waiting'`,
        [JSON.stringify(resolutions.map(toRecord)), new Date(nowMs).toISOString()],
      );
    },
    async await({ predictionId, marketKind, sym, timeframe, joinS }) {
      await queries.query(
        `insert into public.prediction_outcomes
           (prediction_id, user_id, market_kind, sym, timeframe, join_s, due_at, next_try_at)
         select p.id, p.user_id, $2::text, $3::text, $5::text, $4::bigint, d.due_at, d.due_at
           from public.user_predictions p, private.outcome_due_at($4::bigint, p.created_at, $5::text) d (due_at)
          where p.id = $1::text::uuid
         on conflict (prediction_id) do nothing`,
        [predictionId, marketKind, sym, joinS, timeframe],
      );
    },
  };
}

function toRecord(resolution: Resolution): Record<string, unknown> {
  const { predictionId: prediction_id } = resolution;
  switch (resolution.state) {
    case 'known':
      return { prediction_id, state: 'known', candles: resolution.candles, score: resolution.score };
    case 'void':
      return { prediction_id, state: 'void', void_reason: resolution.reason };
    case 'later':
      return { prediction_id, state: 'waiting', next_try_at: new Date(resolution.nextTryMs).toISOString() };
  }
}
