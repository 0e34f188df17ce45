/** Remaining predictions of each user. */
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
