import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeStatus,
  displayStatus,
  lastActivityMs,
  nameOf,
  planLabel,
  readAdminUsers,
  readUserQuotas,
  timeLeft,
  websiteHref,
} from './admin-user.ts';
import { aUser, aUserRow, DAY_MS, NOON_MS } from './testing/admin-fixtures.ts';

test('reads a row with its times in milliseconds, whatever their unit', () => {
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
  });
});

test.each([
  ['2e9 is milliseconds', 2e9, 2e9],
  ['just below is seconds', 1_999_999_999, 1_999_999_999_000],
  ['beyond every calendar', 1e300, null],
  ['no time', 'tomorrow', null],
  ['empty text', ' ', null],
  ['an object', {}, null],
])('reads a time that is %s', (_what, value, ms) => {
  expect(aUser('u', { account_created_at: value }).createdMs).toBe(ms);
});

test('empties an invalid field, drops an invalid row and keeps the others', () => {
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
  expect(users[0]).toMatchObject({ email: null, profile: { bio: null }, hasTwoFactor: false, periodEndMs: null });
  expect(readAdminUsers({ message: 'refused' })).toEqual([]);
});

test('names a user by name, else address, else id', () => {
  expect(nameOf(aUser('u', { full_name: ' Ada ' }))).toBe('Ada');
  expect(nameOf(aUser('u', { full_name: ' ' }))).toBe('u@example.com');
  expect(nameOf(aUser('u', { email: null }))).toBe('u');
});

test('takes the later of prediction and sign-in as the last activity, or the only one', () => {
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
  const lateMs = Date.parse(late);

  expect(lastActivityMs(aUser('u', { last_prediction_at: early, last_sign_in_at: late }))).toBe(lateMs);
  expect(lastActivityMs(aUser('u', { last_prediction_at: late, last_sign_in_at: early }))).toBe(lateMs);
  expect(lastActivityMs(aUser('u', { last_sign_in_at: late }))).toBe(lateMs);
  expect(lastActivityMs(aUser('u', { last_prediction_at: late }))).toBe(lateMs);
  expect(lastActivityMs(aUser('u'))).toBeNull();
});

test.each([
  ['bobcat', 'Bobcat $29.99'],
  ['lion', 'Lion $69.99'],
  ['free', 'Free'],
  ['panther', 'Free'],
  [null, 'Free'],
])('labels the plan %j as %s', (plan, label) => {
  expect(planLabel(aUser('u', { plan }).plan)).toBe(label);
});

const END_S = NOON_MS / 1000 + 86_400;
test.each([
  ['active', { status: 'active' }, 'Active'],
  ['active in any case', { status: 'ACTIVE' }, 'Active'],
  [
    'set to cancel',
    { status: 'active', cancel_at_period_end: true, current_period_end: END_S },
    'Cancels on 21 Nov 2026',
  ],
  ['set to cancel, without an end', { status: 'active', cancel_at_period_end: true }, 'Free'],
  ['past due', { status: 'past_due', current_period_end: END_S }, 'Free'],
  [
    'canceled, with the flag left',
    { status: 'canceled', cancel_at_period_end: true, current_period_end: END_S },
    'Cancels on 21 Nov 2026',
  ],
  ['without a status', {}, 'Free'],
])('describes a subscription that is %s as %s', (_what, columns, text) => {
  expect(describeStatus(displayStatus(aUser('u', columns)), 'UTC')).toBe(text);
});

test('shows the day of cancelling in the viewer’s zone', () => {
  const endMs = Date.UTC(2026, 10, 21, 23, 30);

  expect(describeStatus({ kind: 'cancels', endMs }, 'Europe/Berlin')).toBe('Cancels on 22 Nov 2026');
});

test.each([
  ['without an end', null, '-'],
  ['twelve days', NOON_MS + 12 * DAY_MS + 3 * 3_600_000 + 40 * 60_000 + 59_999, '12d 3h 40m'],
  ['a minute', NOON_MS + 60_000, '0d 0h 1m'],
  ['less than a minute', NOON_MS + 1, '0d 0h 0m'],
  ['at the end', NOON_MS, 'Expired'],
  ['after it', NOON_MS - 1, 'Expired'],
])('formats the time left, %s', (_what, endMs, text) => {
  expect(timeLeft(endMs, NOON_MS)).toBe(text);
});

test('adds days, hours and minutes up to the whole minutes that are left', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * DAY_MS }), (leftMs) => {
      const [days = 0, hours = 0, minutes = 0] = (timeLeft(NOON_MS + leftMs, NOON_MS).match(/\d+/g) ?? []).map(Number);
      expect((days * 24 + hours) * 60 + minutes).toBe(Math.floor(leftMs / 60_000));
      expect(hours).toBeLessThan(24);
      expect(minutes).toBeLessThan(60);
    }),
  );
});

test.each([
  ['example.com', 'https://example.com'],
  ['example.com:8080/a?b', 'https://example.com:8080/a?b'],
  [' http://example.com/x ', 'http://example.com/x'],
  ['HTTPS://Example.com', 'HTTPS://Example.com'],
  ['javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)', null],
  ['data:text/html,x', null],
  ['mailto:a@example.com', null],
  ['//evil.example', null],
  ['https://kat.example@evil.example/', null],
  ['kat.example@evil.example', null],
  ['https:\\\\evil.example', null],
  ['java\nscript:alert(1)', null],
  ['', null],
])('links the website %j to %s', (text, href) => {
  expect(websiteHref(text)).toBe(href);
});

const quotaRow = (user_id: string, remaining_daily: unknown, remaining_monthly: unknown) => ({
  user_id,
  plan_tier: 'bobcat',
  remaining_daily,
  remaining_monthly,
});

test('merges daily and monthly answers, user by user', () => {
  const quotas = readUserQuotas(
    [quotaRow('a', 3, null), quotaRow('b', 4, 40)],
    [quotaRow('a', null, 30), quotaRow('b', 4, 40)],
  );

  expect(quotas.get('a')).toEqual({ remainingDaily: 3, remainingMonthly: 30 });
  expect(quotas.get('b')).toEqual({ remainingDaily: 4, remainingMonthly: 40 });
});

test('reads no limit, as of admins, when neither answer has the user', () => {
  expect(readUserQuotas([quotaRow('a', null, null)], [quotaRow('a', null, null)]).get('a')).toEqual({
    remainingDaily: -1,
    remainingMonthly: -1,
  });
});

test('reads a text for nothing as 0 and drops invalid rows', () => {
  const quotas = readUserQuotas([quotaRow('a', 'n/a', 'na'), { remaining_daily: 1 }, null], 'no list');

  expect([...quotas]).toEqual([['a', { remainingDaily: 0, remainingMonthly: 0 }]]);
});
