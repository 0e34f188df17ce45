/** How many closes the shown bands held when something was released between a forecast and its bar. */
import * as z from 'zod/mini';
import { RELEASE_KINDS, type ReleaseKind, releaseKindOf } from '#domain/market/calendar/release-kinds.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { TrackSummary } from '#domain/record/figures/track-summary.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

export interface ReleaseCoverageStore {
  /** Kinds that come into a forecast of the span, in the order of RELEASE_KINDS; the serving models together. */
  coverage(
    market: MarketKind,
    timeframe: Timeframe,
    span: { fromS: number; endS: number },
    kinds: ReadonlySet<ReleaseKind>,
  ): Promise<TrackSummary['byRelease']>;
}

const releaseSchema = z.object({ at_s: z.number(), learnt_ms: z.number(), currency: z.string(), title: z.string() });
const rowSchema = z.object({
  kind: z.enum(RELEASE_KINDS),
  bar: z.literal(SCORED_BARS),
  releases: z.int(),
  n: z.int(),
  inside80: z.int(),
  inside95: z.int(),
});

export function releaseCoverageStore(database: Database): ReleaseCoverageStore {
  const queries = asOwner(database);

  /** Known before they came; of one that was listed more than once, since the first time. */
  async function releasesOf(market: MarketKind, { fromS, endS }: { fromS: number; endS: number }) {
    const rows = await queries.query(
      `select extract(epoch from k.released_at)::float8 as at_s, k.currency, k.title,
              (extract(epoch from min(k.learnt_at)) * 1000)::float8 as learnt_ms
         from private.releases k
        where k.market_kind = $1::text and k.learnt_at <= k.released_at
          and (k.dropped_at is null or k.dropped_at > k.released_at)
          and k.released_at >= to_timestamp($2::float8) and k.released_at < to_timestamp($3::float8)
        group by k.released_at, k.currency, k.title`,
      [market, fromS, endS],
    );
    return rows.map((row) => releaseSchema.parse(row));
  }

  return {
    async coverage(market, timeframe, span, kinds) {
      const moments = new Map<string, { kind: ReleaseKind; at_s: number; learnt_ms: number }>();
      for (const { at_s, learnt_ms, currency, title } of await releasesOf(market, span)) {
        const kind = releaseKindOf(currency, title);
        const key = `${kind} ${at_s}`;
        const sinceMs = Math.min(learnt_ms, moments.get(key)?.learnt_ms ?? learnt_ms);
        if (kinds.has(kind)) moments.set(key, { kind, at_s, learnt_ms: sinceMs });
      }
      if (moments.size === 0) return [];
      const rows = await queries.query(
        `select c.kind, b.bar, count(distinct c.at_s)::int as releases, count(*)::int as n,
                count(*) filter (where (s.score -> 'inside' -> 'shown80' ->> b.place)::boolean)::int as inside80,
                count(*) filter (where (s.score -> 'inside' -> 'shown95' ->> b.place)::boolean)::int as inside95
           from jsonb_to_recordset($1::text::jsonb) as c (kind text, at_s bigint, learnt_ms float8)
           join private.track_records r
             on r.market_kind = $2::text and r.timeframe = $3::text and r.role = 'serving' and r.window_min = 0
            and r.slot_s > c.at_s - $4::bigint * 50 and r.slot_s <= c.at_s and r.slot_s >= $5::bigint
            and r.issued_ms >= c.learnt_ms
           join private.track_scores s on s.seq = r.seq and s.state = 'known'
           join jsonb_to_recordset($6::text::jsonb) as b (bar int, place int) on c.at_s < r.slot_s + b.bar * $4::bigint
          group by c.kind, b.bar`,
        [
          JSON.stringify([...moments.values()]),
          market,
          timeframe,
          barSecondsOf(timeframe),
          span.fromS,
          JSON.stringify(SCORED_BARS.map((bar, place) => ({ bar, place }))),
        ],
      );
      const parsed = rows.map((row) => rowSchema.parse(row));
      return RELEASE_KINDS.flatMap((kind) => {
        const own = parsed.filter((row) => row.kind === kind).toSorted((a, b) => a.bar - b.bar);
        if (own.length === 0) return [];
        const bars = own.map(({ bar, n, inside80, inside95 }) => ({
          bar,
          n,
          cover80: inside80 / n,
          cover95: inside95 / n,
        }));
        return [{ kind, releases: Math.max(...own.map(({ releases }) => releases)), bars }];
      });
    },
  };
}
