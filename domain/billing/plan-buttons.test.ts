import { expect, test } from 'vitest';
import { planButton } from './plan-buttons.ts';
import { PLAN_NAMES } from './plans.ts';
import { GRACE_S } from './subscription.ts';
import type { SubscriptionRecord } from './subscription-record.ts';
import { subscriptionState } from './subscription-state.ts';
import { aSubscription, EXAMPLE_NOW_S, EXAMPLE_PRICES } from './testing/subscription-fixtures.ts';

/** 'label -> action' of a button that can be pressed, 'label (why not)' of one that cannot. */
function buttons(record: SubscriptionRecord | null, canPay = true): string[] {
  const state = subscriptionState(record, EXAMPLE_PRICES, EXAMPLE_NOW_S);
  return PLAN_NAMES.map((target) => {
    const { label, action, refusal } = planButton(state, target, canPay);
    return refusal === null ? `${label} -> ${action}` : `${label} (${refusal})`;
  });
}

const lion = (change: Partial<SubscriptionRecord> = {}) => aSubscription({ price_id: 'price_lion', ...change });
const JUST_OVER_S = EXAMPLE_NOW_S - 60;
const LONG_OVER_S = EXAMPLE_NOW_S - GRACE_S;

test.each([
  [
    'without a subscription',
    null,
    ['Current plan (current)', 'Subscribe to Bobcat -> checkout', 'Subscribe to Lion -> checkout'],
  ],
  ['bobcat', aSubscription(), ['Switch to Free -> cancel', 'Current plan (current)', 'Upgrade to Lion -> upgrade']],
  ['lion', lion(), ['Switch to Free -> cancel', 'Downgrade to Bobcat -> downgrade', 'Current plan (current)']],
  [
    'bobcat on trial',
    aSubscription({ status: 'trialing' }),
    ['Switch to Free -> cancel', 'Current plan (current)', 'Upgrade to Lion -> upgrade'],
  ],
  [
    'bobcat with a pending cancellation cannot go to lion',
    aSubscription({ cancel_at_period_end: true }),
    ['Switch to Free (ends-by-itself)', 'Current plan (current)', 'Upgrade to Lion (cancellation-pending)'],
  ],
  [
    'lion with a pending cancellation cannot leave its card',
    lion({ cancel_at_period_end: true }),
    ['Switch to Free (ends-by-itself)', 'Downgrade to Bobcat (cancellation-pending)', 'Current plan (current)'],
  ],
  [
    'lion with a scheduled downgrade',
    lion({ pending_price_id: 'price_bobcat' }),
    ['Switch to Free -> cancel', 'Downgrade to Bobcat (downgrade-scheduled)', 'Current plan (current)'],
  ],
  [
    'past due: pay first, or leave',
    aSubscription({ status: 'past_due' }),
    ['Switch to Free -> cancel', 'Current plan (current)', 'Upgrade to Lion (payment-due)'],
  ],
  [
    'unpaid: the same',
    lion({ status: 'unpaid' }),
    ['Switch to Free -> cancel', 'Downgrade to Bobcat (payment-due)', 'Current plan (current)'],
  ],
  [
    'paused',
    aSubscription({ status: 'paused' }),
    ['Switch to Free -> cancel', 'Current plan (current)', 'Upgrade to Lion (paused)'],
  ],
  [
    'ended, in its grace',
    aSubscription({ status: 'canceled', cancel_at_period_end: true, current_period_end: JUST_OVER_S }),
    ['Switch to Free (ends-by-itself)', 'Current plan (current-in-grace)', 'Subscribe to Lion -> checkout'],
  ],
  [
    'ended, its grace over',
    aSubscription({ status: 'canceled', cancel_at_period_end: true, current_period_end: LONG_OVER_S }),
    ['Current plan (current)', 'Subscribe to Bobcat -> checkout', 'Subscribe to Lion -> checkout'],
  ],
  [
    'a first payment that was never made',
    aSubscription({ status: 'incomplete' }),
    ['Current plan (current)', 'Subscribe to Bobcat -> checkout', 'Subscribe to Lion -> checkout'],
  ],
  [
    'a price that maps to no plan',
    aSubscription({ price_id: 'price_other' }),
    ['Switch to Free -> cancel', 'Switch to Bobcat (unknown-price)', 'Switch to Lion (unknown-price)'],
  ],
  [
    'a renewal that is hours late is still live',
    aSubscription({ current_period_end: LONG_OVER_S }),
    ['Switch to Free -> cancel', 'Current plan (current)', 'Upgrade to Lion -> upgrade'],
  ],
])('offers the right action for %s', (_what, record, expected) => {
  expect(buttons(record)).toEqual(expected);
});

test('leads no button to payments where none are taken, and still marks the current plan', () => {
  expect(buttons(null, false)).toEqual([
    'Current plan (current)',
    'Subscribe to Bobcat (not-set-up)',
    'Subscribe to Lion (not-set-up)',
  ]);
  expect(buttons(lion(), false)).toEqual([
    'Switch to Free (not-set-up)',
    'Downgrade to Bobcat (not-set-up)',
    'Current plan (current)',
  ]);
});
