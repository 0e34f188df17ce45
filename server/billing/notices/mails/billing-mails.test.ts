/**
 * Checks what subscribers read: the provider's amounts, times in their own zone, and no link but the site's own page.
 */
import { expect, test } from 'vitest';
import { type BillingSite, datesIn } from './billing-mail.ts';
import type { InvoiceFacts } from './invoice-facts.ts';
import { paymentFailedMail, type ReceiptFacts, type RefundFacts, receiptMail, refundMail } from './payment-mails.ts';
import { type PlanMailFacts, type PlanNotice, planMail } from './plan-mail.ts';

const TO = 'ada@example.com';
const NOON = Date.UTC(2026, 10, 22, 12) / 1000;
const NEXT_MONTH = Date.UTC(2026, 11, 22, 12) / 1000;
const LIVE: BillingSite = {
  brand: { name: 'Kat', markHtml: '', footer: [] },
  siteUrl: 'https://kat.test',
  isTest: false,
};

function anInvoice(changes: Partial<InvoiceFacts> = {}): InvoiceFacts {
  return {
    id: 'in_1',
    number: 'KAT-0007',
    reason: 'subscription_create',
    lines: [{ description: '1 × Kat Bobcat', amount: 2999, periodStart: NOON, periodEnd: NEXT_MONTH }],
    priceId: 'price_bobcat',
    periodEnd: NEXT_MONTH,
    taxes: [],
    discounts: [],
    startingBalance: 0,
    endingBalance: 0,
    total: 2999,
    amountDue: 2999,
    amountPaid: 2999,
    paidAt: NOON,
    attempts: 1,
    nextAttemptAt: null,
    currency: 'usd',
    ...changes,
  };
}

function receipt(facts: Partial<ReceiptFacts> = {}, setting = LIVE) {
  const visa = { brand: 'visa', last4: '4242' };
  return receiptMail(
    { to: TO, invoice: anInvoice(), plan: 'bobcat', card: visa, dates: datesIn(null), ...facts },
    setting,
  );
}

test('shows number, purpose, period, amount and card in a receipt', () => {
  const { kind, to, subject, text, html } = receipt();

  expect({ kind, to, subject }).toEqual({ kind: 'receipt', to: TO, subject: 'Your receipt from Kat, KAT-0007' });
  expect(text).toContain('You’re now on the Bobcat plan\n\nWe received $29.99.');
  expect(text).toContain('Your plan is paid until 22 Dec 2026');
  expect(text).toContain(
    [
      'Receipt number: KAT-0007',
      'Paid on: 22 Nov 2026, 12:00 UTC',
      '1 × Kat Bobcat, 22 Nov to 22 Dec 2026: $29.99',
      'Card: Visa ending in 4242',
      'Paid: $29.99',
    ].join('\n'),
  );
  expect(html).toContain('$29.99');
});

test('shows the new plan and both parts of the difference in the receipt of an upgrade', () => {
  const { text } = receipt({
    plan: 'lion',
    invoice: anInvoice({
      reason: 'subscription_update',
      lines: [
        { description: 'Unused time on Kat Bobcat', amount: -1999, periodStart: NOON, periodEnd: NEXT_MONTH },
        { description: 'Remaining time on Kat Lion', amount: 4666, periodStart: NOON, periodEnd: NEXT_MONTH },
      ],
      total: 2667,
      amountDue: 2667,
      amountPaid: 2667,
    }),
  });

  expect(text).toContain('Your plan was changed to Lion');
  expect(text).toContain('We received $26.67. This covers the price difference until 22 Dec 2026');
  expect(text).toContain('Unused time on Kat Bobcat, 22 Nov to 22 Dec 2026: −$19.99');
  expect(text).toContain('Remaining time on Kat Lion, 22 Nov to 22 Dec 2026: $46.66');
});

test('lists discount, tax and account balance between the lines and the paid amount', () => {
  const { text } = receipt({
    invoice: anInvoice({
      taxes: [570],
      discounts: [300],
      startingBalance: -500,
      endingBalance: 0,
      total: 3269,
      amountDue: 2769,
      amountPaid: 2769,
    }),
  });

  expect(text).toContain(
    [
      'Discount: −$3.00',
      'Tax: $5.70',
      'Total: $32.69',
      'Paid from your balance: −$5.00',
      'Card: Visa ending in 4242',
      'Paid: $27.69',
    ].join('\n'),
  );
});

test('omits card and plan from a receipt when they are unknown', () => {
  const { text } = receipt({ card: null, plan: null });

  expect(text).toContain('Thank you for your payment');
  expect(text).not.toContain('Card:');
});

test('shows amount, next attempt and where to pay after a failed payment', () => {
  const invoice = anInvoice({ reason: 'subscription_cycle', amountPaid: 0, nextAttemptAt: NOON + 3 * 86_400 });

  const { text } = paymentFailedMail({ to: TO, invoice, plan: 'bobcat', dates: datesIn(null) }, LIVE);

  expect(text).toContain('We couldn’t charge $29.99 for your Bobcat plan');
  expect(text).toContain('We’ll try again on 25 Nov 2026.');
  expect(text).toContain('Next attempt: 25 Nov 2026, 12:00 UTC');
});

