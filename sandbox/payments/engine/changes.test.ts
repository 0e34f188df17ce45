import { describe, expect, test } from 'vitest';
import { setCancelFlags } from './cancelling.ts';
import { payInvoice } from './paying.ts';
import { releaseSchedule, scheduleFrom, setPhases } from './schedules.ts';
import { aSubscriber, BOBCAT, DAY_S, LION, START, type Story } from './testing/customer-fixture.ts';
import { changePrice, type PriceUpdate } from './upgrading.ts';
import { stored } from './work.ts';

const FEBRUARY = Date.parse('2026-02-28T12:00:00Z') / 1000;
const MARCH = Date.parse('2026-03-31T12:00:00Z') / 1000;

function upgrade(story: Story, atS: number, more: Partial<PriceUpdate> = {}) {
  return story.at(atS, (work) =>
    changePrice(work, story.subscription(), {
      to: stored(work.draft, 'prices', LION),
      prorationDate: null,
      prorationBehavior: 'always_invoice',
      paymentBehavior: 'pending_if_incomplete',
      ...more,
    }),
  );
}

describe('an upgrade', () => {
  test('is paid at once, for the rest of the period by the second', () => {
    const story = aSubscriber();

    upgrade(story, START + 7 * DAY_S);

    expect(story.subscription()).toMatchObject({ price: LION, periodEnd: FEBRUARY, pendingUpdate: null });
    const invoice = story.invoices()[1];
    expect(invoice).toMatchObject({ status: 'paid', due: 3000, prorationDate: START + 7 * DAY_S });
    expect(invoice?.lines.map(({ amount }) => amount)).toEqual([-2249, 5249]);
  });

  test('of a quote counts from the moment of the quote', () => {
    const story = aSubscriber();

    upgrade(story, START + 7 * DAY_S + 90, { prorationDate: START + 7 * DAY_S });

    expect(story.invoices()[1]?.due).toBe(3000);
    expect(() => upgrade(aSubscriber(), START, { prorationDate: START - 1 })).toThrow(/within the current period/);
  });

  test('takes credit of the customer first', () => {
    const story = aSubscriber();
    story.at(START, ({ draft }) => draft.put('customers', { ...stored(draft, 'customers', 'cus_1'), balance: -500 }));

    upgrade(story, START);

    expect(story.invoices()[1]).toMatchObject({ total: 4000, due: 3500, startingBalance: -500, endingBalance: 0 });
    expect(story.books.get('customers', 'cus_1')?.balance).toBe(0);
  });

  test.each(['fails_later', 'consent_always'] as const)('with a card that %s waits for its payment', (behaviour) => {
    const story = aSubscriber(BOBCAT, behaviour);

    upgrade(story, START);

    const { pendingUpdate } = story.subscription();
    expect(story.subscription()).toMatchObject({ price: BOBCAT, status: 'active' });
    expect(pendingUpdate).toMatchObject({ price: LION, expiresAt: START + 23 * 3600 });
    expect(story.invoices()[1]).toMatchObject({ id: pendingUpdate?.invoice, status: 'open', due: 4000 });
  });

  test('that waits is made by paying it', () => {
    const story = aSubscriber(BOBCAT, 'consent_always');
    upgrade(story, START);
    story.news();

    story.at(START + 60, (work) => {
      const [paymentMethod = null] = work.draft.list('paymentMethods');
      payInvoice(work, stored(work.draft, 'invoices', story.subscription().pendingUpdate?.invoice ?? ''), {
        paymentMethod,
        hasConsent: true,
      });
    });

    expect(story.subscription()).toMatchObject({ price: LION, pendingUpdate: null });
    expect(story.news()).toEqual([
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
      'customer.subscription.pending_update_applied',
    ]);
  });

  test('that nobody pays is dropped after 23 hours', () => {
    const story = aSubscriber(BOBCAT, 'consent_always');
    upgrade(story, START);
    story.news();

    story.until(START + 23 * 3600);

    expect(story.subscription()).toMatchObject({ price: BOBCAT, pendingUpdate: null });
    expect(story.invoices()[1]?.status).toBe('void');
    expect(story.news()).toEqual([
      'payment_intent.canceled',
      'invoice.voided',
      'customer.subscription.pending_update_expired',
    ]);
  });

  test('can be an error as a whole', () => {
    const story = aSubscriber(BOBCAT, 'fails_later');

    expect(() => upgrade(story, START, { paymentBehavior: 'error_if_incomplete' })).toThrow(/declined/);
    expect(story.invoices()).toHaveLength(1);
  });
});

describe('a schedule', () => {
  function downgrade(story: Story): void {
    story.at(START, (work) => {
      const schedule = scheduleFrom(work, story.subscription());
      const [phase] = schedule.phases;
      if (phase === undefined) return;
      const next = { price: BOBCAT, startsAt: phase.endsAt, endsAt: MARCH, prorationBehavior: 'none' };
      setPhases(work, schedule, [phase, next]);
    });
    story.news();
  }

  test('changes the price with the period and is released at the end of its second phase', () => {
    const story = aSubscriber(LION);
    downgrade(story);

    story.until(FEBRUARY - 1);
    expect(story.subscription().price).toBe(LION);
    story.until(FEBRUARY + 3600);
    expect(story.subscription()).toMatchObject({ price: BOBCAT, schedule: expect.any(String) });
    expect(story.invoices()[1]).toMatchObject({ status: 'paid', due: 2999 });
    story.until(MARCH);
    expect(story.subscription()).toMatchObject({ price: BOBCAT, schedule: null });
    expect(story.books.list('schedules')).toMatchObject([{ status: 'released', releasedAt: MARCH }]);
  });

  test('released early leaves everything as it was', () => {
    const story = aSubscriber(LION);
    downgrade(story);

    story.at(START, (work) => work.draft.list('schedules').map((schedule) => releaseSchedule(work, schedule)));
    story.until(FEBRUARY + 3600);

    expect(story.subscription()).toMatchObject({ price: LION, schedule: null });
    expect(story.invoices()[1]?.due).toBe(6999);
  });

  test('is the only one of its subscription', () => {
    const story = aSubscriber(LION);
    downgrade(story);

    expect(() => story.at(START, (work) => scheduleFrom(work, story.subscription()))).toThrow(/already attached/);
  });

  test('keeps the cancel flag to itself', () => {
    const story = aSubscriber(LION);
    downgrade(story);

    expect(() =>
      story.at(START, (work) => setCancelFlags(work, story.subscription(), { atPeriodEnd: true, at: null })),
    ).toThrow(/managed by the subscription schedule/);
  });

  test('refuses phases that leave a gap or drop the running one', () => {
    const story = aSubscriber(LION);
    downgrade(story);
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
});
