/** What the server knew of scheduled releases, and since when. A past moment never changes. */
import * as z from 'zod/mini';
import { type ReleaseRow, releasesOf } from '#domain/market/calendar/release.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { FeedKind } from '../../platform/feeds/feed-store.ts';
import type { KnownReleases, StandingReleases } from './release-calendar.ts';

interface LearntReleases {
  source: 'feed' | 'schedule';
  rows: readonly ReleaseRow[];
  /** The source says all about this time, epoch seconds: what it no longer lists there was moved or cancelled. */
  fromS: number;
  toS: number;
}

/** The year 2106: PostgreSQL's moments end before the greatest numbers. */
const FAR_FUTURE_S = 2 ** 32;

export interface ReleaseStore {
  /** What stands now: what it no longer has and is still to come was moved or cancelled. */
  learnAll(standing: StandingReleases, nowMs: number): Promise<void>;
  /** As they were known at a moment. */
  knownAt(nowMs: number): Promise<(ReleaseRow & { source: LearntReleases['source'] })[]>;
  /**
   * What a forecast of a moment read of the calendar, from `fromS` until before `toS`, epoch seconds. Null before the
   * first calendar was learnt: then nothing is known about it.
   */
  readAt(nowMs: number, fromS: number, toS: number): Promise<KnownReleases | null>;
}

const readRows = z.array(
  z.object({
    is_complete: z.boolean(),
    at_s: z.nullable(z.number()),
    currency: z.nullable(z.string()),
    title: z.nullable(z.string()),
  }),
);

export function releaseStore(database: Database, kind: FeedKind): ReleaseStore {
  const queries = asOwner(database);

  async function learn({ source, rows, fromS, toS }: LearntReleases, nowMs: number): Promise<void> {
    await queries.query(
      `with given as (
           select distinct to_timestamp(r.at_s) as released_at, r.currency, r.title
             from jsonb_to_recordset($3::jsonb) as r(at_s float8, currency text, title text)
         ), dropped as (
           update private.releases k set dropped_at = greatest(k.learnt_at, $4::text::timestamptz)
            where k.market_kind = $1::text and k.source = $2::text and k.dropped_at is null
              and k.released_at > $4::text::timestamptz
              and k.released_at >= to_timestamp($5::float8) and k.released_at < to_timestamp($6::float8)
              and not exists (select from given g
                where g.released_at = k.released_at and g.currency = k.currency and g.title = k.title)
         )
         insert into private.releases (market_kind, source, released_at, currency, title, learnt_at)
         select $1::text, $2::text, g.released_at, g.currency, g.title, $4::text::timestamptz from given g
         on conflict (market_kind, source, released_at, currency, title) where dropped_at is null do nothing`,
      [
        kind,
        source,
        JSON.stringify(rows.map(({ timeS, currency, title }) => ({ at_s: timeS, currency, title }))),
        new Date(nowMs).toISOString(),
        fromS,
        toS,
      ],
    );
  }

  /** Since the first time: early in a week another process may still read the file of the week before. */
  async function learnWeek({ fromS, toS }: StandingReleases['covered'], nowMs: number): Promise<void> {
    await queries.query(
      `insert into private.release_weeks (market_kind, from_at, to_at, learnt_at)
       values ($1::text, to_timestamp($2::float8), to_timestamp($3::float8), $4::text::timestamptz)
       on conflict (market_kind, to_at) do nothing`,
      [kind, fromS, toS, new Date(nowMs).toISOString()],
    );
  }

  return {
    async learnAll({ live, covered, planned }, nowMs) {
      await learn({ source: 'feed', rows: live, ...covered }, nowMs);
      await learn({ source: 'schedule', rows: planned, fromS: 0, toS: FAR_FUTURE_S }, nowMs);
      await learnWeek(covered, nowMs);
    },
    async knownAt(nowMs) {
      const rows = await queries.query<{ source: string; at_s: number; currency: string; title: string }>(
        `select source, extract(epoch from released_at)::float8 as at_s, currency, title from private.releases
          where market_kind = $1::text and learnt_at <= $2::text::timestamptz
            and (dropped_at is null or dropped_at > $2::text::timestamptz)
          order by released_at, currency, title, source`,
        [kind, new Date(nowMs).toISOString()],
      );
      return rows.map(({ source, at_s: timeS, currency, title }) => ({
        source: source === 'feed' ? 'feed' : 'schedule',
        timeS,
        currency,
        title,
      }));
    },
    async readAt(nowMs, fromS, toS) {
      const rows = readRows.parse(
        await queries.query(
          `select w.is_complete, extract(epoch from k.released_at)::float8 as at_s, k.currency, k.title
             from (select from_at <= to_timestamp($3::float8) and to_at >= to_timestamp($4::float8) as is_complete
                     from private.release_weeks
                    where market_kind = $1::text and learnt_at <= $2::text::timestamptz
                    order by to_at desc limit 1) w
             left join private.releases k
               on k.market_kind = $1::text and k.learnt_at <= $2::text::timestamptz
              and (k.dropped_at is null or k.dropped_at > $2::text::timestamptz)
              and k.released_at >= to_timestamp($3::float8) and k.released_at < to_timestamp($4::float8)`,
          [kind, new Date(nowMs).toISOString(), fromS, toS],
        ),
      );
      const [first] = rows;
      if (first === undefined) return null;
      const known = rows.flatMap(({ at_s: timeS, currency, title }): ReleaseRow[] =>
        timeS === null || currency === null || title === null ? [] : [{ timeS, currency, title }],
      );
      return { releases: releasesOf(known), isComplete: first.is_complete };
    },
  };
}
