/** Data of the board: a user's own judged predictions, the models' hourly records, and the community's votes. */
import * as z from 'zod/mini';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { BoardCall } from '#domain/record/figures/board.ts';
import { LN_UNITS } from '#domain/record/ledger/ledger.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

export interface HourlyRecord {
  model: ModelName;
  /** Epoch seconds of the market's time: a whole hour. */
  slotS: number;
  /** Epoch milliseconds by our clock. */
  issuedMs: number;
  drawnBp: number;
  actualBp: number;
}

export interface HourOfVotes {
  /** Epoch seconds: a whole hour of our clock. */
  hourS: number;
  up: number;
  down: number;
}

export interface BoardSeries {
  market: MarketKind;
  sym: string;
  timeframe: Timeframe;
}

export interface BoardStore {
  /** This user's newest predictions with a known outcome, at most 2,000. `sinceS` is market time. */
  ownCalls(userId: string, series: BoardSeries, sinceS: number): Promise<BoardCall[]>;
  /** Forecasts shown at whole hours, with a known outcome; one per model and hour. Both bounds are whole hours. */
  hourlyRecords(series: BoardSeries, fromS: number, toS: number): Promise<HourlyRecord[]>;
  /** Votes of verified accounts only: unverified ones cost nothing to create. */
  votesByHour(sinceMs: number): Promise<HourOfVotes[]>;
}

const price = z.coerce.number().check(z.positive());
const ownSchema = z.array(z.object({ join_s: z.coerce.number(), last: price, drawn: price, actual: price }));
const recordsSchema = z.array(
  z.object({
    model: z.enum(MODEL_NAMES),
    slot_s: z.coerce.number(),
    issued_ms: z.coerce.number(),
    drawn: z.coerce.number(),
    actual: z.coerce.number(),
  }),
);
const votesSchema = z.array(z.object({ hour_s: z.coerce.number(), up: z.coerce.number(), down: z.coerce.number() }));

/** Basis points of ln in the integer units of a record. */
const UNITS_PER_BP = LN_UNITS / 10_000;
/** At worst some 40 MB of saved candles are read, so a user without a limit still gets an answer. */
const MOST_OWN = 2000;

export function boardStore(database: Database): BoardStore {
  const queries = asOwner(database);
  return {
    async ownCalls(userId, { market, sym, timeframe }, sinceS) {
      const rows = await queries.query(
        // Candles inserted by hand may be malformed and lack a price.
        `select * from (
           select o.join_s, p.data -> 149 ->> 'close' as last, p.data -> 199 ->> 'close' as drawn,
                  o.candles -> 49 ->> 'close' as actual
             from public.prediction_outcomes o join public.user_predictions p on p.id = o.prediction_id
            where o.user_id = $1::text::uuid and o.state = 'known' and o.timeframe = $5::text and o.market_kind = $2::text and o.sym = $3::text
              and o.join_s >= $4::bigint
            order by o.join_s desc, p.created_at limit ${MOST_OWN}) newest
          where last is not null and drawn is not null and actual is not null`,
        [userId, market, sym, Math.floor(sinceS), timeframe],
      );
      return ownSchema.parse(rows).map(({ join_s, last, drawn, actual }) => ({
        joinS: join_s,
        drawnBp: 10_000 * Math.log(drawn / last),
        actualBp: 10_000 * Math.log(actual / last),
      }));
    },
    async hourlyRecords({ market, sym, timeframe }, fromS, toS) {
      const rows = await queries.query(
        // Hour by hour, in the unique index's order so that the planner uses it: of a year's records only these few are
        // read, whatever its statistics. The fifth scored bar is bar 50.
        `select m.model, h.slot_s, r.issued_ms, r.body::json -> 'path' ->> 4 as drawn, r.actual
           from generate_series($3::bigint, $4::bigint, 3600) as h (slot_s)
          cross join unnest($5::text[]) as m (model)
          cross join lateral (
            select t.issued_ms, t.body,
                   (select s.score -> 'actual' ->> 4 from private.track_scores s where s.seq = t.seq and s.state = 'known') as actual
              from private.track_records t
             where t.market_kind = $1::text and t.slot_s = h.slot_s and t.sym = $2::text and t.model = m.model
               and t.role = 'serving' and t.timeframe = $6::text and t.window_min = 0
             order by t.model_version limit 1) r
          where r.actual is not null
          order by h.slot_s, m.model`,
        [market, sym, fromS, toS, [...MODEL_NAMES], timeframe],
      );
      return recordsSchema.parse(rows).map(({ model, slot_s, issued_ms, drawn, actual }) => ({
        model,
        slotS: slot_s,
        issuedMs: issued_ms,
        drawnBp: drawn / UNITS_PER_BP,
        actualBp: actual / UNITS_PER_BP,
      }));
    },
    async votesByHour(sinceMs) {
      const rows = await queries.query(
        `select floor(extract(epoch from v.created_at) / 3600) * 3600 as hour_s,
                count(*) filter (where v.direction = 'up') as up, count(*) filter (where v.direction = 'down') as down
           from private.votes v
          where v.currency = 'btc' and v.is_verified and v.created_at >= to_timestamp($1::float8 / 1000)
          group by 1 order by 1`,
        [sinceMs],
      );
      return votesSchema.parse(rows).map(({ hour_s, up, down }) => ({ hourS: hour_s, up, down }));
    },
  };
}
