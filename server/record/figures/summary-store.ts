/** The page's computed answers, one per market kind, timeframe and period, and the records that they list. */
import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { recordCard, sealedCard } from '#domain/record/figures/record-card.ts';
import {
  type ListedRecord,
  type RecordCard,
  type TrackPeriod,
  type TrackSummary,
  trackSummarySchema,
} from '#domain/record/figures/track-summary.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { Reveal } from '../reveal.ts';
import { firstSealable, revealedSql } from './day-store.ts';
import { readJudged, type StoredJudgedRecord } from './judged-records.ts';

export interface CardQuestion {
  market: MarketKind;
  timeframe: Timeframe;
  /** Records before this one; null: the newest. */
  before: number | null;
  sym: string | null;
  model: ModelName | null;
  /** Null: revealed and sealed ones. */
  isSealed: boolean | null;
  limit: number;
}

export interface SummaryStore {
  write(summary: TrackSummary): Promise<void>;
  /** When the answer was computed; null before the first. */
  computedMs(market: MarketKind, timeframe: Timeframe, period: TrackPeriod): Promise<number | null>;
  read(market: MarketKind, timeframe: Timeframe, period: TrackPeriod): Promise<TrackSummary | null>;
  /** Records of forecasts shown to users, newest first. */
  cards(question: CardQuestion): Promise<ListedRecord[]>;
  latest(market: MarketKind, timeframe: Timeframe, limit: number): Promise<RecordCard[]>;
  /** How many records of forecasts shown to users are not revealed yet. */
  sealedCount(market: MarketKind, timeframe: Timeframe): Promise<number>;
  /** Missing forecasts of users' models by reason: slots in the span, per symbol and model from its first one on. */
  missReasons(
    market: MarketKind,
    timeframe: Timeframe,
    span: { fromS: number; endS: number },
    first: readonly { sym: string; model: ModelName; firstSlotS: number }[],
  ): Promise<TrackSummary['missReasons']>;
  /** In the given order; missing records are left out. */
  cardsOf(seqs: readonly number[]): Promise<RecordCard[]>;
}

/** An answer of an older release with other fields is ignored: the next round computes it again. */
const storedSchema = z.object({ summary: trackSummarySchema, latest: z.nullable(trackSummarySchema.shape.latest) });

/** SQL: what users see of the market $1. */
const SERVING = "r.market_kind = $1::text and r.role = 'serving' and r.window_min = 0";

export function summaryStore(database: Database, reveal: Reveal): SummaryStore {
  const queries = asOwner(database);

  async function newestFirst(question: CardQuestion): Promise<StoredJudgedRecord[]> {
    const { market, timeframe, before, sym, model, isSealed, limit } = question;
    const bounds = reveal(market);
    return readJudged(
      queries,
      {
        where: `${SERVING} and r.timeframe = $10::text and ($2::bigint is null or r.seq < $2::bigint)
          and ($3::text is null or r.sym = $3::text) and ($4::text is null or r.model = $4::text)
          and ($6::boolean is null or $6::boolean = not (${revealedSql('$7', '$8')})) and r.seq >= $9::bigint`,
        isNewestFirst: true,
        limit: '$5::int',
      },
      [
        market,
        before,
        sym,
        model,
        limit,
        isSealed,
        bounds.endS,
        bounds.issuedEndMs,
        isSealed === true ? await firstSealable(database, bounds, [timeframe]) : 0,
        timeframe,
      ],
    );
  }

  return {
    async write(summary) {
      await queries.query(
        `insert into private.track_summaries as t (market_kind, period, summary, computed_at, timeframe)
         values ($1::text, $2::text, $3::text::jsonb, to_timestamp($4::float8 / 1000), $5::text)
         on conflict (market_kind, period, timeframe) do update
           set summary = excluded.summary, computed_at = excluded.computed_at`,
        [summary.market, summary.period, JSON.stringify(summary), summary.computedMs, timeframeOfRecord(summary)],
      );
    },
    async computedMs(market, timeframe, period) {
      const [row] = await queries.query<{ ms: number }>(
        `select (extract(epoch from computed_at) * 1000)::float8 as ms
           from private.track_summaries where market_kind = $1::text and period = $2::text and timeframe = $3::text`,
        [market, period, timeframe],
      );
      return row?.ms ?? null;
    },
    async read(market, timeframe, period) {
      const [row] = await queries.query(
        // The newest forecasts are the same for every period, and the shortest is recomputed most often.
        `select t.summary, n.summary -> 'latest' as latest
           from private.track_summaries t
           left join private.track_summaries n
             on n.market_kind = t.market_kind and n.timeframe = t.timeframe and n.period = '7d'
          where t.market_kind = $1::text and t.period = $2::text and t.timeframe = $3::text`,
        [market, period, timeframe],
      );
      const stored = storedSchema.safeParse(row);
      if (!stored.success) return null;
      return { ...stored.data.summary, latest: stored.data.latest ?? stored.data.summary.latest };
    },
    async cards(question) {
      const bounds = reveal(question.market);
      const records = await newestFirst(question);
      return records.map(({ body, hash, score }) =>
        isRevealed(body, bounds) ? recordCard(body, score) : sealedCard(body, hash),
      );
    },
    async latest(market, timeframe, limit) {
      const records = await newestFirst({
        market,
        timeframe,
        before: null,
        sym: null,
        model: null,
        isSealed: false,
        limit,
      });
      return records.map(({ body, score }) => recordCard(body, score));
    },
    async sealedCount(market, timeframe) {
      const bounds = reveal(market);
      const [row] = await queries.query<{ count: number }>(
        `select count(*)::int as count from private.track_records r
          where ${SERVING} and r.timeframe = $5::text and r.seq >= $2::bigint
            and not (${revealedSql('$3', '$4')})`,
        [market, await firstSealable(database, bounds, [timeframe]), bounds.endS, bounds.issuedEndMs, timeframe],
      );
      return row?.count ?? 0;
    },
    async missReasons(market, timeframe, { fromS, endS }, first) {
      const rows = await queries.query<{ reason: string; count: number }>(
        `select m.reason, count(*)::int as count
           from private.track_misses m
           join jsonb_to_recordset($4::text::jsonb) as f (sym text, model text, "firstSlotS" bigint)
             on (f.sym, f.model) = (m.sym, m.model) and m.slot_s >= f."firstSlotS"
          where m.market_kind = $1::text and m.timeframe = $5::text and m.window_min = 0 and m.role = 'serving' and m.slot_s >= $2::bigint and m.slot_s < $3::bigint
            and not exists (select from private.track_records r
                             where (r.market_kind, r.slot_s, r.sym, r.model, r.role, r.timeframe, r.window_min)
                                 = (m.market_kind, m.slot_s, m.sym, m.model, m.role, m.timeframe, m.window_min))
          group by m.reason`,
        [market, fromS, endS, JSON.stringify(first), timeframe],
      );
      return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
    },
    async cardsOf(seqs) {
      const records = await readJudged(queries, { where: 'r.seq = any ($1::bigint[])' }, [[...seqs]]);
      const bySeq = new Map(records.map(({ body, score }) => [body.seq, recordCard(body, score)]));
      return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
    },
  };
}
