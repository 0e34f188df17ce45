/** A row of admin_list_users, parsed defensively: an invalid value becomes null, and a row without an id is dropped. */
import * as z from 'zod/mini';
import { planOf } from '../billing/entitlement.ts';
import type { PlanName, PriceTable } from '../billing/plans.ts';
import { momentSchema } from './moment.ts';

/** Every column except the candles, which are loaded for one user at a time. */
export const ADMIN_USER_COLUMNS = [
  'id',
  'email',
  'full_name',
  'avatar_url',
  'role',
  'price_id',
  'status',
  'current_period_start',
  'current_period_end',
  'cancel_at_period_end',
  'account_created_at',
  'last_prediction_at',
  'last_sign_in_at',
  'updated_at',
  'timezone',
  'phone',
  'website',
  'location',
  'bio',
  'two_factor_enabled',
  'email_notifications',
  'push_notifications',
  'marketing_emails',
] as const;

/** Times are milliseconds; null when missing or invalid. */
export interface AdminUser {
  id: string;
  email: string | null;
  fullName: string | null;
  avatarUrl: string | null;
  isAdmin: boolean;
  priceId: string | null;
  status: string | null;
  periodStartMs: number | null;
  periodEndMs: number | null;
  hasCancelFlag: boolean;
  createdMs: number | null;
  lastPredictionMs: number | null;
  lastSignInMs: number | null;
  updatedMs: number | null;
  timezone: string | null;
  phone: string | null;
  website: string | null;
  location: string | null;
  bio: string | null;
  hasTwoFactor: boolean;
  hasEmailNotifications: boolean;
  hasPushNotifications: boolean;
  hasMarketingEmails: boolean;
  /** The list may already contain them; undefined means that they must be requested. */
  predictions: unknown;
}

const text = z.catch(z.nullable(z.string()), null);
const flag = z.catch(z.boolean(), false);

const rowSchema = z.object({
  id: z.string().check(z.minLength(1)),
  email: text,
  full_name: text,
  avatar_url: text,
  role: text,
  price_id: text,
  status: text,
  current_period_start: momentSchema,
  current_period_end: momentSchema,
  cancel_at_period_end: flag,
  account_created_at: momentSchema,
  last_prediction_at: momentSchema,
  last_sign_in_at: momentSchema,
  updated_at: momentSchema,
  timezone: text,
  phone: text,
  website: text,
  location: text,
  bio: text,
  two_factor_enabled: flag,
  email_notifications: flag,
  push_notifications: flag,
  marketing_emails: flag,
  last_two_predictions: z.optional(z.unknown()),
});

/** @returns the valid rows, in their order */
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
    priceId: row.price_id,
    status: row.status,
    periodStartMs: row.current_period_start,
    periodEndMs: row.current_period_end,
    hasCancelFlag: row.cancel_at_period_end,
    createdMs: row.account_created_at,
    lastPredictionMs: row.last_prediction_at,
    lastSignInMs: row.last_sign_in_at,
    updatedMs: row.updated_at,
    timezone: row.timezone,
    phone: row.phone,
    website: row.website,
    location: row.location,
    bio: row.bio,
    hasTwoFactor: row.two_factor_enabled,
    hasEmailNotifications: row.email_notifications,
    hasPushNotifications: row.push_notifications,
    hasMarketingEmails: row.marketing_emails,
    predictions: row.last_two_predictions,
  };
}

/** A user's display name: the name, else the email address, else the id. */
export function nameOf({ fullName, email, id }: AdminUser): string {
  return fullName?.trim() || email?.trim() || id;
}

/** The later of the last prediction and the last sign-in. */
export function lastActivityMs({ lastPredictionMs, lastSignInMs }: AdminUser): number | null {
  if (lastPredictionMs === null || lastSignInMs === null) return lastPredictionMs ?? lastSignInMs;
  return Math.max(lastPredictionMs, lastSignInMs);
}

/** The plan in effect now, by five statuses and the grace period. */
export function paidPlanOf(user: AdminUser, prices: PriceTable, nowMs: number): PlanName {
  const row = {
    price_id: user.priceId,
    status: user.status,
    cancel_at_period_end: user.hasCancelFlag,
    current_period_end: user.periodEndMs === null ? null : user.periodEndMs / 1000,
  };
  return planOf(row, prices, nowMs / 1000);
}
