import { historyRowSchema, MOST_LISTED, type PredictionHistory } from '#domain/record/history/prediction-history.ts';
import { type Database, OWNER } from '../../platform/database/database.ts';

/** Closes inside the bands are counted where they are stored: 300 predictions with their candles are megabytes. */
export async function predictionHistory(
  database: Database,
  userId: string,
): Promise<Pick<PredictionHistory, 'rows' | 'total'>> {
  const rows = await database.query(
    OWNER,
    `select p.id::text as id, p.cryptocurrency as market, p.model, p.timeframe, 
            to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "madeAt",
            coalesce(o.state, 'void') as state, c.inside80, c.inside95,
            (o.score #>> '{path,maeBp}')::float8 as "pathErrorBp",
            (o.score #>> '{lastClose,maeBp}')::float8 as "lastCloseErrorBp", p.total
       from (select id, cryptocurrency, model, timeframe, created_at, band, (count(*) over ())::int as total
               from public.user_predictions where user_id = $1::text::uuid
              order by created_at desc, id limit $2::int) p
       left join public.prediction_outcomes o on o.prediction_id = p.id
       left join lateral (
         select count(*) filter (where k.close between l80::float8 and u80::float8)::int as inside80,
                count(*) filter (where k.close between l95::float8 and u95::float8)::int as inside95
           from rows from (
                  jsonb_array_elements(o.candles), jsonb_array_elements_text(p.band -> 'lower80'),
                  jsonb_array_elements_text(p.band -> 'upper80'), jsonb_array_elements_text(p.band -> 'lower95'),
                  jsonb_array_elements_text(p.band -> 'upper95')) as e (candle, l80, u80, l95, u95)
          cross join lateral (select (e.candle ->> 'close')::float8 as close) k
       ) c on o.state = 'known' and jsonb_typeof(p.band) = 'object'
      order by p.created_at desc, p.id`,
    [userId, MOST_LISTED],
  );
  return {
    rows: rows.map((row) => historyRowSchema.parse(row)),
    total: Number(rows[0]?.total ?? 0),
  };
}