test('says after the last attempt that no further one is made', () => {
  const invoice = anInvoice({ reason: 'subscription_cycle', amountPaid: 0 });

  const { text } = paymentFailedMail({ to: TO, invoice, plan: 'bobcat', dates: datesIn(null) }, LIVE);

  expect(text).toContain('We won’t try again automatically.');
  expect(text).not.toContain('Next attempt');
});

function aboutPlan(kind: PlanNotice, facts: Partial<PlanMailFacts> = {}, setting = LIVE) {
  const shared = { to: TO, plan: 'lion' as const, from: null, periodEnd: NEXT_MONTH, isUnpaid: false, isDouble: false };
  return planMail({ kind, ...shared, dates: datesIn(null), ...facts }, setting);
}

test.each<[PlanNotice, Partial<PlanMailFacts>, RegExp]>([
  ['cancellation_scheduled', {}, /You keep the Lion plan until 22 Dec 2026, 12:00 UTC, and you won’t be charged again/],
  ['cancellation_undone', {}, /you keep the Lion plan\. It renews on 22 Dec 2026/],
  [
    'downgrade_scheduled',
    { plan: 'bobcat', from: 'lion' },
    /You keep the Lion plan until 22 Dec 2026, 12:00 UTC\. Then you move to the Bobcat plan/,
  ],
  ['downgrade_undone', { plan: 'bobcat' }, /The change to the Bobcat plan was undone\. It renews on 22 Dec 2026/],
  ['plan_changed', { plan: 'bobcat', from: 'lion' }, /As planned, your plan was changed from Lion to the Bobcat plan/],
  ['plan_changed', { from: 'bobcat' }, /Your plan was changed from Bobcat to the Lion plan/],
  ['subscription_ended', {}, /Your subscription to the Lion plan has ended/],
  ['subscription_ended', { isUnpaid: true }, /We couldn’t charge the renewal of the Lion plan/],
  ['subscription_ended', { isDouble: true }, /We ended the second subscription, to the Lion plan, immediately/],
])('explains %s of %j in one sentence', (kind, facts, message) => {
  const mail = aboutPlan(kind, facts);

  expect(mail).toMatchObject({ kind, to: TO });
  expect(mail.text).toMatch(message);
});

function refund(facts: Partial<RefundFacts> = {}, setting = LIVE) {
  const payment = { amount: 2999, paidAt: NOON };
  const visa = { brand: 'visa', last4: '4242' };
  const refundedAt = NOON + 3600;
  return refundMail({ to: TO, amount: 1000, refundedAt, payment, card: visa, dates: datesIn(null), ...facts }, setting);
}

test('shows amount, payment and card of a refund, and that the plan stays', () => {
  const { kind, to, subject, text } = refund();

  expect({ kind, to, subject }).toEqual({ kind: 'refund', to: TO, subject: 'Your refund from Kat' });
  expect(text).toContain('We refunded $10.00 of your payment of $29.99 from 22 Nov 2026.');
  expect(text).toContain('The refund doesn’t change your plan.');
  expect(text).toContain('Refunded on: 22 Nov 2026, 13:00 UTC\nCard: Visa ending in 4242\nRefunded: $10.00');
  const whole = refund({ amount: 2999, card: null }).text;
  expect(whole).toContain('We refunded your payment of $29.99 from 22 Nov 2026.');
  expect(whole).not.toContain('Card:');
});

const ALL = [
  receipt,
  refund,
  (facts: object, setting: BillingSite) =>
    paymentFailedMail({ to: TO, invoice: anInvoice(), plan: 'lion', dates: datesIn(null), ...facts }, setting),
  ...(
    [
      'plan_changed',
      'downgrade_scheduled',
      'downgrade_undone',
      'cancellation_scheduled',
      'cancellation_undone',
      'subscription_ended',
    ] as const
  ).map((kind) => (facts: object, setting: BillingSite) => aboutPlan(kind, facts, setting)),
];

test('links every email only to the subscription page, without a secret', () => {
  for (const mail of ALL.map((make) => make({}, LIVE))) {
    expect(new Set(mail.html.match(/href="[^"]*"/g))).toEqual(
      new Set(['href="https://kat.test/account/subscription"']),
    );
    expect(mail.text.match(/https?:\S+/g)).toEqual(['https://kat.test/account/subscription']);
  }
});

test('marks emails about test payments, and only those', () => {
  for (const make of ALL) {
    expect(make({}, { ...LIVE, isTest: true }).text).toContain('Test payment – no real money');
    expect(make({}, LIVE).text).not.toContain('Test payment');
  }
});

test('shows times in the owner’s zone, and in UTC if the profile’s zone doesn’t exist', () => {
  expect(datesIn('America/New_York').minute(NOON)).toBe('22 Nov 2026, 07:00 EST');
  expect(datesIn('Mars/Olympus').minute(NOON)).toBe('22 Nov 2026, 12:00 UTC');
  expect(datesIn('Pacific/Auckland').day(NOON)).toBe('23 Nov 2026');
  expect(datesIn(null).period(NEXT_MONTH, NEXT_MONTH + 31 * 86_400)).toBe('22 Dec 2026 to 22 Jan 2027');
});
