/** Rows of the demo accounts, written as the service. Each write skips or updates existing rows. */
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type Database, type Queries, SERVICE } from '../../server/platform/database/database.ts';

export async function setRole(
  database: Database,
  userId: string,
  fullName: string,
  role: 'admin' | 'user',
): Promise<void> {
  await database.query(SERVICE, 'update public.profiles set role = $2, full_name = $3 where id = $1::text::uuid', [
    userId,
    role,
    fullName,
  ]);
}

export async function countPredictions(database: Database, userId: string): Promise<number> {
  const rows = await database.query<{ count: number }>(
    SERVICE,
    'select count(*)::int as count from public.user_predictions where user_id = $1::text::uuid',
    [userId],
  );
  return rows[0]?.count ?? 0;
}

export interface DemoPrediction {
  userId: string;
  label: string;
  model: string;
  candles: readonly Candle[];
  band: ForecastBand;
  createdAtMs: number;
}

/** @returns its id */
export async function insertPrediction(database: Database, prediction: DemoPrediction): Promise<string> {
  const rows = await database.query<{ id: string }>(
    SERVICE,
    `insert into public.user_predictions (user_id, cryptocurrency, timeframe, model, data, band, created_at)
     values ($1::text::uuid, $2, '1min', $3, $4::text::jsonb, $5::text::jsonb, $6::text::timestamptz)
     returning id`,
    [
      prediction.userId,
      prediction.label,
      prediction.model,
      JSON.stringify(prediction.candles),
      JSON.stringify(prediction.band),
      new Date(prediction.createdAtMs).toISOString(),
    ],
  );
  return rows[0]?.id ?? '';
}

/** @returns ids of posts that never existed before: the audit log shows which were removed, and those stay removed */
export async function insertPosts(
  queries: Queries,
  authorId: string,
  posts: readonly { id: string; content: string; published_at: string }[],
): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `insert into public.changelog_posts (id, content, author_id, created_at, published_at)
     select r.id, r.content, $2::text::uuid, r.published_at, r.published_at
       from jsonb_to_recordset($1::jsonb) as r (id uuid, content text, published_at timestamptz)
      where not exists (select from private.audit_log a where a.subject = r.id::text and a.action like 'changelog.%')
     on conflict (id) do nothing
     returning id`,
    [JSON.stringify(posts), authorId],
  );
  return rows.map(({ id }) => id);
}

export async function likePosts(
  queries: Queries,
  likes: readonly { post_id: string; user_id: string }[],
): Promise<void> {
  await queries.query(
    `insert into public.changelog_post_likes (post_id, user_id)
     select r.post_id, r.user_id from jsonb_to_recordset($1::jsonb) as r (post_id uuid, user_id uuid)
     on conflict do nothing`,
    [JSON.stringify(likes)],
  );
}
