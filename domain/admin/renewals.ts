/** Expected renewals of each of the next days, and their revenue. */
import * as z from 'zod/mini';
import { PLANS, type PriceTable } from '../billing/plans.ts';
import { isoOfDay } from '../time/calendar-day.ts';
import type { AdminUser } from './admin-user.ts';
import { displayStatus, planOfPriceId } from './plan-view.ts';

/** Today through today + 30 days, in UTC days. */
const RENEWAL_DAYS = 31;
const DAY_MS = 86_400_000;

export interface RenewalDay {
  /** 'YYYY-MM-DD', UTC. */
  day: string;
  bobcat: number;
  lion: number;
}

/** Counts Bobcat and Lion subscriptions that are active and not cancelling, by the day their period ends. */
export function renewals(users: readonly AdminUser[], prices: PriceTable, nowMs: number): RenewalDay[] {
  const today = Math.floor(nowMs / DAY_MS);
  const days = Array.from({ length: RENEWAL_DAYS }, (_, i) => ({ day: isoOfDay(today + i), bobcat: 0, lion: 0 }));
  for (const user of users) {
    const plan = planOfPriceId(user.priceId, prices);
    if (plan === 'free' || user.periodEndMs === null || displayStatus(user).kind !== 'active') continue;
    const day = days[Math.floor(user.periodEndMs / DAY_MS) - today];
    if (day !== undefined) day[plan]++;
  }
  return days;
}

/** Values each renewal at its plan's price; whole US cents, never floats. */
export function revenueCents(days: readonly RenewalDay[]): number {
  return days.reduce(
    (cents, { bobcat, lion }) => cents + bobcat * PLANS.bobcat.priceCents + lion * PLANS.lion.priceCents,
    0,
  );
}

const dayCount = z.catch(z.int().check(z.nonnegative()), 0);
const dayText = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/));
const renewalSchema = z.object({ day: dayText, bobcat: dayCount, lion: dayCount });

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
  total: dayCount,
});

/** Rows of get_predictions_per_day, oldest first; rows without a day are dropped. */
export function readDayTotals(rows: unknown): DayTotal[] {
  if (!Array.isArray(rows)) return [];
  return rows
    .flatMap((row: unknown) => totalSchema.safeParse(row).data ?? [])
    .filter(({ day }) => dayText.safeParse(day).success)
    .sort((a, b) => a.day.localeCompare(b.day));
}
