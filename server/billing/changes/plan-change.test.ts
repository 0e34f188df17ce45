import { describe, expect, test } from 'vitest';
import { type PlanChange, planChange, type SubscriptionNow } from './plan-change.ts';

const BOBCAT = { priceId: 'price_bobcat', plan: 'bobcat' } as const;
const LION = { priceId: 'price_lion', plan: 'lion' } as const;

function subscribedTo(plan: typeof BOBCAT | typeof LION, fields: Partial<SubscriptionNow> = {}): SubscriptionNow {
  return {
    status: 'active',
    ...plan,
    isCanceling: false,
    hasSchedule: false,
    pendingPriceId: null,
    unpaidPriceId: null,
    owes: false,
    isCollected: true,
    ...fields,
  };
}

const PLANNED = { hasSchedule: true, pendingPriceId: BOBCAT.priceId };
const refused = (code: string) => ({ kind: 'refused', code });

const CASES: [string, SubscriptionNow, typeof BOBCAT | typeof LION, PlanChange | ReturnType<typeof refused>][] = [
  ['up', subscribedTo(BOBCAT), LION, { kind: 'upgrade' }],
  ['up in a trial', subscribedTo(BOBCAT, { status: 'trialing' }), LION, { kind: 'upgrade' }],
  [
    'up, a schedule that has done its work attached',
    subscribedTo(BOBCAT, { hasSchedule: true }),
    LION,
    { kind: 'upgrade' },
  ],
  ['down', subscribedTo(LION), BOBCAT, { kind: 'downgrade' }],
  ['down again', subscribedTo(LION, PLANNED), BOBCAT, { kind: 'nothing' }],
  ['down, a half-made schedule attached', subscribedTo(LION, { hasSchedule: true }), BOBCAT, { kind: 'downgrade' }],
  ['undoing what was planned', subscribedTo(LION, PLANNED), LION, { kind: 'release' }],
  ['the same', subscribedTo(BOBCAT), BOBCAT, { kind: 'nothing' }],
  ['the same, a half-made schedule attached', subscribedTo(LION, { hasSchedule: true }), LION, { kind: 'release' }],
  [
    'the same plan at a price of former days',
    subscribedTo(BOBCAT, { priceId: 'price_old' }),
    BOBCAT,
    { kind: 'nothing' },
  ],
  ['up again while its payment is open', subscribedTo(BOBCAT, { unpaidPriceId: LION.priceId }), LION, { kind: 'pay' }],
  [
    'the same while an upgrade waits',
    subscribedTo(BOBCAT, { unpaidPriceId: LION.priceId }),
    BOBCAT,
    { kind: 'nothing' },
  ],
  ['up while in arrears', subscribedTo(BOBCAT, { status: 'past_due', owes: true }), LION, { kind: 'pay' }],
  ['the same while in arrears', subscribedTo(BOBCAT, { status: 'past_due', owes: true }), BOBCAT, { kind: 'pay' }],
  ['the same while unpaid', subscribedTo(LION, { status: 'unpaid', owes: true }), LION, { kind: 'pay' }],
  ['up, late but nothing is open', subscribedTo(BOBCAT, { status: 'past_due' }), LION, { kind: 'upgrade' }],
  ['up while nothing is collected', subscribedTo(BOBCAT, { status: 'paused' }), LION, refused('billing/not-in-order')],
  ['up, given up as unpaid', subscribedTo(BOBCAT, { status: 'unpaid' }), LION, refused('billing/not-in-order')],
  ['up while payments rest', subscribedTo(BOBCAT, { isCollected: false }), LION, refused('billing/not-in-order')],
  ['down while payments rest', subscribedTo(LION, { isCollected: false }), BOBCAT, { kind: 'downgrade' }],
  ['up while ending', subscribedTo(BOBCAT, { isCanceling: true }), LION, refused('billing/cancellation-pending')],
  ['down while ending', subscribedTo(LION, { isCanceling: true }), BOBCAT, refused('billing/cancellation-pending')],
  ['the same while ending', subscribedTo(LION, { isCanceling: true }), LION, refused('billing/cancellation-pending')],
  [
    'ended',
    subscribedTo(LION, { status: 'canceled', isCanceling: true }),
    BOBCAT,
    refused('billing/subscription-ended'),
  ],
  ['never paid', subscribedTo(BOBCAT, { status: 'incomplete' }), LION, refused('billing/subscription-ended')],
  [
    'never paid in time',
    subscribedTo(BOBCAT, { status: 'incomplete_expired' }),
    LION,
    refused('billing/subscription-ended'),
  ],
  ['from a price that sells no plan', subscribedTo(BOBCAT, { plan: null }), LION, refused('billing/unknown-price')],
];

describe('the change to a requested plan', () => {
  test.each(CASES)('is decided: %s', (_name, now, target, expected) => {
    expect(planChange(now, target)).toEqual(expected);
  });
});
