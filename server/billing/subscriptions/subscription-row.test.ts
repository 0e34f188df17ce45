import { expect, test } from 'vitest';
import { cardOf, isEnded, isKnownStatus, isLive, subscriptionRow } from './subscription-row.ts';

type Theirs = Parameters<typeof subscriptionRow>[0];

const START = 1_790_000_000;
const END = START + 30 * 86_400;
const VISA = {
  id: 'pm_visa',
  type: 'card',
  card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 },
} as const;
const LINK = { id: 'pm_link', type: 'link' } as const;

function aSubscription(facts: Partial<Theirs> = {}): Theirs {
  return {
    id: 'sub_1',
    status: 'active',
    customer: 'cus_1',
    created: START,
    cancel_at: null,
    cancel_at_period_end: false,
    ended_at: null,
    latest_invoice: 'in_1',
    items: { data: [{ price: { id: 'price_lion' }, current_period_start: START, current_period_end: END }] },
    default_payment_method: null,
    schedule: null,
    ...facts,
  };
}

function aSchedule(phases: readonly [number, string][], status: 'active' | 'released' = 'active') {
  return {
    id: 'sub_sched_1',
    status,
    current_phase: { start_date: START, end_date: END },
    phases: phases.map(([start_date, price]) => ({ start_date, items: [{ price }] })),
  };
}

test.each<[string, Partial<Theirs>, number]>([
  ['of a running one is its item’s', {}, END],
  ['of one that was ended immediately is that moment', { status: 'canceled', ended_at: START + 60 }, START + 60],
  ['of one that ended late stays its item’s', { status: 'canceled', ended_at: END + 60 }, END],
])('stores the right period end: the end %s', (_what, facts, end) => {
  expect(subscriptionRow(aSubscription(facts), null).currentPeriodEnd).toBe(end);
});

test.each<[string, Partial<Theirs>, boolean]>([
  ['without either', {}, false],
  ['by the flag', { cancel_at_period_end: true }, true],
  ['by a moment, as the provider’s own pages set it', { cancel_at: END }, true],
  ['by a moment while a payment is open', { cancel_at: END, status: 'past_due' }, true],
  ['but not by the moment of one that has ended', { cancel_at: END, status: 'canceled', ended_at: END }, false],
])('derives whether it is to end %s', (_what, facts, isToEnd) => {
  expect(subscriptionRow(aSubscription(facts), null).cancelAtPeriodEnd).toBe(isToEnd);
});

test.each<[string, Theirs['schedule'], string | null]>([
  ['without a schedule', null, null],
  ['with one that is only named', 'sub_sched_1', null],
  [
    'with a later phase at another price',
    aSchedule([
      [START, 'price_lion'],
      [END, 'price_bobcat'],
    ]),
    'price_bobcat',
  ],
  ['with one phase, as a broken-off change leaves it', aSchedule([[START, 'price_lion']]), null],
  [
    'with a later phase at the same price',
    aSchedule([
      [START, 'price_lion'],
      [END, 'price_lion'],
    ]),
    null,
  ],
  [
    'after the change has come',
    aSchedule([
      [START - 86_400, 'price_bobcat'],
      [START, 'price_lion'],
    ]),
    null,
  ],
  [
    'with one that was released',
    aSchedule(
      [
        [START, 'price_lion'],
        [END, 'price_bobcat'],
      ],
      'released',
    ),
    null,
  ],
])('derives the pending change %s', (_what, schedule, priceId) => {
  const row = subscriptionRow(aSubscription({ schedule }), null);

  expect(row.pendingPriceId).toBe(priceId);
  expect(row.pendingSubscriptionId).toBe(priceId === null ? null : 'sub_sched_1');
});

test.each<[string, Theirs['default_payment_method'], typeof VISA | null, (string | null)[]]>([
  ['its own', VISA, null, ['visa', '4242']],
  ['its own before the customer’s', LINK, VISA, ['link', null]],
  ['the customer’s where it has none', null, VISA, ['visa', '4242']],
  ['none at all', null, null, [null, null]],
])('shows the card %s', (_what, own, customers, shown) => {
  const row = subscriptionRow(aSubscription({ default_payment_method: own }), customers);

  expect([row.paymentMethodBrand, row.paymentMethodLast4]).toEqual(shown);
});

test('stores neither price nor period for a subscription without items', () => {
  const row = subscriptionRow(aSubscription({ items: { data: [] } }), null);

  expect(row).toMatchObject({ priceId: null, currentPeriodStart: null, currentPeriodEnd: null });
});

test('stores brand, last digits and expiry of a card, and whether it is the customer’s default', () => {
  expect(cardOf({ ...VISA, created: START }, 'pm_visa')).toEqual({
    paymentMethodId: 'pm_visa',
    brand: 'visa',
    last4: '4242',
    expMonth: 12,
    expYear: 2034,
    isDefault: true,
    createdS: START,
  });
  expect(cardOf({ ...LINK, created: START }, 'pm_visa')).toMatchObject({
    brand: 'link',
    last4: null,
    isDefault: false,
  });
});

test.each([
  ['active', true, false],
  ['trialing', true, false],
  ['past_due', true, false],
  ['unpaid', true, false],
  ['paused', true, false],
  ['incomplete', false, false],
  ['canceled', false, true],
  ['incomplete_expired', false, true],
])('treats %s as live %s, ended %s', (status, live, ended) => {
  expect([isLive(status), isEnded(status), isKnownStatus(status)]).toEqual([live, ended, true]);
  expect(isKnownStatus(`${status}_new`)).toBe(false);
});
