/** What the property test of the whole API cannot know: the order of events, time in steps, and ends that a choice decides. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CARD_BEHAVIOURS } from '../model/cards.ts';
import { refund } from './payments/charging.ts';
import { attachNewCard, completeSession } from './payments/checkout.ts';
import { payInvoice } from './payments/open-invoice.ts';
import { endSubscription, setCancelFlags } from './subscriptions/cancelling.ts';
import { resumeSubscription } from './subscriptions/resuming.ts';
import { scheduleFrom, setPhases } from './subscriptions/schedules.ts';
import { type NewSubscription, subscribe } from './subscriptions/subscribing.ts';
import { changePrice } from './subscriptions/upgrading.ts';
import {
  aCard,
  aStory,
  aSubscriber,
  BOBCAT,
  DAY_S,
  LION,
  openSession,
  START,
  type Story,
} from './testing/customer-fixture.ts';
import { stored } from './work.ts';

const HOUR_S = 3600;
const FEBRUARY = Date.parse('2026-02-28T12:00:00Z') / 1000;
const MARCH = Date.parse('2026-03-31T12:00:00Z') / 1000;
const TRIAL_END = START + 14 * DAY_S;

function upgrade(story: Story): void {
  story.at(START, (work) =>
    changePrice(work, story.subscription(), {
      to: stored(work.draft, 'prices', LION),
      prorationDate: null,
      prorationBehavior: 'always_invoice',
      paymentBehavior: 'pending_if_incomplete',
    }),
  );
}

function pay(story: Story, atS: number, index: number): void {
  story.at(atS, (work) => {
    const invoice = story.invoices()[index];
    const [paymentMethod = attachNewCard(work, 'cus_1', aCard())] = work.draft.list('paymentMethods');
    if (invoice) payInvoice(work, invoice, { paymentMethod, isFirst: true, hasConsent: true });
  });
}

function scheduled(story: Story, endBehavior: 'release' | 'cancel', atS = START): void {
  story.at(atS, (work) => {
    const schedule = scheduleFrom(work, story.subscription());
    work.draft.put('schedules', { ...schedule, endBehavior });
  });
}

/** A trial without a card. */
function trial(withoutCard: NewSubscription['withoutCard']): Story {
  const story = aStory();
  story.at(START, (work) => {
    const facts = { customer: 'cus_1', price: BOBCAT, metadata: {}, paymentMethod: null, trialEnd: TRIAL_END };
    subscribe(work, { ...facts, status: 'trialing', ...(withoutCard && { withoutCard }) }, 'allow_incomplete');
  });
  return story;
}

const PAID = ['charge.succeeded', 'payment_intent.succeeded', 'invoice.paid', 'invoice.payment_succeeded'];
const FAILED = ['charge.failed', 'payment_intent.payment_failed', 'invoice.payment_failed'];
const UPDATED = 'customer.subscription.updated';
const DELETED = 'customer.subscription.deleted';

