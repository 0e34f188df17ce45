/** Rows and users of the admin list for tests. A test sets only the columns that matter to it. */
import { eachProfileField } from '../../account/profile.ts';
import { type AdminUser, readAdminUsers } from '../admin-user.ts';

export const NOON_MS = Date.UTC(2026, 10, 20, 12);
export const DAY_MS = 86_400_000;

export function aUserRow(id: string, columns: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    email: `${id}@example.com`,
    ...eachProfileField(() => null),
    avatar_url: null,
    role: 'user',
    plan: 'free',
    status: null,
    current_period_start: null,
    current_period_end: null,
    cancel_at_period_end: null,
    account_created_at: '2026-01-01T00:00:00+00:00',
    last_prediction_at: null,
    last_sign_in_at: null,
    updated_at: null,
    two_factor_enabled: false,
    email_notifications: true,
    push_notifications: false,
    marketing_emails: false,
    ...columns,
  };
}

export function aUser(id: string, columns: Record<string, unknown> = {}): AdminUser {
  const [user] = readAdminUsers([aUserRow(id, columns)]);
  if (user === undefined) throw new Error('no row');
  return user;
}

/** A row of a paying user whose period ends `days` after noon. */
export function aPayingRow(id: string, plan: 'bobcat' | 'lion', days: number, columns: Record<string, unknown> = {}) {
  const endS = NOON_MS / 1000 + days * 86_400;
  return aUserRow(id, {
    plan,
    status: 'active',
    current_period_start: endS - 30 * 86_400,
    current_period_end: endS,
    cancel_at_period_end: false,
    ...columns,
  });
}
