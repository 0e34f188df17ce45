/** Remaining predictions, per user and as points over a billing period. */
import * as z from 'zod/mini';
import { UNLIMITED } from '../billing/plans.ts';
import { type Quota, readQuota } from '../forecast/quota.ts';

const left = z.catch(z.nullable(z.union([z.number(), z.string()])), null);
const quotaRowSchema = z.object({ user_id: z.string(), remaining_daily: left, remaining_monthly: left });

/**
 * Merges rows of admin_remaining_daily and admin_remaining_monthly: one fills the values that the other lacks. A user
 * with neither value has no limit.
 */
export function readUserQuotas(daily: unknown, monthly: unknown): Map<string, Quota> {
  const rows = new Map<string, { daily: number | string | null; monthly: number | string | null }>();
  for (const row of [...rowsOf(daily), ...rowsOf(monthly)]) {
    const known = rows.get(row.user_id);
    rows.set(row.user_id, {
      daily: known?.daily ?? row.remaining_daily,
      monthly: known?.monthly ?? row.remaining_monthly,
    });
  }
  return new Map(
    [...rows].map(([id, { daily: remaining_daily, monthly: remaining_monthly }]) => {
      const isUnlimited = remaining_daily === null && remaining_monthly === null;
      const quota = isUnlimited
        ? { remainingDaily: UNLIMITED, remainingMonthly: UNLIMITED }
        : readQuota({ ok: true, remaining_daily, remaining_monthly });
      return [id, quota];
    }),
  );
}

function rowsOf(rows: unknown): z.infer<typeof quotaRowSchema>[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => quotaRowSchema.safeParse(row).data ?? []);
}

/** Days of a period that the chart shows. */
export const PERIOD_DAYS = 30;
/** Elapsed days are this minus the days until the period's end. */
const FROM_END = 31;

export interface QuotaPoint {
  plan: 'bobcat' | 'lion';
  /** Days of the period that are over, 0 to 30. */
  elapsedDays: number;
  remaining: number;
}

const scatterSchema = z.object({
  plan_tier: z.pipe(
    z.string(),
    z.transform((tier) => tier.toLowerCase()),
  ),
  days_until_end: z.coerce.number(),
  remaining_monthly: z.coerce.number(),
});

/** Rows of admin_scatter_quota as points; `outside` counts those before or after the thirty days. */
export function readQuotaPoints(rows: unknown): { points: QuotaPoint[]; outside: number } {
  if (!Array.isArray(rows)) return { points: [], outside: 0 };
  const all = rows.flatMap((row: unknown): QuotaPoint[] => {
    const parsed = scatterSchema.safeParse(row).data;
    const plan = parsed?.plan_tier;
    if (parsed === undefined || (plan !== 'bobcat' && plan !== 'lion')) return [];
    return [{ plan, elapsedDays: FROM_END - parsed.days_until_end, remaining: Math.max(0, parsed.remaining_monthly) }];
  });
  const points = all.filter(({ elapsedDays }) => elapsedDays >= 0 && elapsedDays <= PERIOD_DAYS);
  return { points, outside: all.length - points.length };
}
