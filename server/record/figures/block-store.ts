/** The stored blocks that the figures are made from, and the records that the blocks are made from. */
import { setImmediate as breathe } from 'node:timers/promises';
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { AT, SUMS_WIDTH } from '#domain/record/figures/block-sums.ts';
import { BLOCK_S } from '#domain/record/figures/bootstrap.ts';
import type { JudgedRecord, TrackBlock } from '#domain/record/figures/track-blocks.ts';
import { RECORD_ROLES } from '#domain/record/ledger/ledger.ts';
import { RECORD_VOID_REASONS } from '#domain/record/scoring/record-score.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import { readJudged } from './judged-records.ts';

/** Six hours of one market kind, of all timeframes. */
export interface BlockPlace {
  market: MarketKind;
  blockS: number;
}

export interface Stale {
  /** Blocks to rebuild, only from records up to `upTo`. */
  places: BlockPlace[];
  upTo: number;
  /** More records were issued than one round takes. */
  isMore: boolean;
}

export interface BlockStore {
  /**
   * Empties the table when it holds sums of an older release with another layout; they are rebuilt. A change to a sum's
   * meaning must change the number of sums, or empty the table by a migration.
   */
  forgetOthers(): Promise<void>;
  /** Places with records issued or judged since their blocks were made. @param limit  most records per round */
  stale(limit: number): Promise<Stale>;
  /** Records of one block, in pages: together they are some MB of text. */
  records(place: BlockPlace, upTo: number): AsyncGenerator<JudgedRecord[]>;
  /** Writes all or none. Blocks that another process has advanced further stay as they are. */
  write(blocks: readonly TrackBlock[]): Promise<void>;
  blocks(market: MarketKind, timeframe: Timeframe, fromS: number): Promise<TrackBlock[]>;
  /** Those with any block. */
  kinds(): Promise<{ market: MarketKind; timeframe: Timeframe }[]>;
  /** The first slot ever of each symbol and model that users see. */
  firstSlots(
    market: MarketKind,
    timeframe: Timeframe,
  ): Promise<{ sym: string; model: TrackBlock['model']; firstSlotS: number }[]>;
}

const kind = z.enum(MARKET_KINDS);
const ranked = z.array(z.readonly(z.tuple([z.int(), z.number()])));
const staleSchema = z.object({
  places: z.array(z.object({ market: kind, blockS: z.number() })),
  upTo: z.number(),
  head: z.number(),
});
const blockSchema = z.object({
  market: kind,
  blockS: z.number(),
  sym: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  model: z.enum(MODEL_NAMES),
  version: z.string(),
  role: z.enum(RECORD_ROLES),
  firstSlotS: z.number(),
  lastSlotS: z.number(),
  firstMs: z.number(),
  lastMs: z.number(),
  lastSeq: z.number(),
  sums: z.array(z.number()).check(z.length(SUMS_WIDTH)),
  extremes: z.object({ best: ranked, worst: ranked }),
});

/** Records per read: half a megabyte of text. */
const PAGE = 250;
/** Time span per read: ten days, some five hundred rows. */
const SPAN_S = 10 * 86_400;

export function blockStore(database: Database): BlockStore {
  const queries = asOwner(database);
  return {
    async forgetOthers() {
      await queries.query(
        `delete from private.track_blocks
          where exists (select from private.track_blocks where jsonb_array_length(sums) <> $1::int)`,
        [SUMS_WIDTH],
      );
    },
    async stale(limit) {
      const [row] = await queries.query<{ stale: unknown }>(STALE, [limit]);
      const { places, upTo, head } = staleSchema.parse(row?.stale);
      return { places, upTo, isMore: head > upTo };
    },
    async *records({ market, blockS }, upTo) {
      for (let after = 0; ; ) {
        const page = await readJudged(
          queries,
          {
            where: `r.market_kind = $1::text and r.window_min = 0 and r.slot_s >= $2::bigint and r.slot_s < $3::bigint
              and r.seq > $4::bigint and r.seq <= $5::bigint`,
            limit: `${PAGE}`,
          },
          [market, blockS, blockS + BLOCK_S, after, upTo],
        );
        if (page.length > 0) yield page;
        after = page.at(-1)?.body.seq ?? after;
        if (page.length < PAGE) return;
      }
    },
    async write(blocks) {
      if (blocks.length > 0) await queries.query(WRITE, [JSON.stringify(blocks.map(toRow))]);
    },
    async blocks(market, timeframe, fromS) {
      const read = (afterS: number, toS: number) =>
        queries.query(
          `select market_kind as market, block_s as "blockS", sym, timeframe, model, model_version as version, role,
                first_slot_s as "firstSlotS", last_slot_s as "lastSlotS", first_ms as "firstMs", last_ms as "lastMs", last_seq as "lastSeq",
                sums, extremes
           from private.track_blocks where market_kind = $1::text and timeframe = $4::text and block_s >= $2::bigint and block_s < $3::bigint
          order by block_s, sym, model, model_version, role`,
          [market, afterS, toS, timeframe],
        );
      const [span] = await queries.query<{ first: number | null; last: number | null }>(
        `select min(block_s) as first, max(block_s) as last
           from private.track_blocks where market_kind = $1::text and timeframe = $3::text and block_s >= $2::bigint`,
        [market, fromS, timeframe],
      );
      const blocks: TrackBlock[] = [];
      for (let atS = span?.first ?? 0; atS <= (span?.last ?? -1); atS += SPAN_S) {
        for (const row of await read(atS, atS + SPAN_S)) {
          const { sums, ...block } = blockSchema.parse(row);
          blocks.push({ ...block, sums: Float64Array.from(sums) });
        }
        // A year in one read would block all other requests for half a second.
        await breathe();
      }
      return blocks;
    },
    async kinds() {
      const rows = await queries.query(
        `select k as market, t as timeframe from unnest($1::text[]) k cross join unnest($2::text[]) t
          where exists (select from private.track_blocks b where b.market_kind = k and b.timeframe = t)`,
        [[...MARKET_KINDS], [...TIMEFRAMES]],
      );
      return rows.map((row) => kindSchema.parse(row));
    },
    async firstSlots(market, timeframe) {
      const rows = await queries.query(
        `select sym, model, min(first_slot_s) as "firstSlotS" from private.track_blocks
          where market_kind = $1::text and timeframe = $2::text and role = 'serving' group by sym, model`,
        [market, timeframe],
      );
      return rows.map((row) => firstSlotSchema.parse(row));
    },
  };
}

