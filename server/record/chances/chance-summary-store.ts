/** The page's computed answers about chances: one for each market kind, window and period. */
import type { MarketKind } from '#domain/market/symbols.ts';
import type { RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import { type ChanceSummary, chanceSummarySchema } from '#domain/record/chances/chance-summary.ts';
import type { TrackPeriod } from '#domain/record/figures/track-summary.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

export interface ChanceSummaryStore {
  write(summary: ChanceSummary): Promise<void>;
  /** When the answer was computed; null before the first. */
  computedMs(market: MarketKind, window: RecordedWindow, period: TrackPeriod): Promise<number | null>;
  read(market: MarketKind, window: RecordedWindow, period: TrackPeriod): Promise<ChanceSummary | null>;
  /** Missing chances by reason: moments in the span, per symbol from its first one on. */
  missReasons(
    market: MarketKind,
    window: RecordedWindow,
    span: { fromS: number; endS: number },
    first: readonly { sym: string; firstSlotS: number }[],
  ): Promise<Record<string, number>>;
}

export function chanceSummaryStore(database: Database): ChanceSummaryStore {
  const queries = asOwner(database);
  return {
    async write(summary) {
      await queries.query(
        `insert into private.track_chance_summaries as t (market_kind, period, window_min, summary, computed_at)
         values ($1::text, $2::text, $3::smallint, $4::text::jsonb, to_timestamp($5::float8 / 1000))
         on conflict (market_kind, period, window_min) do update
           set summary = excluded.summary, computed_at = excluded.computed_at`,
        [summary.market, summary.period, summary.window, JSON.stringify(summary), summary.computedMs],
      );
    },
    async computedMs(market, window, period) {
      const [row] = await queries.query<{ ms: number }>(
        `select (extract(epoch from computed_at) * 1000)::float8 as ms from private.track_chance_summaries
          where market_kind = $1::text and window_min = $2::smallint and period = $3::text`,
        [market, window, period],
      );
      return row?.ms ?? null;
    },
    async read(market, window, period) {
      const [row] = await queries.query<{ summary: unknown }>(
        `select summary from private.track_chance_summaries
          where market_kind = $1::text and window_min = $2::smallint and period = $3::text`,
        [market, window, period],
      );
      // An answer of another release with other fields is ignored: the next round computes it again.
      const read = chanceSummarySchema.safeParse(row?.summary);
      return read.success ? read.data : null;
    },
    async missReasons(market, window, { fromS, endS }, first) {
      const rows = await queries.query<{ reason: string; count: number }>(
        `select m.reason, count(*)::int as count
           from private.track_misses m
           join jsonb_to_recordset($5::text::jsonb) as f (sym text, "firstSlotS" bigint)
             on f.sym = m.sym and m.slot_s >= f."firstSlotS"
          where m.market_kind = $1::text and m.window_min = $2::smallint and m.role = 'serving'
            and m.slot_s >= $3::bigint and m.slot_s < $4::bigint
            and not exists (select from private.track_records r
                             where (r.market_kind, r.slot_s, r.sym, r.model, r.role, r.timeframe, r.window_min)
                                 = (m.market_kind, m.slot_s, m.sym, m.model, m.role, m.timeframe, m.window_min))
          group by m.reason`,
        [market, window, fromS, endS, JSON.stringify(first)],
      );
      return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
    },
  };
}
