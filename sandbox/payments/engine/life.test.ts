import { describe, expect, test } from 'vitest';
import { settingsOf } from '../model/books.ts';
import { setCancelFlags } from './cancelling.ts';
import { completeSession } from './checkout.ts';
import { payInvoice } from './paying.ts';
import { refund } from './refunding.ts';
import { aCard, aStory, aSubscriber, BOBCAT, DAY_S, openSession, START } from './testing/customer-fixture.ts';
import { stored } from './work.ts';

const at = (iso: string) => Date.parse(iso) / 1000;
const FEBRUARY = at('2026-02-28T12:00:00Z');
const MARCH = at('2026-03-31T12:00:00Z');

describe('checkout', () => {
  test('a paid session makes an active subscription with a paid invoice', () => {
    const story = aStory();

    const result = story.at(START, (work) =>
      completeSession(work, openSession(work), { card: aCard(), hasConsent: false }),
    );

    expect(result.kind).toBe('complete');
    expect(story.subscription()).toMatchObject({
      status: 'active',
      price: BOBCAT,
      periodStart: START,
      periodEnd: FEBRUARY,
    });
    expect(story.invoices()).toMatchObject([{ status: 'paid', due: 2999, reason: 'subscription_create' }]);
    expect(story.news()).toEqual([
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'checkout.session.completed',
    ]);
  });

  test('a declined card leaves the session open and nothing behind', () => {
    const story = aStory();

    const result = story.at(START, (work) =>
      completeSession(work, openSession(work), { card: aCard('insufficient_funds'), hasConsent: false }),
    );

    expect(result).toEqual({ kind: 'declined', message: 'Your card has insufficient funds.' });
    expect(story.books.list('sessions')).toMatchObject([{ status: 'open' }]);
    expect([story.books.list('subscriptions'), story.books.list('paymentMethods'), story.news()]).toEqual([[], [], []]);
  });

  test('a card that asks for consent pays with it', () => {
    const story = aStory();
    const pay = (hasConsent: boolean) =>
      story.at(
        START,
        (work) => completeSession(work, openSession(work), { card: aCard('consent_always'), hasConsent }).kind,
      );

    expect([pay(false), pay(true)]).toEqual(['consent_needed', 'complete']);
  });

  test('a second session of a customer makes a second subscription, and a session pays once', () => {
    const story = aSubscriber();
    const session = story.at(START, (work) => openSession(work));
    const pay = () =>
      story.at(START, (work) =>
        completeSession(work, stored(work.draft, 'sessions', session.id), { card: aCard(), hasConsent: false }),
      );
    pay();

    expect(story.books.list('subscriptions')).toHaveLength(2);
    expect(pay).toThrow(/no longer open/);
  });

  test('an open session expires', () => {
    const story = aStory();
    story.at(START, (work) => openSession(work));

    story.until(START + 1799);
    expect(story.news()).toEqual([]);
    story.until(START + 1800);
    expect(story.news()).toEqual(['checkout.session.expired']);
  });
});