const kindSchema = z.pick(blockSchema, { market: true, timeframe: true });
const firstSlotSchema = z.pick(blockSchema, { sym: true, model: true, firstSlotS: true });

function toRow(block: TrackBlock): Record<string, unknown> {
  const sums = [...block.sums];
  const judged = sums[AT.known] ?? 0;
  const voided = sums.slice(AT.void, AT.void + RECORD_VOID_REASONS.length).reduce((sum, count) => sum + count, 0);
  const issued = sums[AT.issued] ?? 0;
  return { ...block, sums, issued, waiting: issued - judged - voided };
}

/** The tables only grow: new records are beyond a block's last one, and newly judged ones only in a waiting block. */
const STALE = `
with reached as (select coalesce(max(last_seq), 0) as seq from private.track_blocks),
head as (
  select coalesce((select seq from private.track_records where window_min = 0 order by seq desc limit 1), 0) as seq),
fresh as materialized (
  select r.seq, r.market_kind, r.slot_s from private.track_records r
   where r.seq > (select seq from reached) and r.window_min = 0 order by r.seq limit $1::int),
upto as (select coalesce(max(fresh.seq), (select seq from reached)) as seq from fresh),
issued as (
  select distinct r.market_kind, r.slot_s / ${BLOCK_S} * ${BLOCK_S} as block_s from fresh r),
waiting as (
  select distinct market_kind, block_s from private.track_blocks where waiting > 0),
judged as (
  select w.market_kind, w.block_s from waiting w
   where (select count(*) from private.track_records r join private.track_scores s using (seq)
           where r.market_kind = w.market_kind and r.window_min = 0 and r.slot_s >= w.block_s and r.slot_s < w.block_s + ${BLOCK_S}
             and r.seq <= (select seq from reached))
         <> (select sum(b.issued - b.waiting) from private.track_blocks b
              where b.market_kind = w.market_kind and b.block_s = w.block_s)),
places as (select * from issued union select * from judged)
select jsonb_build_object(
  'upTo', (select seq from upto), 'head', (select seq from head),
  'places', (select coalesce(jsonb_agg(jsonb_build_object('market', market_kind, 'blockS', block_s)), '[]') from places)
) as stale`;

const WRITE = `
insert into private.track_blocks as b
  (market_kind, block_s, sym, timeframe, model, model_version, role, first_slot_s, last_slot_s, first_ms, last_ms, last_seq, issued, waiting, sums, extremes)
select market, "blockS", sym, timeframe, model, version, role, "firstSlotS", "lastSlotS", "firstMs", "lastMs", "lastSeq", issued, waiting, sums, extremes
  from jsonb_to_recordset($1::text::jsonb) as g (
    market text, "blockS" bigint, sym text, timeframe text, model text, version text, role text, "firstSlotS" bigint, "lastSlotS" bigint, "firstMs" bigint,
    "lastMs" bigint, "lastSeq" bigint, issued int, waiting int, sums jsonb, extremes jsonb)
on conflict (market_kind, block_s, sym, model, model_version, role, timeframe) do update
  set first_slot_s = excluded.first_slot_s, last_slot_s = excluded.last_slot_s, first_ms = excluded.first_ms, last_ms = excluded.last_ms,
      last_seq = excluded.last_seq, issued = excluded.issued, waiting = excluded.waiting, sums = excluded.sums,
      extremes = excluded.extremes, updated_at = now()
where excluded.issued >= b.issued and excluded.issued - excluded.waiting >= b.issued - b.waiting`;
