/** The stored blocks that the figures of chances are made from, and the chances that the blocks are made from. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { RECORDED_WINDOWS, type RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import {
  CHANCE_AT,
  CHANCE_DECILES,
  CHANCE_SUMS_WIDTH,
  type ChanceBlock,
  type JudgedChance,
} from '#domain/record/chances/chance-sums.ts';
import { BLOCK_S } from '#domain/record/figures/bootstrap.ts';
import { RECORD_ROLES } from '#domain/record/ledger/ledger.ts';
import { RECORD_VOID_REASONS } from '#domain/record/scoring/record-score.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { BlockPlace, Stale } from '../figures/block-store.ts';
import { readJudgedChances } from './judged-chances.ts';

export interface ChanceBlockStore {
  /** Places with chances issued or judged since their blocks were made. @param limit  most chances per round */
  stale(limit: number): Promise<Stale>;
  /** Chances of one block: some 900 short texts a model. */
  chances(place: BlockPlace, upTo: number): Promise<JudgedChance[]>;
  /** Writes all or none. Blocks that another process has advanced further stay as they are. */
  write(blocks: readonly ChanceBlock[]): Promise<void>;
  /** Those that users see, oldest first. */
  blocks(market: MarketKind, window: RecordedWindow, fromS: number): Promise<ChanceBlock[]>;
  /** Kinds of market with any block. */
  kinds(): Promise<MarketKind[]>;
  /** The first moment ever of each symbol. */
  firstSlots(market: MarketKind, window: RecordedWindow): Promise<{ sym: string; firstSlotS: number }[]>;
}

/** Scored chances of one window, minute within it and decile, and how many of the windows closed above their open. */
export interface ScoredChances {
  window: RecordedWindow;
  minute: number;
  /** 0: chances below 10%. */
  decile: number;
  count: number;
  happened: number;
}

const kind = z.enum(MARKET_KINDS);
const window = z.literal(RECORDED_WINDOWS);
const staleSchema = z.object({
  places: z.array(z.object({ market: kind, blockS: z.number() })),
  upTo: z.number(),
  head: z.number(),
});
const blockSchema = z.object({
  market: kind,
  blockS: z.number(),
  sym: z.string(),
  model: z.enum(MODEL_NAMES),
  version: z.string(),
  role: z.enum(RECORD_ROLES),
  window,
  elapsedMin: z.number(),
  firstSlotS: z.number(),
  lastSlotS: z.number(),
  lastSeq: z.number(),
  sums: z.array(z.number()).check(z.length(CHANCE_SUMS_WIDTH)),
});
const firstSlotSchema = z.object({ sym: z.string(), firstSlotS: z.number() });
const scoredSchema = z.object({
  window,
  minute: z.number(),
  decile: z.number(),
  count: z.coerce.number(),
  happened: z.coerce.number(),
});

export function chanceBlockStore(database: Database): ChanceBlockStore {
  const queries = asOwner(database);
  return {
    async stale(limit) {
      const [row] = await queries.query<{ stale: unknown }>(STALE, [limit]);
      const { places, upTo, head } = staleSchema.parse(row?.stale);
      return { places, upTo, isMore: head > upTo };
    },
    chances: ({ market, blockS }, upTo) =>
      readJudgedChances(
        queries,
        `r.market_kind = $1::text and r.window_min > 0 and r.slot_s >= $2::bigint and r.slot_s < $3::bigint
          and r.seq <= $4::bigint`,
        [market, blockS, blockS + BLOCK_S, upTo],
      ),
    async write(blocks) {
      if (blocks.length > 0) await queries.query(WRITE, [JSON.stringify(blocks.map(toRow))]);
    },
    async blocks(market, window, fromS) {
      const rows = await queries.query(
        `select market_kind as market, block_s as "blockS", sym, model, model_version as version, role, window_min as window,
                elapsed_min as "elapsedMin", first_slot_s as "firstSlotS", last_slot_s as "lastSlotS", last_seq as "lastSeq", sums
           from private.track_chance_blocks
          where market_kind = $1::text and window_min = $2::smallint and block_s >= $3::bigint and role = 'serving'
          order by block_s, sym, model, model_version, elapsed_min`,
        [market, window, fromS],
      );
      return rows.map((row) => {
        const { sums, ...block } = blockSchema.parse(row);
        return { ...block, sums: Float64Array.from(sums) };
      });
    },
    async kinds() {
      const rows = await queries.query<{ market: unknown }>(
        `select k as market from unnest($1::text[]) k
          where exists (select from private.track_chance_blocks b where b.market_kind = k)`,
        [[...MARKET_KINDS]],
      );
      return rows.map((row) => kind.parse(row.market));
    },
    async firstSlots(market, window) {
      const rows = await queries.query(
        `select sym, min(first_slot_s) as "firstSlotS" from private.track_chance_blocks
          where market_kind = $1::text and window_min = $2::smallint and role = 'serving' group by sym`,
        [market, window],
      );
      return rows.map((row) => firstSlotSchema.parse(row));
    },
  };
}

