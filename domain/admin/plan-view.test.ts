import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeStatus, displayStatus, planLabel, planOfPriceId, timeLeft } from './plan-view.ts';
import { aUser, DAY_MS, NOON_MS, PRICES } from './testing/admin-fixtures.ts';

test.each([
  ['price_b', 'Bobcat $29.99'],
  ['price_l', 'Lion $69.99'],
  ['price_old', 'Lion $69.99'],
  ['price_x', 'Free'],
  ['', 'Free'],
  [null, 'Free'],
])('the price %j reads %s', (priceId, label) => {
  expect(planLabel(planOfPriceId(priceId, PRICES))).toBe(label);
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
])('a subscription that is %s says %s', (_what, columns, words) => {
  expect(describeStatus(displayStatus(aUser('u', columns)), 'UTC')).toBe(words);
});

test('the day of cancelling is read in the viewer’s zone', () => {
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
])('time left, %s', (_what, endMs, words) => {
  expect(timeLeft(endMs, NOON_MS)).toBe(words);
});

test('days, hours and minutes add up to the whole minutes that are left', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * DAY_MS }), (leftMs) => {
      const [days = 0, hours = 0, minutes = 0] = (timeLeft(NOON_MS + leftMs, NOON_MS).match(/\d+/g) ?? []).map(Number);
      expect((days * 24 + hours) * 60 + minutes).toBe(Math.floor(leftMs / 60_000));
      expect(hours).toBeLessThan(24);
      expect(minutes).toBeLessThan(60);
    }),
  );
});
