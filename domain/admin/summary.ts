/** The figures above the admin table, counted here from rows or read from the server's count. */
import * as z from 'zod/mini';
import type { PriceTable } from '../billing/plans.ts';
import { type AdminUser, paidPlanOf } from './admin-user.ts';
import { momentSchema } from './moment.ts';

export interface AdminSummary {
  totalUsers: number;
  /** Paid by five statuses and the grace period. */
  paid: number;
  lion: number;
  bobcat: number;
  /** Paid and not cancelling. */
  active: number;
  /** Set to end, with a known end. */
  canceling: number;
  /** Latest period start among paid users; null without one. */
  latestStartMs: number | null;
}

export function summarise(users: readonly AdminUser[], prices: PriceTable, nowMs: number): AdminSummary {
  const summary = {
    totalUsers: users.length,
    paid: 0,
    lion: 0,
    bobcat: 0,
    active: 0,
    canceling: 0,
    latestStartMs: Number.NEGATIVE_INFINITY,
  };
  for (const user of users) {
    if (user.hasCancelFlag && user.periodEndMs !== null) summary.canceling++;
    const plan = paidPlanOf(user, prices, nowMs);
    if (plan === 'free') continue;
    summary.paid++;
    summary[plan]++;
    if (!user.hasCancelFlag) summary.active++;
    summary.latestStartMs = Math.max(summary.latestStartMs, user.periodStartMs ?? Number.NEGATIVE_INFINITY);
  }
  return { ...summary, latestStartMs: Number.isFinite(summary.latestStartMs) ? summary.latestStartMs : null };
}

const count = z.catch(z.int().check(z.nonnegative()), 0);
const summarySchema = z.object({
  total_users: z.int().check(z.nonnegative()),
  paid: count,
  lion: count,
  bobcat: count,
  active: count,
  canceling: count,
  latest_period_start: momentSchema,
});

/** Parses the one row of admin_summary. @throws ZodError when it is invalid */
export function readSummary(rows: unknown): AdminSummary {
  const row = summarySchema.parse(Array.isArray(rows) ? rows[0] : rows);
  const { paid, lion, bobcat, active, canceling } = row;
  return {
    totalUsers: row.total_users,
    paid,
    lion,
    bobcat,
    active,
    canceling,
    latestStartMs: row.latest_period_start,
  };
}
