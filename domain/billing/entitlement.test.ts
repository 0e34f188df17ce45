/** Which plan a subscription gives. The database's own copy of the rule is compared with it in tests/parity. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODEL_NAMES } from '../forecast/models.ts';
import { deriveEntitlement, NO_ENTITLEMENT, planOf } from './entitlement.ts';
import { PLANS, type PriceTable, priceTableOf } from './plans.ts';
import { isActiveStatus, SUBSCRIPTION_STATUSES, type SubscriptionRow } from './subscription.ts';
import { EXAMPLE_NOW_S } from './testing/subscription-fixtures.ts';

const PRICES: PriceTable = priceTableOf({ bobcat: 'price_b', lion: 'price_l', former: { price_old: 'bobcat' } });
const TWO_HOURS_S = 7200;
const aRow = (change: Partial<SubscriptionRow>): SubscriptionRow => ({
  price_id: 'price_l',
  status: 'active',
  cancel_at_period_end: false,
  current_period_end: EXAMPLE_NOW_S,
  ...change,
});
const planNow = (change: Partial<SubscriptionRow>) => planOf(aRow(change), PRICES, EXAMPLE_NOW_S);

describe.each([
  // status, paid for, shown as active: neither depends on the end of the period
  ['active', true, true],
  ['trialing', true, true],
  ['past_due', true, true],
  ['unpaid', true, false],
  ['paused', true, false],
  ['canceled', false, false],
  ['incomplete', false, false],
  ['incomplete_expired', false, false],
  ['a status of tomorrow', false, false],
  [null, false, false],
] as const)('status %s', (status, isPaid, isActive) => {
  test('counts alone long after its period, or without one', () => {
    for (const current_period_end of [EXAMPLE_NOW_S - 40 * 86_400, null])
      for (const cancel_at_period_end of [true, false, null]) {
        const change = { status, current_period_end, cancel_at_period_end };
        expect(planNow(change)).toBe(isPaid ? 'lion' : 'free');
        expect(isActiveStatus(aRow(change), EXAMPLE_NOW_S)).toBe(isActive);
      }
  });

  test.each([
    [86_400, true],
    [0, true],
    [-TWO_HOURS_S + 1, true],
    [-TWO_HOURS_S, false],
  ])('applies the grace to an ending period over in %i s: %s', (endsInS, isInGrace) => {
    const isEnding = { status, cancel_at_period_end: true, current_period_end: EXAMPLE_NOW_S + endsInS };

    expect(planNow(isEnding)).toBe(isPaid || isInGrace ? 'lion' : 'free');
    expect(isActiveStatus(aRow(isEnding), EXAMPLE_NOW_S)).toBe(isActive || isInGrace);
  });
});

test('gives a canceled subscription the grace without the flag, and no other unpaid one', () => {
  expect(planNow({ status: 'canceled', current_period_end: EXAMPLE_NOW_S - TWO_HOURS_S + 1 })).toBe('lion');
  expect(planNow({ status: 'canceled', current_period_end: EXAMPLE_NOW_S - TWO_HOURS_S })).toBe('free');
  expect(planNow({ status: 'incomplete', current_period_end: EXAMPLE_NOW_S + 1 })).toBe('free');
});

test.each([
  ['price_b', 'bobcat'],
  ['price_l', 'lion'],
  ['price_old', 'bobcat'],
  ['price_x', 'free'],
  ['__proto__', 'free'],
  ['', 'free'],
  [null, 'free'],
])('maps the price %j to %s', (price_id, plan) => {
  expect(planNow({ price_id })).toBe(plan);
});

test('gives the free plan and no models without a row', () => {
  expect(planOf(null, PRICES, EXAMPLE_NOW_S)).toBe('free');
  expect(deriveEntitlement(null, 'user', PRICES, EXAMPLE_NOW_S)).toEqual(NO_ENTITLEMENT);
});

test('gives the plan’s models; gives admins all of them without changing the plan', () => {
  const anyRow = fc.record({
    price_id: fc.constantFrom('price_b', 'price_l', 'price_old', 'price_x', null),
    status: fc.constantFrom(...SUBSCRIPTION_STATUSES, null),
    cancel_at_period_end: fc.constantFrom(true, false, null),
    current_period_end: fc.option(fc.integer({ min: EXAMPLE_NOW_S - 9000, max: EXAMPLE_NOW_S + 9000 })),
  });
  fc.assert(
    fc.property(fc.option(anyRow), fc.constantFrom('admin', 'user', 'Admin', '', null), (row, role) => {
      const plan = planOf(row, PRICES, EXAMPLE_NOW_S);
      const isAdmin = role === 'admin';
      const models = isAdmin ? MODEL_NAMES : PLANS[plan].models;
      expect(deriveEntitlement(row, role, PRICES, EXAMPLE_NOW_S)).toEqual({ plan, isAdmin, models });
    }),
  );
});
