import * as z from 'zod/mini';
import { readSavedBand } from '#domain/forecast/prediction.ts';
import {
  type HistoryRow,
  historyRowSchema,
  MOST_LISTED,
  type PredictionHistory,
} from '#domain/record/history/prediction-history.ts';
import { bandCoverage } from '#domain/record/scoring/band-coverage.ts';
import { type Database, OWNER } from '../../platform/database/database.ts';

const storedRow = z.object({
  ...z.omit(historyRowSchema, { inside80: true, inside95: true }).shape,
  band: z.unknown(),
  closes: z.nullable(z.array(z.number())),
});

/** Only closes and bands leave the database: 300 predictions with their candles are megabytes. */
export async function predictionHistory(
  database: Database,
  userId: string,
): Promise<Pick<PredictionHistory, 'rows' | 'total'>> {
  const rows = await database.query(
    OWNER,
    `select p.id::text as id, p.cryptocurrency as market, p.model, p.timeframe,
            to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "madeAt",
            coalesce(o.state, 'void') as state, p.band, jsonb_path_query_array(o.candles, '$[*].close') as closes,
            (o.score #>> '{path,maeBp}')::float8 as "pathErrorBp",
            (o.score #>> '{lastClose,maeBp}')::float8 as "lastCloseErrorBp", p.total
       from (select id, cryptocurrency, model, timeframe, created_at, band, (count(*) over ())::int as total
               from public.user_predictions where user_id = $1::text::uuid
              order by created_at desc, id limit $2::int) p
       left join public.prediction_outcomes o on o.prediction_id = p.id
      order by p.created_at desc, p.id`,
    [userId, MOST_LISTED],
  );
  return { rows: rows.map((row) => rowOf(storedRow.parse(row))), total: Number(rows[0]?.total ?? 0) };
}

function rowOf({ band, closes, ...row }: z.infer<typeof storedRow>): HistoryRow {
  const saved = readSavedBand(band);
  const held = saved === null || closes === null ? null : bandCoverage(saved, closes);
  return { ...row, inside80: held?.within80 ?? null, inside95: held?.within95 ?? null };
}
