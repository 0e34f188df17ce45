import { expect, test } from 'vitest';
import { remainingTime } from './remaining-time.ts';
import { GRACE_S } from './subscription.ts';
import type { SubscriptionRecord } from './subscription-record.ts';
import { subscriptionState } from './subscription-state.ts';
import { aSubscription, DAY_S, EXAMPLE_NOW_S, EXAMPLE_PRICES } from './testing/subscription-fixtures.ts';

const HOUR_S = 3600;

function shown(change: Partial<SubscriptionRecord>): string | null {
  const state = subscriptionState(aSubscription(change), EXAMPLE_PRICES, EXAMPLE_NOW_S);
  const time = remainingTime(state, EXAMPLE_NOW_S);
  return time === null ? null : `${time.label} ${time.text}`;
}

test.each([
  ['a whole month', 30 * DAY_S, 'Renews in 30 days'],
  ['just bought, a second later', 30 * DAY_S - 1, 'Renews in 30 days'],
  ['two days with the grace', 2 * DAY_S - GRACE_S, 'Renews in 2 days'],
  ['a second less', 2 * DAY_S - GRACE_S - 1, 'Renews in 1 day'],
  ['a day with the grace', DAY_S - GRACE_S, 'Renews in 1 day'],
  ['less than a day', DAY_S - GRACE_S - 1, 'Renews in 23 hours'],
  ['at the end itself the grace is left', 0, 'Renews in 2 hours'],
  ['an hour of the grace', -HOUR_S, 'Renews in 1 hour'],
  ['59 minutes of it', -HOUR_S - 1, 'Renews in 59 minutes'],
  ['the last second', -GRACE_S + 1, 'Renews in 1 minute'],
  ['the grace is over', -GRACE_S, null],
])('shows the time left: %s', (_when, endsInS, expected) => {
  expect(shown({ current_period_end: EXAMPLE_NOW_S + endsInS })).toBe(expected);
});

test.each([
  ['a pending cancellation', { cancel_at_period_end: true }, 'Expires in 20 days'],
  ['ended, in its grace', { status: 'canceled', current_period_end: EXAMPLE_NOW_S - HOUR_S }, 'Expires in 1 hour'],
  ['ended, its grace over', { status: 'canceled', current_period_end: EXAMPLE_NOW_S - 3 * HOUR_S }, null],
  ['a scheduled downgrade renews', { price_id: 'price_lion', pending_price_id: 'price_bobcat' }, 'Renews in 20 days'],
  ['never begun', { status: 'incomplete' }, null],
  ['no end known', { current_period_end: null }, null],
] satisfies [string, Partial<SubscriptionRecord>, string | null][])(
  'shows nothing for %s',
  (_what, change, expected) => {
    expect(shown(change)).toBe(expected);
  },
);
