/** Predictions with an alert rule, found through those that are running or resolved, never by scanning users. */
import * as z from 'zod/mini';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { VOID_REASONS } from '#domain/record/scoring/outcome.ts';
import type { Queries } from '../platform/database/database.ts';
import { TAIL_BARS } from '../record/outcome-store.ts';

/** Null for a prediction that was saved without its band. */
const bandColumn = `case when p.band is not null then jsonb_build_object(
  'lower', p.band -> 'lower95', 'upper', p.band -> 'upper95') end`;
const ms = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;
/** Creation time of the first rule that covers the user's prediction; no row without a rule. */
const since = (kind: string) => `(select min(r.created_at) from public.alert_rules r
  where r.user_id = o.user_id and r.kind = '${kind}' and (r.prediction_id is null or r.prediction_id = o.prediction_id)
    and not exists (select from public.alerts a
          where a.user_id = o.user_id and a.kind = '${kind}' and a.subject = o.prediction_id::text))`;

const edge = z.array(z.number());
const bandSchema = z.object({ lower: edge, upper: edge });
export type StoredBand = z.infer<typeof bandSchema>;
/** A stream stored in another form has no band to break. */
const storedBand = z.catch(z.nullable(bandSchema), null);

const ofPrediction = {
  predictionId: z.string(),
  userId: z.string(),
  sym: z.string(),
  marketKind: z.enum(MARKET_KINDS),
  timeframe: z.enum(TIMEFRAMES),
  joinS: z.coerce.number(),
  /** Backend name. */
  model: z.string(),
  band: storedBand,
};
const IDENTITY = `o.prediction_id::text as "predictionId", o.user_id::text as "userId", o.sym, o.market_kind as "marketKind",
  o.timeframe, o.join_s as "joinS", p.model`;

const runningSchema = z.object({
  ...ofPrediction,
  /** By the clock that dates rules. */
  sinceMs: z.number(),
  /** The last real candles saved with it, as stored in the database. */
  tail: z.unknown(),
});
export type RunningPrediction = z.infer<typeof runningSchema>;

export interface RunningSeries {
  sym: string;
  timeframe: Timeframe;
}

/** Symbols and timeframes of running predictions that have a rule. @param joinedAfterS  market time, by timeframe */
export async function runningSeries(
  queries: Queries,
  joinedAfterS: (timeframe: Timeframe) => number,
): Promise<RunningSeries[]> {
  const rows = await queries.query(
    `select distinct o.sym, o.timeframe
       from unnest($1::text[], $2::bigint[]) as r (timeframe, joined_after_s)
       join public.prediction_outcomes o on o.timeframe = r.timeframe and o.join_s > r.joined_after_s
      where o.state = 'waiting' and ${since('band-broken')} is not null`,
    [[...TIMEFRAMES], TIMEFRAMES.map((timeframe) => Math.floor(joinedAfterS(timeframe)))],
  );
  return z.array(z.object({ sym: z.string(), timeframe: z.enum(TIMEFRAMES) })).parse(rows);
}

/** Predictions of one symbol and timeframe without a band alert so far, ordered by id, after a given one. */
export async function runningPredictions(
  queries: Queries,
  { sym, timeframe, joinedAfterS, afterId, limit }: RunningSeries & RunningPage,
): Promise<RunningPrediction[]> {
  const rows = await queries.query(
    // Selected first, so that only their candles are read.
    `with running as materialized (
       select o.prediction_id, ${ms('r.since')} as since_ms
         from public.prediction_outcomes o cross join lateral ${since('band-broken')} as r (since)
        where o.state = 'waiting' and o.sym = $1::text and o.timeframe = $5::text and o.join_s > $2::bigint
          and r.since is not null
          and ($3::text is null or o.prediction_id > $3::text::uuid)
        order by o.prediction_id limit $4::int)
     select ${IDENTITY}, w.since_ms as "sinceMs", ${bandColumn} as band,
            jsonb_path_query_array(p.data, '$[${150 - TAIL_BARS} to 149]') as tail
       from running w join public.prediction_outcomes o on o.prediction_id = w.prediction_id
       join public.user_predictions p on p.id = w.prediction_id
      order by w.prediction_id`,
    [sym, Math.floor(joinedAfterS), afterId, limit, timeframe],
  );
  return z.array(runningSchema).parse(rows);
}

interface RunningPage {
  joinedAfterS: number;
  afterId: string | null;
  limit: number;
}

const resolvedSchema = z.object({
  ...ofPrediction,
  resolvedMs: z.number(),
  /** Cursor for the next page, exact to the microsecond. */
  resolvedAt: z.string(),
  voidReason: z.nullable(z.enum(VOID_REASONS)),
  pathErrorBp: z.nullable(z.number()),
  lastCloseErrorBp: z.nullable(z.number()),
  isReturned: z.boolean(),
  /** Creation time of the rule about outcomes; null: there is no rule, or the alert exists. */
  outcomeSinceMs: z.nullable(z.number()),
  /** The same for the band rule. */
  bandSinceMs: z.nullable(z.number()),
  /** By bar; null if the outcome is void or there is no band rule. */
  closes: z.nullable(z.array(z.number())),
});
export type ResolvedPrediction = z.infer<typeof resolvedSchema>;

/** Outcomes that ended in `(fromIso, toIso]`, ordered by their end, after a given one. */
export async function resolvedPredictions(
  queries: Queries,
  { fromIso, toIso, after, limit }: { fromIso: string; toIso: string; after: ResolvedCursor | null; limit: number },
): Promise<ResolvedPrediction[]> {
  const rows = await queries.query(
    `with resolved as materialized (
       select o.prediction_id, o.resolved_at, r.since as outcome_since, b.since as band_since
         from public.prediction_outcomes o
        cross join lateral ${since('prediction-resolved')} as r (since)
        cross join lateral ${since('band-broken')} as b (since)
        where o.resolved_at > $1::text::timestamptz and o.resolved_at <= $2::text::timestamptz
          and ($3::text is null or (o.resolved_at, o.prediction_id) > ($3::text::timestamptz, $4::text::uuid))
          and (r.since <= o.resolved_at or b.since <= o.resolved_at)
        order by o.resolved_at, o.prediction_id limit $5::int)
     select ${IDENTITY}, ${ms('w.resolved_at')} as "resolvedMs", w.resolved_at::text as "resolvedAt",
            o.void_reason as "voidReason", (o.score -> 'path' ->> 'maeBp')::float8 as "pathErrorBp",
            (o.score -> 'lastClose' ->> 'maeBp')::float8 as "lastCloseErrorBp", o.returned_at is not null as "isReturned",
            ${ms('w.outcome_since')} as "outcomeSinceMs", ${ms('w.band_since')} as "bandSinceMs",
            case when w.band_since is not null then ${bandColumn} end as band,
            case when w.band_since is not null and o.candles is not null
                 then jsonb_path_query_array(o.candles, '$[*].close') end as closes
       from resolved w join public.prediction_outcomes o on o.prediction_id = w.prediction_id
       join public.user_predictions p on p.id = w.prediction_id
      order by w.resolved_at, w.prediction_id`,
    [fromIso, toIso, after?.resolvedAt ?? null, after?.predictionId ?? null, limit],
  );
  return z.array(resolvedSchema).parse(rows);
}

export type ResolvedCursor = Pick<ResolvedPrediction, 'resolvedAt' | 'predictionId'>;