describe('renewal', () => {
  test('the period moves at once, the invoice is charged an hour later', () => {
    const story = aSubscriber();

    story.until(FEBRUARY);
    expect(story.subscription()).toMatchObject({ status: 'active', periodStart: FEBRUARY, periodEnd: MARCH });
    expect(story.invoices()[1]).toMatchObject({
      status: 'draft',
      finalizesAt: FEBRUARY + 3600,
      reason: 'subscription_cycle',
    });
    expect(story.news()).toEqual(['invoice.created', 'customer.subscription.updated']);

    story.until(FEBRUARY + 3600);
    expect(story.invoices()[1]).toMatchObject({ status: 'paid', due: 2999 });
    expect(story.news()).toEqual([
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
  });

  test('a year is twelve invoices, each on the last day of its month', () => {
    const story = aSubscriber();

    story.until(at('2027-01-31T11:59:59Z'));

    const days = story.invoices().map(({ periodStart }) => new Date(periodStart * 1000).getUTCDate());
    expect(days).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
  });

  test('one leap of time leads where many small ones lead', () => {
    const leap = aSubscriber(BOBCAT, 'fails_later');
    const steps = aSubscriber(BOBCAT, 'fails_later');

    leap.until(START + 60 * DAY_S);
    for (let day = 1; day <= 60; day += 1) steps.until(START + day * DAY_S);

    expect(steps.books.snapshot()).toEqual(leap.books.snapshot());
  });

  test('a declined one is tried again after three, five and seven days, then the subscription ends', () => {
    const story = aSubscriber(BOBCAT, 'fails_later');
    const failed = FEBRUARY + 3600;
    const seen = [0, 3, 5, 7].map((days) => {
      story.until(failed + days * DAY_S - 1);
      const before = story.invoices()[1]?.attempts;
      story.until(failed + days * DAY_S);
      return [before, story.invoices()[1]?.attempts, story.subscription().status];
    });

    expect(seen).toEqual([
      [0, 1, 'past_due'],
      [1, 2, 'past_due'],
      [2, 3, 'past_due'],
      [3, 4, 'canceled'],
    ]);
    expect(story.subscription()).toMatchObject({ endReason: 'payment_failed', endedAt: failed + 7 * DAY_S });
  });

  test.each([
    ['unpaid', 'draft'],
    ['past_due', 'open'],
  ] as const)('by the switch it stays %s instead, and its next invoice %s', (afterRetries, status) => {
    const story = aSubscriber(BOBCAT, 'fails_later');
    story.at(START, ({ draft }) => draft.put('settings', { ...settingsOf(draft), afterRetries }));

    story.until(FEBRUARY + 8 * DAY_S);
    expect(story.subscription()).toMatchObject({ status: afterRetries, endedAt: null });
    story.until(MARCH + DAY_S);
    expect(story.invoices()[2]).toMatchObject({ status, attempts: status === 'open' ? 1 : 0 });
    expect(story.subscription().status).toBe(afterRetries);
  });

  test('a decline that was planned is spent on one try', () => {
    const story = aSubscriber();
    story.at(START, ({ draft }) =>
      draft.put('customers', {
        ...stored(draft, 'customers', 'cus_1'),
        nextDeclines: { behaviour: 'insufficient_funds', times: 1 },
      }),
    );

    story.until(FEBRUARY + 3600);
    expect(story.subscription().status).toBe('past_due');
    expect(story.books.list('charges').at(-1)?.failureMessage).toBe('Your card has insufficient funds.');
    story.until(FEBRUARY + 3600 + 3 * DAY_S);
    expect(story.subscription().status).toBe('active');
  });

  test('paying the open invoice with another card makes it active again', () => {
    const story = aSubscriber(BOBCAT, 'fails_later');
    story.until(FEBRUARY + 2 * DAY_S);

    story.at(FEBRUARY + 2 * DAY_S, (work) => {
      const [paymentMethod = null] = work.draft.list('paymentMethods');
      const other = paymentMethod && { ...paymentMethod, card: aCard() };
      const [, invoice] = work.draft.list('invoices');
      if (invoice) payInvoice(work, invoice, { paymentMethod: other });
    });
    story.until(FEBRUARY + 8 * DAY_S);

    expect(story.subscription().status).toBe('active');
    expect(story.invoices()[1]).toMatchObject({ status: 'paid', attempts: 2, nextAttemptAt: null });
  });
});

describe('cancelling', () => {
  const flag = (atPeriodEnd: boolean, moment: number | null = null) => ({ atPeriodEnd, at: moment });

  test('with the flag set it ends with the period, without an invoice', () => {
    const story = aSubscriber();
    story.at(START, (work) => setCancelFlags(work, story.subscription(), flag(true)));

    story.until(FEBRUARY - 1);
    expect(story.subscription().status).toBe('active');
    story.until(FEBRUARY + 40 * DAY_S);
    expect(story.subscription()).toMatchObject({
      status: 'canceled',
      endedAt: FEBRUARY,
      endReason: 'cancellation_requested',
    });
    expect(story.invoices()).toHaveLength(1);
    expect(story.news()).toEqual(['customer.subscription.deleted']);
  });

  test('taken back in time it goes on', () => {
    const story = aSubscriber();
    story.at(START, (work) => setCancelFlags(work, story.subscription(), flag(true)));
    story.at(START, (work) => setCancelFlags(work, story.subscription(), flag(false)));

    story.until(FEBRUARY);

    expect(story.subscription()).toMatchObject({
      status: 'active',
      cancelAt: null,
      canceledAt: null,
      periodEnd: MARCH,
    });
  });

  test('a moment of its own ends it as well', () => {
    const story = aSubscriber();
    story.at(START, (work) => setCancelFlags(work, story.subscription(), flag(false, FEBRUARY)));

    story.until(FEBRUARY);

    expect(story.subscription()).toMatchObject({ status: 'canceled', endedAt: FEBRUARY, cancelAtPeriodEnd: false });
  });
});

test('never more is given back than was paid', () => {
  const story = aSubscriber();
  const giveBack = (amount: number | null) =>
    story.at(START, (work) => {
      const [charge] = work.draft.list('charges');
      return charge && refund(work, charge, { amount, reason: null, metadata: {} }).amount;
    });

  expect(giveBack(1000)).toBe(1000);
  expect(() => giveBack(2000)).toThrow(/between 1 and/);
  expect(giveBack(null)).toBe(1999);
  expect(() => giveBack(null)).toThrow(/already been refunded/);
  expect(story.news()).toEqual(['charge.refunded', 'refund.created', 'charge.refunded', 'refund.created']);
});
