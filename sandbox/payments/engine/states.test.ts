import { describe, expect, test } from 'vitest';
import type { CardBehaviour } from '../model/cards.ts';
import { attachCard } from './checkout.ts';
import { payInvoice } from './paying.ts';
import { resumeSubscription } from './resuming.ts';
import { type FirstPayment, type NewSubscription, subscribe } from './subscribing.ts';
import { aCard, aStory, BOBCAT, DAY_S, LION, START, type Story } from './testing/customer-fixture.ts';
import { changePrice } from './upgrading.ts';
import { voidOpenInvoice } from './voiding.ts';
import { stored } from './work.ts';

const at = (iso: string) => Date.parse(iso) / 1000;
const TRIAL_END = START + 14 * DAY_S;

interface Facts extends Partial<NewSubscription> {
  card?: CardBehaviour | null;
  payment?: FirstPayment;
}

function begun({ card = 'ok', payment = 'allow_incomplete', ...more }: Facts = {}): Story {
  const story = aStory();
  story.at(START, (work) => {
    const paymentMethod = card === null ? null : attachCard(work, 'cus_1', aCard(card)).id;
    const facts = { customer: 'cus_1', price: BOBCAT, metadata: {}, paymentMethod };
    subscribe(work, { ...facts, status: more.trialEnd === undefined ? 'incomplete' : 'trialing', ...more }, payment);
  });
  return story;
}

function pay(story: Story, atS: number, index: number): void {
  story.at(atS, (work) => {
    const invoice = story.invoices()[index];
    if (invoice) payInvoice(work, invoice, { paymentMethod: attachCard(work, 'cus_1', aCard()), isFirst: true });
  });
}

describe('the first payment', () => {
  test('makes it active, and the event says what it was before', () => {
    const story = begun();

    expect(story.subscription()).toMatchObject({ status: 'active', incompleteUntil: null });
    const updated = story.books.list('events').find(({ type }) => type === 'customer.subscription.updated');
    expect(updated).toMatchObject({
      object: { status: 'active' },
      previous: { status: 'incomplete', latest_invoice: null },
    });
  });

  test.each([
    ['declined', { card: 'fails_later' }],
    ['not tried', { payment: 'default_incomplete' }],
    ['waiting for consent', { card: 'consent_always' }],
  ] as const)('%s leaves it incomplete, until it is paid', (_what, facts) => {
    const story = begun(facts);
    expect(story.subscription().status).toBe('incomplete');

    pay(story, START + 3600, 0);
    story.until(START + 2 * DAY_S);

    expect(story.subscription().status).toBe('active');
  });

  test('that never comes ends it after 23 hours', () => {
    const story = begun({ payment: 'default_incomplete' });

    story.until(START + 23 * 3600 - 1);
    expect(story.subscription().status).toBe('incomplete');
    story.until(START + 23 * 3600);
    expect(story.subscription()).toMatchObject({ status: 'incomplete_expired', endedAt: START + 23 * 3600 });
    expect(story.invoices()).toMatchObject([{ status: 'void' }]);
    story.until(START + 60 * DAY_S);
    expect(story.invoices()).toHaveLength(1);
  });

  test('given up by a call ends it as well', () => {
    const story = begun({ payment: 'default_incomplete' });

    story.at(START, (work) => story.invoices().map((invoice) => voidOpenInvoice(work, invoice)));

    expect(story.subscription().status).toBe('incomplete_expired');
  });

  test('can be an error as a whole, and needs something to pay with', () => {
    expect(() => begun({ card: 'fails_later', payment: 'error_if_incomplete' })).toThrow(/declined/);
    expect(() => begun({ card: null })).toThrow(/no attached payment source/);
  });

  test('must come before another price', () => {
    const story = begun({ payment: 'default_incomplete' });
    const facts = { prorationDate: null, prorationBehavior: 'none', paymentBehavior: 'allow_incomplete' } as const;

    expect(() =>
      story.at(START, (work) =>
        changePrice(work, story.subscription(), { to: stored(work.draft, 'prices', LION), ...facts }),
      ),
    ).toThrow(/incomplete/);
  });
});

