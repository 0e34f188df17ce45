/** The page's computed answers, one per market kind and period, and the records that they list. */
import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { recordCard, sealedCard } from '#domain/record/figures/record-card.ts';
import {
  type ListedRecord,
  type RecordCard,
  type TrackPeriod,
  type TrackSummary,
  trackSummarySchema,
} from '#domain/record/figures/track-summary.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { Reveal } from '../reveal.ts';
import { firstFrom } from './day-store.ts';
import { readJudged, type StoredJudgedRecord } from './judged-records.ts';

export interface CardQuestion {
  market: MarketKind;
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
  computedMs(market: MarketKind, period: TrackPeriod): Promise<number | null>;
  read(market: MarketKind, period: TrackPeriod): Promise<TrackSummary | null>;
  /** Records of forecasts shown to users, newest first. */
  cards(question: CardQuestion): Promise<ListedRecord[]>;
  latest(market: MarketKind, limit: number): Promise<RecordCard[]>;
  /** How many records of forecasts shown to users are not revealed yet. */
  sealedCount(market: MarketKind): Promise<number>;
  /** Missing forecasts of users' models by reason: slots in the span, per symbol and model from its first one on. */
  missReasons(
    market: MarketKind,
    span: { fromS: number; endS: number },
    first: readonly { sym: string; model: ModelName; firstSlotS: number }[],
  ): Promise<TrackSummary['missReasons']>;
  /** In the given order; missing records are left out. */
  cardsOf(seqs: readonly number[]): Promise<RecordCard[]>;
}

/** An answer of an older release with other fields is ignored: the next round computes it again. */
const storedSchema = z.object({ summary: trackSummarySchema, latest: z.nullable(trackSummarySchema.shape.latest) });

/** SQL of isRevealed for the row `r`. */
function revealed(slotS: string, issuedMs: string): string {
  return `r.slot_s <= ${slotS}::bigint or r.issued_ms <= ${issuedMs}::bigint`;
}

export function summaryStore(database: Database, reveal: Reveal): SummaryStore {
  const queries = asOwner(database);
  // All records before it are revealed, so a query for sealed ones need not scan a whole year.
  const firstSealable = (issuedMs: number): Promise<number> => firstFrom(database, issuedMs + 1);

  async function newestFirst(question: CardQuestion): Promise<StoredJudgedRecord[]> {
    const { market, before, sym, model, isSealed, limit } = question;
    const { slotS, issuedMs } = reveal(market);
    return readJudged(
      queries,
      {
        where: `r.market_kind = $1::text and r.role = 'serving' and ($2::bigint is null or r.seq < $2::bigint)
          and ($3::text is null or r.sym = $3::text) and ($4::text is null or r.model = $4::text)
          and ($6::boolean is null or $6::boolean = not (${revealed('$7', '$8')})) and r.seq >= $9::bigint`,
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
        slotS,
        issuedMs,
        isSealed === true ? await firstSealable(issuedMs) : 0,
      ],
    );
  }

  return {
    async write(summary) {
      await queries.query(
        `insert into private.track_summaries as t (market_kind, period, summary, computed_at)
         values ($1::text, $2::text, $3::text::jsonb, to_timestamp($4::float8 / 1000))
         on conflict (market_kind, period) do update
           set summary = excluded.summary, computed_at = excluded.computed_at`,
        [summary.market, summary.period, JSON.stringify(summary), summary.computedMs],
      );
    },
    async computedMs(market, period) {
      const [row] = await queries.query<{ ms: number }>(
        `select (extract(epoch from computed_at) * 1000)::float8 as ms
           from private.track_summaries where market_kind = $1::text and period = $2::text`,
        [market, period],
      );
      return row?.ms ?? null;
    },
    async read(market, period) {
      const [row] = await queries.query(
        // The newest forecasts are the same for every period, and the shortest is recomputed most often.
        `select t.summary, n.summary -> 'latest' as latest
           from private.track_summaries t
           left join private.track_summaries n on n.market_kind = t.market_kind and n.period = '7d'
          where t.market_kind = $1::text and t.period = $2::text`,
        [market, period],
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
    async latest(market, limit) {
      const records = await newestFirst({ market, before: null, sym: null, model: null, isSealed: false, limit });
      return records.map(({ body, score }) => recordCard(body, score));
    },
    async sealedCount(market) {
      const { slotS, issuedMs } = reveal(market);
      const [row] = await queries.query<{ count: number }>(
        `select count(*)::int as count from private.track_records r
          where r.market_kind = $1::text and r.role = 'serving' and r.seq >= $2::bigint and not (${revealed('$3', '$4')})`,
        [market, await firstSealable(issuedMs), slotS, issuedMs],
      );
      return row?.count ?? 0;
    },
    async missReasons(market, { fromS, endS }, first) {
      const rows = await queries.query<{ reason: string; count: number }>(
        `select m.reason, count(*)::int as count
           from private.track_misses m
           join jsonb_to_recordset($4::text::jsonb) as f (sym text, model text, "firstSlotS" bigint)
             on (f.sym, f.model) = (m.sym, m.model) and m.slot_s >= f."firstSlotS"
          where m.market_kind = $1::text and m.role = 'serving' and m.slot_s >= $2::bigint and m.slot_s < $3::bigint
            and not exists (select from private.track_records r
                             where (r.market_kind, r.slot_s, r.sym, r.model, r.role)
                                 = (m.market_kind, m.slot_s, m.sym, m.model, m.role))
          group by m.reason`,
        [market, fromS, endS, JSON.stringify(first)],
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