/**
 * How often recorded chances came true, by window, minute and decile. Only scored chances count, and their windows are
 * over: nothing here is sealed. @param sinceS  epoch seconds of the market's time
 */
export async function scoredChances(database: Database, market: MarketKind, sinceS: number): Promise<ScoredChances[]> {
  const rows = await asOwner(database).query(
    `select b.window_min as window, b.elapsed_min as minute, d.decile,
            sum((b.sums ->> (${CHANCE_AT.count} + d.decile))::bigint)::bigint as count,
            sum((b.sums ->> (${CHANCE_AT.happened} + d.decile))::bigint)::bigint as happened
       from private.track_chance_blocks b cross join generate_series(0, ${CHANCE_DECILES - 1}) as d (decile)
      where b.market_kind = $1::text and b.block_s >= $2::bigint and b.role = 'serving'
      group by 1, 2, 3 order by 1, 2, 3`,
    [market, Math.floor(sinceS)],
  );
  return rows.map((row) => scoredSchema.parse(row));
}

function toRow({ window: window_min, ...block }: ChanceBlock): Record<string, unknown> {
  const sums = [...block.sums];
  const judged = sums[CHANCE_AT.known] ?? 0;
  const voided = sums.slice(CHANCE_AT.void, CHANCE_AT.void + RECORD_VOID_REASONS.length).reduce((sum, n) => sum + n, 0);
  const issued = sums[CHANCE_AT.issued] ?? 0;
  return { ...block, window_min, sums, issued, waiting: issued - judged - voided };
}

/** The tables only grow: new chances are beyond a block's last one, and newly judged ones only in a waiting block. */
const STALE = `
with reached as (select coalesce(max(last_seq), 0) as seq from private.track_chance_blocks),
head as (
  select coalesce((select seq from private.track_records where window_min > 0 order by seq desc limit 1), 0) as seq),
fresh as materialized (
  select r.seq, r.market_kind, r.slot_s from private.track_records r
   where r.seq > (select seq from reached) and r.window_min > 0 order by r.seq limit $1::int),
upto as (select coalesce(max(fresh.seq), (select seq from reached)) as seq from fresh),
issued as (select distinct r.market_kind, r.slot_s / ${BLOCK_S} * ${BLOCK_S} as block_s from fresh r),
waiting as (select distinct market_kind, block_s from private.track_chance_blocks where waiting > 0),
judged as (
  select w.market_kind, w.block_s from waiting w
   where (select count(*) from private.track_records r join private.track_scores s using (seq)
           where r.market_kind = w.market_kind and r.window_min > 0
             and r.slot_s >= w.block_s and r.slot_s < w.block_s + ${BLOCK_S} and r.seq <= (select seq from reached))
         <> (select sum(b.issued - b.waiting) from private.track_chance_blocks b
              where b.market_kind = w.market_kind and b.block_s = w.block_s)),
places as (select * from issued union select * from judged)
select jsonb_build_object(
  'upTo', (select seq from upto), 'head', (select seq from head),
  'places', (select coalesce(jsonb_agg(jsonb_build_object('market', market_kind, 'blockS', block_s)), '[]') from places)
) as stale`;

const WRITE = `
insert into private.track_chance_blocks as b
  (market_kind, block_s, sym, model, model_version, role, window_min, elapsed_min, first_slot_s, last_slot_s, last_seq, issued, waiting, sums)
select market, "blockS", sym, model, version, role, window_min, "elapsedMin", "firstSlotS", "lastSlotS", "lastSeq", issued, waiting, sums
  from jsonb_to_recordset($1::text::jsonb) as g (
    market text, "blockS" bigint, sym text, model text, version text, role text, window_min smallint, "elapsedMin" smallint,
    "firstSlotS" bigint, "lastSlotS" bigint, "lastSeq" bigint, issued int, waiting int, sums jsonb)
on conflict (market_kind, block_s, sym, model, model_version, role, window_min, elapsed_min) do update
  set first_slot_s = excluded.first_slot_s, last_slot_s = excluded.last_slot_s, last_seq = excluded.last_seq, issued = excluded.issued,
      waiting = excluded.waiting, sums = excluded.sums, updated_at = now()
where excluded.issued >= b.issued and excluded.issued - excluded.waiting >= b.issued - b.waiting`;
