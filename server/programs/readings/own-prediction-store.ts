/** Read as the owner under row-level security: a mistake here finds nothing rather than another user's rows. */
import * as z from 'zod/mini';
import { predictionRowSchema } from '#domain/forecast/prediction.ts';
import type { SavedPrediction } from '#domain/forecast/prediction-export.ts';
import { outcomeRowSchema } from '#domain/record/scoring/outcome.ts';
import type { Database } from '../../platform/database/database.ts';
import { callerOf, type KeyOwner } from './key-owner.ts';
import type { Span } from './span.ts';

const LIMIT_MS = 5000;

const rowSchema = z.object({ cursor: z.string(), row: predictionRowSchema, outcome: z.nullable(outcomeRowSchema) });

const SELECT = `select (extract(epoch from p.created_at) * 1000000)::bigint || '-' || p.id as cursor, o.outcome,
       jsonb_build_object('id', p.id, 'user_id', p.user_id, 'cryptocurrency', p.cryptocurrency, 'timeframe', p.timeframe,
         'model', p.model, 'created_at', p.created_at, 'data', p.data, 'band', p.band,
         'releases', p.releases) as row
     from public.user_predictions p
     left join lateral (select to_jsonb(o) as outcome from public.prediction_outcomes o where o.prediction_id = p.id) o on true`;

const AFTER_CURSOR = `($2::text is null or (p.created_at, p.id)
            < (timestamptz 'epoch' + $2::text::bigint * interval '1 microsecond', $3::text::uuid))`;
const IN_SPAN = `($4::float8 is null or p.created_at >= to_timestamp($4::float8 / 1000))
       and ($5::float8 is null or p.created_at < to_timestamp($5::float8 / 1000))`;

export interface SavedPredictionPage {
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
  owner: KeyOwner,
  { span, cursor, limit }: { span: Span | null; cursor: string | null; limit: number },
): Promise<SavedPredictionPage> {
  const [atUs = null, id = null] = cursor === null ? [] : splitOnce(cursor);
  const rows = await database.query(
    callerOf(owner),
    `${SELECT}
     where p.user_id = $1::text::uuid and ${AFTER_CURSOR} and ${IN_SPAN}
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

/** Null for another user's and for an unknown one. @param id a UUID */
export async function ownPrediction(database: Database, owner: KeyOwner, id: string): Promise<SavedPrediction | null> {
  const [found] = await database.query(
    callerOf(owner),
    `${SELECT} where p.user_id = $1::text::uuid and p.id = $2::text::uuid`,
    [owner.userId, id],
  );
  return found === undefined ? null : toSaved(found);
}

/** The newest one of a symbol, model and length of candle that was saved since; null without one. */
export async function newestOwnPrediction(
  database: Database,
  owner: KeyOwner,
  { label, model, timeframe, sinceMs }: { label: string; model: string; timeframe: string; sinceMs: number },
): Promise<SavedPrediction | null> {
  const [found] = await database.query(
    callerOf(owner),
    `${SELECT}
     where p.user_id = $1::text::uuid and p.cryptocurrency = $2::text and p.model = $3::text and p.timeframe = $4::text
       and p.created_at >= to_timestamp($5::float8 / 1000)
     order by p.created_at desc, p.id desc limit 1`,
    [owner.userId, label, model, timeframe, sinceMs],
  );
  return found === undefined ? null : toSaved(found);
}

function toSaved(found: unknown): SavedPrediction {
  const { row, outcome } = rowSchema.parse(found);
  return { row, outcome };
}

const CSV_PAGE = 25;

/** All predictions of a span, page by page. */
export async function* predictionPages(
  database: Database,
  owner: KeyOwner,
  span: Span | null,
): AsyncGenerator<SavedPrediction[]> {
  let cursor: string | null = null;
  do {
    const page: SavedPredictionPage = await ownPredictions(database, owner, { span, cursor, limit: CSV_PAGE });
    if (page.predictions.length > 0) yield page.predictions;
    cursor = page.next;
  } while (cursor !== null);
}

function splitOnce(cursor: string): [string, string] {
  const at = cursor.indexOf('-');
  return [cursor.slice(0, at), cursor.slice(at + 1)];
}
