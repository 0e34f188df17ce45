import { expect, test } from 'vitest';
import { lastActivityMs, nameOf, paidPlanOf, readAdminUsers } from './admin-user.ts';
import { aPayingUser, aUser, aUserRow, NOON_MS, PRICES } from './testing/admin-fixtures.ts';

test('a row is read with its times in milliseconds, whatever their unit', () => {
  const user = aUser('u', {
    full_name: 'Ada',
    role: 'admin',
    current_period_start: 1_763_600_000,
    current_period_end: '1763700000',
    account_created_at: '2026-01-02T03:04:05.5+00:00',
    updated_at: 1_763_700_000_000,
  });

  expect(user).toMatchObject({
    fullName: 'Ada',
    isAdmin: true,
    periodStartMs: 1_763_600_000_000,
    periodEndMs: 1_763_700_000_000,
    createdMs: Date.UTC(2026, 0, 2, 3, 4, 5, 500),
    updatedMs: 1_763_700_000_000,
    hasEmailNotifications: true,
    predictions: undefined,
  });
});

test.each([
  ['2e9 is milliseconds', 2e9, 2e9],
  ['just below is seconds', 1_999_999_999, 1_999_999_999_000],
  ['beyond every calendar', 1e300, null],
  ['no time', 'tomorrow', null],
  ['empty text', ' ', null],
  ['an object', {}, null],
])('a time that is %s', (_what, value, ms) => {
  expect(aUser('u', { account_created_at: value }).createdMs).toBe(ms);
});

test('a faulty field is empty, a faulty row is left out, and the others stay', () => {
  const rows = [
    aUserRow('a', { email: 7, bio: ['x'], two_factor_enabled: 'yes', current_period_end: null }),
    { email: 'no-id@example.com' },
    null,
    'text',
    { id: '' },
    { id: 'b' },
  ];

  const users = readAdminUsers(rows);

  expect(users.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(users[0]).toMatchObject({ email: null, bio: null, hasTwoFactor: false, periodEndMs: null });
  expect(readAdminUsers({ message: 'refused' })).toEqual([]);
});

test('a user is named by name, else address, else id', () => {
  expect(nameOf(aUser('u', { full_name: ' Ada ' }))).toBe('Ada');
  expect(nameOf(aUser('u', { full_name: ' ' }))).toBe('u@example.com');
  expect(nameOf(aUser('u', { email: null }))).toBe('u');
});

test('the last activity is the later of prediction and sign-in, or the one there is', () => {
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
  const lateMs = Date.parse(late);

  expect(lastActivityMs(aUser('u', { last_prediction_at: early, last_sign_in_at: late }))).toBe(lateMs);
  expect(lastActivityMs(aUser('u', { last_prediction_at: late, last_sign_in_at: early }))).toBe(lateMs);
  expect(lastActivityMs(aUser('u', { last_sign_in_at: late }))).toBe(lateMs);
  expect(lastActivityMs(aUser('u', { last_prediction_at: late }))).toBe(lateMs);
  expect(lastActivityMs(aUser('u'))).toBeNull();
});

const GRACE_DAYS = 2 / 24;
// domain/billing/entitlement.test.ts has the rule; here price, status, flag and times in milliseconds reach it.
test.each([
  ['canceled, within the grace', 'lion', { status: 'canceled' }, -GRACE_DAYS + 1e-4],
  ['canceled, the grace over', 'free', { status: 'canceled' }, -GRACE_DAYS],
  ['not paid, but set to end, within the grace', 'lion', { status: 'incomplete', cancel_at_period_end: true }, 0],
])('%s counts as %s', (_what, plan, columns, days) => {
  expect(paidPlanOf(aPayingUser('u', 'price_l', days, columns), PRICES, NOON_MS)).toBe(plan);
});