test.each<[string, () => Story, (story: Story) => void, string[]]>([
  [
    'a paid checkout',
    aStory,
    (story) =>
      story.at(START, (work) => completeSession(work, openSession(work), { card: aCard(), hasConsent: false })),
    [
      ...['payment_method.attached', 'customer.subscription.created', 'invoice.created', 'invoice.finalized'],
      ...[...PAID, 'checkout.session.completed'],
    ],
  ],
  [
    'a checkout that expires after its half hour',
    aStory,
    (story) => {
      story.at(START, (work) => openSession(work));
      story.until(START + 1799);
      expect(story.newEvents()).toEqual([]);
      story.until(START + 1800);
    },
    ['checkout.session.expired'],
  ],
  ['a period that ends', aSubscriber, (story) => story.until(FEBRUARY), ['invoice.created', UPDATED]],
  [
    'a renewal an hour later',
    aSubscriber,
    (story) => {
      story.until(FEBRUARY + HOUR_S - 1);
      story.newEvents();
      story.until(FEBRUARY + HOUR_S);
    },
    ['invoice.finalized', ...PAID],
  ],
  [
    'a renewal that is declined',
    () => aSubscriber(BOBCAT, 'fails_later'),
    (story) => {
      story.until(FEBRUARY);
      story.newEvents();
      story.until(FEBRUARY + HOUR_S);
    },
    ['invoice.finalized', ...FAILED, UPDATED],
  ],
  [
    'an upgrade that waits and is paid',
    () => aSubscriber(BOBCAT, 'consent_always'),
    (story) => {
      upgrade(story);
      story.newEvents();
      pay(story, START + 60, 1);
    },
    [...PAID, UPDATED, 'customer.subscription.pending_update_applied'],
  ],
  [
    'an upgrade that is never paid',
    () => aSubscriber(BOBCAT, 'consent_always'),
    (story) => {
      upgrade(story);
      story.newEvents();
      story.until(START + 23 * HOUR_S);
    },
    ['payment_intent.canceled', 'invoice.voided', 'customer.subscription.pending_update_expired'],
  ],
  [
    'a plan that was to end with its period',
    aSubscriber,
    (story) => {
      story.at(START, (work) => setCancelFlags(work, story.subscription(), { atPeriodEnd: true, at: null }));
      story.until(FEBRUARY - 1);
      expect(story.subscription().status).toBe('active');
      story.until(FEBRUARY + 40 * DAY_S);
    },
    [DELETED],
  ],
  [
    'a refund',
    aSubscriber,
    (story) =>
      story.at(START, (work) => {
        const [charge] = work.draft.list('charges');
        return charge && refund(work, charge, { amount: null, reason: null, metadata: {} });
      }),
    ['charge.refunded', 'refund.created'],
  ],
  [
    'a schedule whose end is the end of the subscription',
    aSubscriber,
    (story) => {
      scheduled(story, 'cancel');
      story.newEvents();
      story.until(FEBRUARY);
      expect(story.store.list('schedules')).toMatchObject([{ status: 'completed', completedAt: FEBRUARY }]);
    },
    ['subscription_schedule.completed', DELETED],
  ],
  [
    'a schedule whose subscription is canceled',
    aSubscriber,
    (story) => {
      scheduled(story, 'release');
      story.newEvents();
      story.at(START, (work) => endSubscription(work, story.subscription().id, 'cancellation_requested'));
    },
    ['subscription_schedule.canceled', DELETED],
  ],
  [
    'a schedule whose subscription is never paid',
    () => aSubscriber(BOBCAT, 'fails_later'),
    (story) => {
      story.until(FEBRUARY + 7 * DAY_S);
      scheduled(story, 'release', FEBRUARY + 7 * DAY_S);
      story.newEvents();
      story.until(FEBRUARY + HOUR_S + 7 * DAY_S);
    },
    [...FAILED, 'subscription_schedule.aborted', DELETED],
  ],
  [
    'a trial that pauses, and goes on when it is paid',
    () => trial('pause'),
    (story) => {
      story.newEvents();
      story.until(TRIAL_END + DAY_S);
      expect(story.newEvents()).toEqual([UPDATED, 'customer.subscription.paused']);
      story.at(TRIAL_END + DAY_S, (work) =>
        resumeSubscription(work, story.subscription(), 'resume_on_payment_success'),
      );
      expect(story.subscription().status).toBe('paused');
      story.newEvents();
      pay(story, TRIAL_END + DAY_S + 60, 1);
      expect(story.subscription()).toMatchObject({ status: 'active', anchor: TRIAL_END + DAY_S });
    },
    ['payment_method.attached', ...PAID, UPDATED, 'customer.subscription.resumed'],
  ],
])('reports %s by its events, in order', (_what, begin, act, types) => {
  const story = begin();
  act(story);

  expect(story.newEvents()).toEqual(types);
});

test('leads to the same state in one advance of the clock as in many', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 20 * DAY_S }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.constantFrom(...CARD_BEHAVIOURS), fc.boolean(), steps, (card, isScheduled, seconds) => {
      const [leap, steps] = [begun(), begun()];
      leap.until(START + seconds.reduce((sum, one) => sum + one, 0));
      let nowS = START;
      for (const one of seconds) {
        nowS += one;
        steps.until(nowS);
      }

      expect(steps.store.snapshot()).toEqual(leap.store.snapshot());

      function begun(): Story {
        const story = aSubscriber();
        if (isScheduled) scheduled(story, 'release');
        story.at(START, ({ draft }) => {
          for (const one of draft.list('paymentMethods')) draft.put('paymentMethods', { ...one, card: aCard(card) });
        });
        return story;
      }
    }),
  );
});