describe('a trial', () => {
  test('costs nothing, then renews by months from its end', () => {
    const story = begun({ trialEnd: TRIAL_END });
    expect(story.subscription()).toMatchObject({ status: 'trialing', periodEnd: TRIAL_END, anchor: TRIAL_END });
    expect(story.invoices()).toMatchObject([{ status: 'paid', due: 0 }]);

    story.until(TRIAL_END + 3600);

    const end = at('2026-03-14T12:00:00Z');
    expect(story.subscription()).toMatchObject({ status: 'active', periodStart: TRIAL_END, periodEnd: end });
    expect(story.invoices()[1]).toMatchObject({ status: 'paid', due: 2999 });
  });

  test('changes its price for nothing', () => {
    const story = begun({ trialEnd: TRIAL_END });

    story.at(START + DAY_S, (work) =>
      changePrice(work, story.subscription(), {
        to: stored(work.draft, 'prices', LION),
        prorationDate: null,
        prorationBehavior: 'always_invoice',
        paymentBehavior: 'pending_if_incomplete',
      }),
    );

    expect(story.invoices()[1]).toMatchObject({ status: 'paid', due: 0 });
    story.until(TRIAL_END + 3600);
    expect(story.invoices()[2]?.due).toBe(6999);
  });

  test.each([
    ['create_invoice', 'past_due'],
    ['pause', 'paused'],
    ['cancel', 'canceled'],
  ] as const)('without a card ends by %s as %s', (withoutCard, status) => {
    const story = begun({ trialEnd: TRIAL_END, card: null, withoutCard });

    story.until(TRIAL_END + 3600);

    expect(story.subscription().status).toBe(status);
  });
});

describe('a paused one', () => {
  function paused(): Story {
    const story = begun({ trialEnd: TRIAL_END, card: null, withoutCard: 'pause' });
    story.until(TRIAL_END + 90 * DAY_S);
    return story;
  }
  const resumed = (story: Story, payment: 'resume_on_payment_attempt' | 'resume_on_payment_success') =>
    story.at(TRIAL_END + 90 * DAY_S, (work) => resumeSubscription(work, story.subscription(), payment));

  test('does not renew', () => {
    const story = paused();

    expect(story.invoices()).toHaveLength(1);
    expect(story.news()).toContain('customer.subscription.paused');
  });

  test('goes on from the moment it is resumed, once that is paid', () => {
    const story = paused();
    resumed(story, 'resume_on_payment_success');
    expect(story.subscription().status).toBe('paused');
    story.news();

    pay(story, TRIAL_END + 90 * DAY_S + 60, 1);

    expect(story.subscription()).toMatchObject({ status: 'active', anchor: TRIAL_END + 90 * DAY_S, resumption: null });
    expect(story.news()).toContain('customer.subscription.resumed');
  });

  test('stays paused when nobody pays for 23 hours', () => {
    const story = paused();
    resumed(story, 'resume_on_payment_success');

    story.until(TRIAL_END + 91 * DAY_S);

    expect(story.subscription()).toMatchObject({ status: 'paused', resumption: null });
    expect(story.invoices()[1]?.status).toBe('void');
  });

  test('can go on late, and is tried again', () => {
    const story = paused();
    resumed(story, 'resume_on_payment_attempt');
    expect(story.subscription().status).toBe('past_due');

    story.until(TRIAL_END + 98 * DAY_S);

    expect(story.subscription()).toMatchObject({ status: 'canceled', endReason: 'payment_failed' });
  });

  test('is the only kind that can be resumed', () => {
    expect(() => resumed(begun(), 'resume_on_payment_attempt')).toThrow(/not 'paused'/);
  });
});
