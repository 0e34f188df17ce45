import * as z from 'zod/mini';
import { PLANS } from '../billing/plans.ts';
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

/** Subscriptions that renew on a day, of the 31 from today on (R-ADMIN-6). */
export interface RenewalDay {
  /** 'YYYY-MM-DD', UTC. */
  day: string;
  bobcat: number;
  lion: number;
}

/** Values each renewal at its plan's price; whole US cents, never floats. */
export function revenueCents(days: readonly RenewalDay[]): number {
  return days.reduce(
    (cents, { bobcat, lion }) => cents + bobcat * PLANS.bobcat.priceCents + lion * PLANS.lion.priceCents,
    0,
  );
}

const dayText = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/));
const renewalSchema = z.object({ day: dayText, bobcat: count, lion: count });

/** Rows of admin_renewals; rows without a day are dropped. */
export function readRenewals(rows: unknown): RenewalDay[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => renewalSchema.safeParse(row).data ?? []);
}

export interface DayTotal {
  /** 'YYYY-MM-DD', UTC. */
  day: string;
  total: number;
}

const totalSchema = z.object({
  day: z.pipe(
    z.string(),
    z.transform((day) => day.slice(0, 10)),
  ),
  total: count,
});

/** Rows of get_predictions_per_day, oldest first; rows without a day are dropped. */
export function readDayTotals(rows: unknown): DayTotal[] {
  if (!Array.isArray(rows)) return [];
  return rows
    .flatMap((row: unknown) => totalSchema.safeParse(row).data ?? [])
    .filter(({ day }) => dayText.safeParse(day).success)
    .sort((a, b) => a.day.localeCompare(b.day));
}

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
