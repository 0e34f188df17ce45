/** Rows of the demo accounts, written as the service. Each write leaves what is there alone or brings it up to date. */
import type { Candle } from '#domain/market/candle.ts';
import { type Database, SERVICE } from '../../server/platform/database.ts';

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
  createdAtMs: number;
}

/** @returns its id */
export async function insertPrediction(database: Database, prediction: DemoPrediction): Promise<string> {
  const rows = await database.query<{ id: string }>(
    SERVICE,
    `insert into public.user_predictions (user_id, cryptocurrency, timeframe, model, data, created_at)
     values ($1::text::uuid, $2, '1min', $3, $4::text::jsonb, $5::text::timestamptz)
     returning id`,
    [
      prediction.userId,
      prediction.label,
      prediction.model,
      JSON.stringify(prediction.candles),
      new Date(prediction.createdAtMs).toISOString(),
    ],
  );
  return rows[0]?.id ?? '';
}
