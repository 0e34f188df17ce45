/** Read as the owner under row-level security: a mistake here finds nothing rather than another user's rows. */
import * as z from 'zod/mini';
import type { ReadApiKey } from '#domain/account/api-key.ts';
import { predictionRowSchema } from '#domain/forecast/prediction.ts';
import type { SavedPrediction } from '#domain/forecast/prediction-export.ts';
import { outcomeRowSchema } from '#domain/record/scoring/outcome.ts';
import type { Database, DatabaseCaller } from '../../platform/database/database.ts';
import type { Span } from './api-query.ts';

const LIMIT_MS = 5000;

export type PredictionOwner = Pick<ReadApiKey, 'userId' | 'isRaised'>;

const rowSchema = z.object({ cursor: z.string(), row: predictionRowSchema, outcome: z.nullable(outcomeRowSchema) });

export interface PredictionPage {
  predictions: SavedPrediction[];
  /** Null at the end. */
  next: string | null;
}

/**
 * @param cursor from an earlier page; null: the newest first. It only sets the position, never the owner
 * @throws AppError `database/busy`
 */
export async function ownPredictions(
  database: Database,
  owner: PredictionOwner,
  { span, cursor, limit }: { span: Span | null; cursor: string | null; limit: number },
): Promise<PredictionPage> {
  const [atUs = null, id = null] = cursor === null ? [] : splitOnce(cursor);
  const rows = await database.query(
    callerOf(owner),
    `select (extract(epoch from p.created_at) * 1000000)::bigint || '-' || p.id as cursor, o.outcome,
       jsonb_build_object('id', p.id, 'user_id', p.user_id, 'cryptocurrency', p.cryptocurrency, 'timeframe', p.timeframe,
         'model', p.model, 'created_at', p.created_at, 'data', p.data, 'band', p.band) as row
     from public.user_predictions p
     left join lateral (select to_jsonb(o) as outcome from public.prediction_outcomes o where o.prediction_id = p.id) o on true
     where p.user_id = $1::text::uuid
       and ($2::text is null or (p.created_at, p.id)
            < (timestamptz 'epoch' + $2::text::bigint * interval '1 microsecond', $3::text::uuid))
       and ($4::float8 is null or p.created_at >= to_timestamp($4::float8 / 1000))
       and ($5::float8 is null or p.created_at < to_timestamp($5::float8 / 1000))
     order by p.created_at desc, p.id desc limit $6::int`,
    [owner.userId, atUs, id, span?.fromMs ?? null, span?.toMs ?? null, limit],
    { callerLimitMs: LIMIT_MS },
  );
  const found = z.array(rowSchema).parse(rows);
  return {
    predictions: found.map(({ row, outcome }) => ({ row, outcome })),
    next: found.length < limit ? null : (found.at(-1)?.cursor ?? null),
  };
}

const CSV_PAGE = 25;

/** All predictions of a span, page by page. */
export async function* predictionPages(
  database: Database,
  owner: PredictionOwner,
  span: Span | null,
): AsyncGenerator<SavedPrediction[]> {
  let cursor: string | null = null;
  do {
    const page: PredictionPage = await ownPredictions(database, owner, { span, cursor, limit: CSV_PAGE });
    if (page.predictions.length > 0) yield page.predictions;
    cursor = page.next;
  } while (cursor !== null);
}

/** The key stores its session's proof, which the policies require. */
function callerOf({ userId, isRaised }: PredictionOwner): DatabaseCaller {
  const claims = { sub: userId, role: 'authenticated', aal: isRaised ? 'aal2' : 'aal1' };
  return { role: 'authenticated', claims };
}

function splitOnce(cursor: string): [string, string] {
  const at = cursor.indexOf('-');
  return [cursor.slice(0, at), cursor.slice(at + 1)];
}
