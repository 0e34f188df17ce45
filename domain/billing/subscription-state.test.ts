import { expect, test } from 'vitest';
import { GRACE_S, SUBSCRIPTION_STATUSES } from './subscription.ts';
import { subscriptionState } from './subscription-state.ts';
import { aSubscription, DAY_S, EXAMPLE_NOW_S, EXAMPLE_PRICES } from './testing/subscription-fixtures.ts';

const stateOf = (...[change]: Parameters<typeof aSubscription>) =>
  subscriptionState(aSubscription(change), EXAMPLE_PRICES, EXAMPLE_NOW_S);

const endingIn = (seconds: number) => EXAMPLE_NOW_S + seconds;

test.each([
  // status, usable plan, shown as Active on the card, retained by the provider
  ['active', 'bobcat', true, true],
  ['trialing', 'bobcat', true, true],
  ['past_due', 'bobcat', true, true],
  ['unpaid', 'bobcat', false, true],
  ['paused', 'bobcat', false, true],
  ['canceled', 'free', false, false],
  ['incomplete', 'free', false, false],
  ['incomplete_expired', 'free', false, false],
] as const)('derives %s, its period long over, without a pending cancellation', (status, plan, isActive, isLive) => {
  const state = stateOf({ status, current_period_end: endingIn(-DAY_S) });

  expect(state).toMatchObject({ plan, isActive, isLive, isCanceling: false, boughtPlan: 'bobcat' });
  expect(state.isTrialing).toBe(status === 'trialing');
  expect(state.isPaused).toBe(status === 'paused');
  expect(state.isPaymentDue).toBe(status === 'past_due' || status === 'unpaid');
});

/** Status, cancel flag and seconds from now to the period's end, against the rule as it is written down. */
const CASES = SUBSCRIPTION_STATUSES.flatMap((status) =>
  [false, true].flatMap((flag) => [DAY_S, 1, 0, -GRACE_S + 1, -GRACE_S, -DAY_S].map((in_) => ({ status, flag, in_ }))),
);

test.each(CASES)('derives $status, cancel flag $flag, ending in $in_ s: canceling, canceled and active', (of) => {
  const state = stateOf({
    status: of.status,
    cancel_at_period_end: of.flag,
    current_period_end: endingIn(of.in_),
  });

  const isOver = of.in_ <= -GRACE_S;
  const isCanceling = of.flag && !isOver;
  const isInGrace = (of.flag || of.status === 'canceled') && !isOver;
  expect(state.isCanceling).toBe(isCanceling);
  expect(state.isCanceled).toBe((of.status === 'canceled' || isOver) && !isCanceling);
  expect(state.isActive).toBe(['active', 'trialing', 'past_due'].includes(of.status) || isInGrace);
});

test('gives the free plan and nothing live without a row, and to a customer who never subscribed', () => {
  const nothing = aSubscription({
    subscription_id: null,
    price_id: null,
    status: null,
    cancel_at_period_end: null,
    current_period_end: null,
  });
  for (const row of [null, nothing])
    expect(subscriptionState(row, EXAMPLE_PRICES, EXAMPLE_NOW_S)).toMatchObject({
      plan: 'free',
      boughtPlan: null,
      isActive: false,
      isLive: false,
      isCanceling: false,
      isCanceled: false,
      hasUnknownPrice: false,
    });
});

test('gives the free plan for an unknown price, and says so while the provider keeps it', () => {
  expect(stateOf({ price_id: 'price_other' })).toMatchObject({ plan: 'free', isActive: true, hasUnknownPrice: true });
  expect(stateOf({ price_id: 'price_other', status: 'canceled' }).hasUnknownPrice).toBe(false);
});

test('treats a pending price as a scheduled downgrade, to whatever plan it is', () => {
  expect(stateOf({ price_id: 'price_lion', pending_price_id: 'price_bobcat' })).toMatchObject({
    isDowngradeScheduled: true,
    pendingPlan: 'bobcat',
  });
  expect(stateOf({ pending_price_id: 'price_other' })).toMatchObject({ isDowngradeScheduled: true, pendingPlan: null });
  expect(stateOf({}).isDowngradeScheduled).toBe(false);
});
