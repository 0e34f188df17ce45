/** Parsed defensively: an invalid value becomes null, and a row without an id is dropped. */
import * as z from 'zod/mini';
import { eachProfileField, type ProfileColumns } from '../account/profile.ts';
import { PLAN_LABELS, PLANS, type PlanName, UNLIMITED } from '../billing/plans.ts';
import { type Quota, readQuota } from '../forecast/quota.ts';
import { dollars } from '../format/dollars.ts';
import { zonedDay } from '../format/zoned-time.ts';
import { momentSchema } from './moment.ts';

/** Times are milliseconds; null when missing or invalid. */
export interface AdminUser {
  id: string;
  email: string | null;
  fullName: string | null;
  avatarUrl: string | null;
  isAdmin: boolean;
  /** What the price sells, whatever the status. */
  plan: PlanName;
  status: string | null;
  periodStartMs: number | null;
  periodEndMs: number | null;
  hasCancelFlag: boolean;
  createdMs: number | null;
  lastPredictionMs: number | null;
  lastSignInMs: number | null;
  updatedMs: number | null;
  profile: ProfileColumns;
  hasTwoFactor: boolean;
  hasEmailNotifications: boolean;
  hasPushNotifications: boolean;
  hasMarketingEmails: boolean;
}

const text = z.catch(z.nullable(z.string()), null);
const flag = z.catch(z.boolean(), false);

const rowSchema = z.object({
  id: z.string().check(z.minLength(1)),
  email: text,
  ...eachProfileField(() => text),
  avatar_url: text,
  role: text,
  plan: z.catch(z.enum(['bobcat', 'lion', 'free']), 'free'),
  status: text,
  current_period_start: momentSchema,
  current_period_end: momentSchema,
  cancel_at_period_end: flag,
  account_created_at: momentSchema,
  last_prediction_at: momentSchema,
  last_sign_in_at: momentSchema,
  updated_at: momentSchema,
  two_factor_enabled: flag,
  email_notifications: flag,
  push_notifications: flag,
  marketing_emails: flag,
});

/** Every column that is read. The candles are not among them: they are loaded for one user at a time. */
export const ADMIN_USER_COLUMNS = Object.keys(rowSchema.shape);

export function readAdminUsers(rows: unknown): AdminUser[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => {
    const parsed = rowSchema.safeParse(row);
    return parsed.success ? [toUser(parsed.data)] : [];
  });
}

function toUser(row: z.infer<typeof rowSchema>): AdminUser {
  return {
    id: row.id,
    email: row.email,
    fullName: row.full_name,
    avatarUrl: row.avatar_url,
    isAdmin: row.role === 'admin',
    plan: row.plan,
    status: row.status,
    periodStartMs: row.current_period_start,
    periodEndMs: row.current_period_end,
    hasCancelFlag: row.cancel_at_period_end,
    createdMs: row.account_created_at,
    lastPredictionMs: row.last_prediction_at,
    lastSignInMs: row.last_sign_in_at,
    updatedMs: row.updated_at,
    profile: eachProfileField((field) => row[field]),
    hasTwoFactor: row.two_factor_enabled,
    hasEmailNotifications: row.email_notifications,
    hasPushNotifications: row.push_notifications,
    hasMarketingEmails: row.marketing_emails,
  };
}

const left = z.catch(z.nullable(z.union([z.number(), z.string()])), null);
const quotaRowSchema = z.object({ user_id: z.string(), remaining_daily: left, remaining_monthly: left });

/** Merges both answers: one fills what the other lacks. A user with neither has no limit. */
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

export function nameOf({ fullName, email, id }: AdminUser): string {
  return fullName?.trim() || email?.trim() || id;
}

/** The later of the last prediction and the last sign-in. */
export function lastActivityMs({ lastPredictionMs, lastSignInMs }: AdminUser): number | null {
  if (lastPredictionMs === null || lastSignInMs === null) return lastPredictionMs ?? lastSignInMs;
  return Math.max(lastPredictionMs, lastSignInMs);
}

export function planLabel(plan: PlanName): string {
  return plan === 'free' ? PLAN_LABELS.free : `${PLAN_LABELS[plan]} ${dollars(PLANS[plan].priceCents)}`;
}

export type DisplayStatus = { kind: 'active' } | { kind: 'cancels'; endMs: number } | { kind: 'free' };

/**
 * Active: status active, no cancellation. Cancels: the cancel flag and a known end. Everything else is free, whatever
 * gating says (R-ADMIN-15).
 */
export function displayStatus({ status, hasCancelFlag, periodEndMs }: AdminUser): DisplayStatus {
  if (hasCancelFlag) return periodEndMs === null ? { kind: 'free' } : { kind: 'cancels', endMs: periodEndMs };
  return status?.toLowerCase() === 'active' ? { kind: 'active' } : { kind: 'free' };
}

/** 'Active', 'Cancels on 23 Oct 2026', 'Free'. @param zone  the time zone of the day */
export function describeStatus(status: DisplayStatus, zone: string): string {
  if (status.kind === 'cancels') return `Cancels on ${zonedDay(status.endMs, zone)}`;
  return status.kind === 'active' ? 'Active' : 'Free';
}

const MINUTE_MS = 60_000;

/** '12d 3h 40m', rounded down so as never to overstate; 'Expired' once over, '-' without an end. */
export function timeLeft(endMs: number | null, nowMs: number): string {
  if (endMs === null) return '-';
  if (nowMs >= endMs) return 'Expired';
  const minutes = Math.floor((endMs - nowMs) / MINUTE_MS);
  return `${Math.floor(minutes / 1440)}d ${Math.floor(minutes / 60) % 24}h ${minutes % 60}m`;
}

const webAddress = z.url({ protocol: /^https?$/ });
/** 'mailto:', 'javascript:', 'https:'. A host name with a port is not a scheme. */
const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
/** A user name before an @ would hide the real host. */
const HAS_USER = /^https?:\/\/[^/?#]*@/i;

/** The link for a user's website, https unless it has a scheme; null for anything that is not a web address. */
export function websiteHref(text: string): string | null {
  const written = text.trim();
  if (written === '' || /[\s\\]/.test(written)) return null;
  const address = SCHEME.test(written) ? written : `https://${written}`;
  if (HAS_USER.test(address) || !/^https?:\/\/[^/]/i.test(address)) return null;
  return webAddress.safeParse(address).success ? address : null;
}
