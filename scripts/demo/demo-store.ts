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

export interface DemoSubscription {
  userId: string;
  priceId: string;
  /** Epoch seconds. */
  periodStartS: number;
  periodEndS: number;
}

/** A paid, active subscription; one whose period is over gets a new period. */
export async function upsertSubscription(database: Database, subscription: DemoSubscription): Promise<void> {
  const customerId = `cus_demo_${subscription.userId}`;
  await database.transaction(SERVICE, async (tx) => {
    await tx.query(
      `insert into public.stripe_customers (user_id, customer_id) values ($1::text::uuid, $2)
       on conflict (user_id) do nothing`,
      [subscription.userId, customerId],
    );
    await tx.query(
      `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_start,
         current_period_end, payment_method_brand, payment_method_last4, stripe_created)
       values ($1, $2, $3, 'active', $4, $5, 'visa', '4242', $4)
       on conflict (subscription_id) do update
         set current_period_start = excluded.current_period_start, current_period_end = excluded.current_period_end
         where public.stripe_subscriptions.current_period_end <= excluded.current_period_start`,
      [
        `sub_demo_${subscription.userId}`,
        customerId,
        subscription.priceId,
        subscription.periodStartS,
        subscription.periodEndS,
      ],
    );
  });
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