test.each([
  ['create_invoice', 'past_due'],
  ['pause', 'paused'],
  ['cancel', 'canceled'],
] as const)('ends a trial without a card by %s as %s', (withoutCard, status) => {
  const story = trial(withoutCard);

  story.until(TRIAL_END + HOUR_S);

  expect(story.subscription().status).toBe(status);
});

test.each([
  ['resume_on_payment_success', 'paused', 'void'],
  ['resume_on_payment_attempt', 'canceled', 'open'],
] as const)('leaves a paused subscription that %s and remains unpaid %s', (payment, status, invoice) => {
  const story = trial('pause');
  story.until(TRIAL_END + 90 * DAY_S);
  story.at(TRIAL_END + 90 * DAY_S, (work) => resumeSubscription(work, story.subscription(), payment));

  story.until(TRIAL_END + 98 * DAY_S);

  expect(story.subscription()).toMatchObject({ status, resumption: null });
  expect(story.invoices()[1]?.status).toBe(invoice);
});

const FEBRUARY_TO_MARCH_S = MARCH - FEBRUARY;

describe('a schedule', () => {
  function planned(): Story {
    const story = aSubscriber(LION);
    story.at(START, (work) => {
      const schedule = scheduleFrom(work, story.subscription());
      const [phase] = schedule.phases;
      if (phase === undefined) return;
      const next = { price: BOBCAT, startsAt: phase.endsAt, endsAt: MARCH, prorationBehavior: 'none' };
      setPhases(work, schedule, [phase, next]);
    });
    return story;
  }

  test('changes the price with the period and is released at the end of its second phase', () => {
    const story = planned();

    story.until(FEBRUARY - 1);
    expect(story.subscription().price).toBe(LION);
    story.until(MARCH - 1);
    expect(story.subscription()).toMatchObject({ price: BOBCAT, schedule: expect.any(String) });
    story.until(MARCH);
    expect(story.subscription()).toMatchObject({ price: BOBCAT, schedule: null });
    expect(story.store.list('schedules')).toMatchObject([{ status: 'released', releasedAt: MARCH }]);
  });

  test('refuses phases that leave a gap or drop the running one', () => {
    const story = planned();
    const set = (shiftS: number, count: number) =>
      story.at(START, (work) => {
        const [schedule] = work.draft.list('schedules');
        if (schedule === undefined) return;
        const [first, second] = schedule.phases;
        if (first && second)
          setPhases(work, schedule, [first, { ...second, startsAt: second.startsAt + shiftS }].slice(count));
      });

    expect(() => set(1, 0)).toThrow(/must start when/);
    expect(() => set(0, 1)).toThrow(/current phase/);
  });

  test.each([
    ['within a period', DAY_S, 'create_prorations', /does not prorate/],
    ['within a period', DAY_S, 'none', null],
    ['with the period after the next', FEBRUARY_TO_MARCH_S, 'create_prorations', null],
  ] as const)(
    'refuses only what it cannot prorate: a phase that starts %s, %i s later, with %s',
    (_, laterS, prorationBehavior, refusal) => {
      const story = planned();
      const set = () =>
        story.at(START, (work) => {
          const [schedule] = work.draft.list('schedules');
          const first = schedule?.phases[0];
          if (schedule === undefined || first === undefined) throw new Error('There is no schedule.');
          const endsAt = first.endsAt + laterS;
          const next = { price: BOBCAT, startsAt: endsAt, endsAt: endsAt + 90 * DAY_S, prorationBehavior };
          setPhases(work, schedule, [{ ...first, endsAt }, next]);
        });

      if (refusal === null) expect(set).not.toThrow();
      else expect(set).toThrow(refusal);
    },
  );
});
