/** See docs/decisions/022-price-snapshots.md. */
import type { Coin } from '#domain/market/reference/global-metrics.ts';
import { asOwner, type Database } from '../../../platform/database/database.ts';
import type { FeedKind } from '../../../platform/feeds/feed-store.ts';

export interface SnapshotStore {
  /**
   * At start: deletes rows of the other kind of market, which the last run on this database may have left, and inserts
   * the given ones if this kind has none. @param coins the last stored list of this kind
   */
  takeOver(coins: readonly Coin[], fetchedAtMs: number): Promise<void>;
  /**
   * Stores the newest price of each symbol; of coins that share one, the first counts. Skips coins without a price and
   * deletes symbols missing from the list for a day. Deletes any row of the other kind of market.
   */
  put(coins: readonly Coin[], fetchedAtMs: number): Promise<void>;
  /** Of the last seven days, at evenly spaced moments of the history. */
  lines(symbols: readonly string[], nowMs: number): Promise<CoinLines>;
  /** Thins the history to one row an hour after 7 days and none after 90. @returns rows removed */
  thin(nowMs: number): Promise<number>;
}

export interface CoinLines {
  /** The first moment; null without history. */
  sinceMs: number | null;
  /** By symbol, oldest first; without symbols that lack a moment, so that all lines span the same time. */
  prices: Record<string, number[]>;
}

const DAY_MS = 86_400_000;
/** One row every ten minutes, whatever the period: with a paid key it is a minute. */
const HISTORY_SPACING_MS = 570_000;
/** Enough for a line as wide as a word. */
const LINE_POINTS = 56;
const FULL_RETENTION_MS = 7 * DAY_MS;
const RETENTION_MS = 90 * DAY_MS;

export function snapshotStore(database: Database, kind: FeedKind): SnapshotStore {
  const queries = asOwner(database);
  return {
    async takeOver(coins, fetchedAtMs) {
      await queries.query('delete from public.price_snapshots where market_kind <> $1::text', [kind]);
      // Keeps newer rows that another process may be inserting.
      await queries.query(
        `insert into public.price_snapshots (symbol, price, change_24h, pct_24h, volume_24h, fetched_at, market_kind)
         select symbol, price, change_24h, pct_24h, volume_24h, $3::text::timestamptz, $2::text
           from jsonb_to_recordset($1::jsonb)
             as r (symbol text, price float8, change_24h float8, pct_24h float8, volume_24h float8)
          where not exists (select from public.price_snapshots where market_kind = $2::text)
         on conflict (symbol) do nothing`,
        [JSON.stringify(toRows(coins)), kind, isoOf(fetchedAtMs)],
      );
    },
    async put(coins, fetchedAtMs) {
      await queries.query(
        `with given as (
           select * from jsonb_to_recordset($1::jsonb)
             as r (symbol text, price float8, change_24h float8, pct_24h float8, volume_24h float8)),
         gone as (
           delete from public.price_snapshots s
            where s.symbol not in (select symbol from given)
              and (s.market_kind <> $2::text
                   or s.fetched_at not between $4::text::timestamptz and $5::text::timestamptz)),
         kept as (
           insert into private.price_snapshot_history (market_kind, fetched_at, figures)
           select $2::text, $3::text::timestamptz, jsonb_object_agg(symbol, jsonb_build_array(price, volume_24h))
             from given
            where not exists (
              select from private.price_snapshot_history h
               where h.market_kind = $2::text
                 and h.fetched_at between $6::text::timestamptz and $3::text::timestamptz)
           having count(*) > 0
           on conflict do nothing)
         insert into public.price_snapshots as s
                (symbol, price, change_24h, pct_24h, volume_24h, fetched_at, market_kind)
         select symbol, price, change_24h, pct_24h, volume_24h, $3::text::timestamptz, $2::text from given
         on conflict (symbol) do update
           set price = excluded.price, change_24h = excluded.change_24h, pct_24h = excluded.pct_24h,
               volume_24h = excluded.volume_24h, fetched_at = excluded.fetched_at, market_kind = excluded.market_kind`,
        [
          JSON.stringify(toRows(coins)),
          kind,
          isoOf(fetchedAtMs),
          // The product's clock may have been set back: a row a day ahead counts as old, like one a day behind.
          isoOf(fetchedAtMs - DAY_MS),
          isoOf(fetchedAtMs + DAY_MS),
          isoOf(fetchedAtMs - HISTORY_SPACING_MS),
        ],
      );
    },
    async lines(symbols, nowMs) {
      const rows = await queries.query<{ since_ms: number; symbol: string; prices: number[] }>(
        `with numbered as (
           select fetched_at, figures, row_number() over (order by fetched_at desc) - 1 as nth, count(*) over () as total
             from private.price_snapshot_history
            where market_kind = $1::text and fetched_at between $2::text::timestamptz and $3::text::timestamptz),
         moments as (select * from numbered where nth % ceil(total / $5::float8)::int = 0)
         select extract(epoch from min(m.fetched_at))::float8 * 1000 as since_ms, s.symbol,
                array_agg((m.figures -> s.symbol ->> 0)::float8 order by m.fetched_at) as prices
           from moments m cross join jsonb_array_elements_text($4::jsonb) as s (symbol)
          where m.figures -> s.symbol is not null
          group by s.symbol
         having count(*) = (select count(*) from moments)`,
        [kind, isoOf(nowMs - FULL_RETENTION_MS), isoOf(nowMs), JSON.stringify(symbols), LINE_POINTS],
      );
      const prices = Object.fromEntries(rows.map((row) => [row.symbol, row.prices]));
      return { sinceMs: rows[0]?.since_ms ?? null, prices };
    },
    async thin(nowMs) {
      const removed = await queries.query<{ rows: number }>(
        `with moments as (
           select market_kind, fetched_at,
                  row_number() over (partition by market_kind, date_trunc('hour', fetched_at) order by fetched_at) as nth
             from private.price_snapshot_history where fetched_at < $1::text::timestamptz),
         removed as (
           delete from private.price_snapshot_history h using moments m
            where h.market_kind = m.market_kind and h.fetched_at = m.fetched_at
              and (m.nth > 1 or m.fetched_at < $2::text::timestamptz)
           returning 1)
         select count(*)::int as rows from removed`,
        [isoOf(nowMs - FULL_RETENTION_MS), isoOf(nowMs - RETENTION_MS)],
      );
      return removed[0]?.rows ?? 0;
    },
  };
}

interface SnapshotRow {
  symbol: string;
  price: number;
  change_24h: number | null;
  pct_24h: number | null;
  volume_24h: number | null;
}

/** Visible characters of any script. */
const SYMBOL = /^[\p{L}\p{N}\p{P}\p{S}]{1,32}$/u;

function toRows(coins: readonly Coin[]): SnapshotRow[] {
  const rows = new Map<string, SnapshotRow>();
  for (const coin of coins) {
    const symbol = coin.symbol.toUpperCase();
    const price = coin.current_price;
    if (price === null || price <= 0 || !SYMBOL.test(symbol) || rows.has(symbol)) continue;
    const { price_change_24h: change_24h, price_change_percentage_24h: pct_24h, total_volume: volume_24h } = coin;
    rows.set(symbol, { symbol, price, change_24h, pct_24h, volume_24h });
  }
  return [...rows.values()];
}

function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
