/** Running predictions within which a release falls, of users with a rule about it. */
import * as z from 'zod/mini';
import { readSavedReleases } from '#domain/forecast/prediction.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Release } from '#domain/market/calendar/release.ts';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import { barSecondsOf, TIMEFRAMES } from '#domain/market/timeframes.ts';
import type { Queries } from '../platform/database/database.ts';

const rowSchema = z.object({
  userId: z.string(),
  sym: z.string(),
  marketKind: z.enum(MARKET_KINDS),
  /** The newest of the market. */
  predictionId: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  joinS: z.coerce.number(),
  /** Backend name. */
  model: z.string(),
  /** What it knew; undefined: nothing. A stream stored in another form knew nothing that can be told. */
  releases: z.pipe(z.unknown(), z.transform(readSavedReleases)),
  isAware: z.boolean(),
  /** Further ones of the user and market, and how many of them didn't know of the release. */
  others: z.number(),
  unaware: z.number(),
});
export type ReleaseForecast = z.infer<typeof rowSchema>;
export type ReleaseCursor = Pick<ReleaseForecast, 'userId' | 'sym' | 'marketKind'>;

export interface ReleaseForecastsQuery {
  release: Pick<Release, 'timeS' | 'kind'>;
  /** Of the alert, after the market's symbol: a user who was alerted is left out. */
  moment: string;
  after: ReleaseCursor | null;
  limit: number;
}

/**
 * One row for each user and market, ordered by both, after a given one. Left out are predictions of a replay, which has
 * no calendar, and those that were saved without a band, which nothing can widen.
 */
export async function releaseForecasts(
  queries: Queries,
  { release, moment, after, limit }: ReleaseForecastsQuery,
): Promise<ReleaseForecast[]> {
  const rows = await queries.query(
    // Selected first, so that only their predictions are read.
    `with running as materialized (
       select o.prediction_id, o.user_id, o.sym, o.market_kind, o.timeframe, o.join_s, o.join_s + t.bar_s as made_s
         from unnest($1::text[], $2::bigint[]) as t (timeframe, bar_s)
         join public.prediction_outcomes o on o.timeframe = t.timeframe
          and o.join_s > $3::bigint - ${HORIZON_BARS + 1} * t.bar_s and o.join_s <= $3::bigint - t.bar_s
        where o.state = 'waiting' and o.market_kind <> 'replayed'
          and exists (select from public.alert_rules r where r.user_id = o.user_id and r.kind = 'release-due')
          and not exists (select from public.alerts a
                where a.user_id = o.user_id and a.kind = 'release-due' and a.subject = o.sym || ' ' || $4::text)
          and ($6::text is null
            or (o.user_id, o.sym, o.market_kind) > ($6::text::uuid, $7::text, $8::text))),
     judged as (
       select w.*, p.model, p.releases, coalesce(p.releases -> 'list' @> $5::text::jsonb, false) as is_aware
         from running w join public.user_predictions p on p.id = w.prediction_id
        where p.band is not null)
     select distinct on (j.user_id, j.sym, j.market_kind)
            j.user_id::text as "userId", j.sym, j.market_kind as "marketKind", j.prediction_id::text as "predictionId",
            j.timeframe, j.join_s as "joinS", j.model, j.releases, j.is_aware as "isAware",
            (count(*) over market)::int - 1 as others,
            (count(*) filter (where not j.is_aware) over market)::int - (not j.is_aware)::int as unaware
       from judged j window market as (partition by j.user_id, j.sym, j.market_kind)
      order by j.user_id, j.sym, j.market_kind, j.made_s desc, j.prediction_id limit $9::int`,
    [
      [...TIMEFRAMES],
      TIMEFRAMES.map(barSecondsOf),
      release.timeS,
      moment,
      JSON.stringify([{ atS: release.timeS, kind: release.kind }]),
      after?.userId ?? null,
      after?.sym ?? null,
      after?.marketKind ?? null,
      limit,
    ],
  );
  return z.array(rowSchema).parse(rows);
}
