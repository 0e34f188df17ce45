import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hand } from './engine/payment-engine.ts';
import { completeSession } from './engine/payments/checkout.ts';
import { isEnded } from './engine/subscription-status.ts';
import { aCard, openSession } from './engine/testing/customer-fixture.ts';
import { openJournal } from './journal.ts';
import { CARD_BEHAVIOURS } from './model/cards.ts';
import { createStateStore, settingsOf } from './model/state-store.ts';
import {
  balanceBeforeInvoices,
  eventListener,
  expectSound,
  type PaymentsUnderTest,
  paymentsUnderTest,
} from './testing/api-invariants.ts';

const START = Date.parse('2026-01-31T12:00:00Z') / 1000;
const PRICES = ['price_kat_bobcat_monthly', 'price_kat_lion_monthly'] as const;

const price = fc.constantFrom(...PRICES);
/** Which of the rows there are, counted round. */
const place = fc.nat(3);
const card = fc.constantFrom('fails_later', ...CARD_BEHAVIOURS);
const settings = fc.constantFrom('cancel', 'unpaid', 'past_due');

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      hours: fc.constantFrom(1, 22, 24, 80, 300, 672, 744, 800, 961, 1488),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('checkout' as const), price, card }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      price,
      token: fc.constantFrom(
        'pm_card_visa',
        'pm_card_chargeCustomerFail',
        'pm_card_authenticationRequired',
        null,
        null,
      ),
      trialDays: fc.constantFrom(0, 0, 3, 40),
      payment: fc.constantFrom('default_incomplete', 'allow_incomplete', 'error_if_incomplete'),
      missing: fc.constantFrom('create_invoice', 'pause', 'cancel'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      place,
      price,
      proration: fc.constantFrom('always_invoice', 'always_invoice', 'none'),
      /** How long ago it was quoted; null: it was not. */
      quotedHours: fc.constantFrom(null, null, 0, 1, 700),
      payment: fc.constantFrom('pending_if_incomplete', 'allow_incomplete', 'error_if_incomplete'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      place,
      price,
      end: fc.constantFrom('release', 'cancel'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flag' as const), place, isSet: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cancelAt' as const), place, hours: fc.integer({ min: -100, max: 2000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), place }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('resume' as const), place, payment: fc.constantFrom('attempt', 'success') }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), place, withNewCard: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('void' as const), place }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('closed' as const), place, how: fc.constantFrom('pay', 'void') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cards' as const), card }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('decline' as const), times: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('refund' as const), place, amount: fc.integer({ min: 1, max: 8000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('balance' as const), cents: fc.integer({ min: -10_000, max: 3000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('retries' as const),
      after: settings,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const [BOBCAT] = PRICES;
/** States that chance alone seldom reaches: a pause, a voided first invoice, an end in a draft's hour, credit that waits, debts. */
const opening = fc.constantFrom<readonly Step[]>(
  [],
  [
    {
      ...({ do: 'create', price: BOBCAT, token: null, trialDays: 3 } as const),
      ...({ payment: 'allow_incomplete', missing: 'pause' } as const),
    },
    { do: 'advance', hours: 80 },
  ],
  [{ do: 'checkout', price: BOBCAT, card: 'fails_later' }],
  [
    { do: 'checkout', price: BOBCAT, card: 'fails_later' },
    { do: 'retries', after: 'unpaid' },
    { do: 'advance', hours: 672 },
    // Its next invoice is a draft now.
    { do: 'advance', hours: 744 },
  ],
  [
    { do: 'checkout', price: BOBCAT, card: 'fails_later' },
    { do: 'retries', after: 'past_due' },
    { do: 'advance', hours: 1488 },
    // The older of two.
    { do: 'pay', place: 0, withNewCard: true },
  ],
  [
    {
      ...({ do: 'create', price: BOBCAT, token: 'pm_card_visa', trialDays: 0 } as const),
      ...({ payment: 'default_incomplete', missing: 'pause' } as const),
    },
    { do: 'void', place: 0 },
  ],
  [
    { do: 'checkout', price: BOBCAT, card: 'ok' },
    // To the second at the period's end.
    { do: 'advance', hours: 672 },
    { do: 'end', place: 0 },
  ],
  [
    { do: 'checkout', price: BOBCAT, card: 'fails_later' },
    { do: 'balance', cents: -1000 },
    {
      ...({ do: 'change', place: 0, price: PRICES[1], quotedHours: null } as const),
      ...({ proration: 'always_invoice', payment: 'pending_if_incomplete' } as const),
    },
    { do: 'void', place: 0 },
  ],
  [
    { do: 'checkout', price: BOBCAT, card: 'ok' },
    { do: 'schedule', place: 0, price: PRICES[1], end: 'release' },
    // Refused: there is one.
    { do: 'schedule', place: 0, price: PRICES[1], end: 'release' },
  ],
);

let folder: string;
let run = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payments-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('keeps its records sound, refuses what Stripe refuses, reports every change and restores from its journal, whatever is called', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      settings,
      opening,
      fc.array(step, { minLength: 3, maxLength: 20, size: 'max' }),
      async (afterRetries, begun, rest) => {
        const path = join(folder, `${++run}.jsonl`);
        const world = paymentsUnderTest(path, START);
        const { store } = world;
        const clock = await world.call('POST', '/v1/test_helpers/test_clocks', { frozen_time: String(START) });
        const customer = await world.call('POST', '/v1/customers', { test_clock: clock.id });
        world.engine.perform(({ draft }) => draft.put('settings', { ...settingsOf(draft), afterRetries }));
        const clockS = () => store.get('testClocks', clock.id)?.frozenTime ?? 0;
        const listener = eventListener();
        let receivedCount = store.list('events').length;

        for (const one of [...begun, ...rest]) {
          // What is due already is no part of the call.
          world.engine.passTime();
          const before = statusesOf(world);
          const rows = money(world);
          const balance = balanceBeforeInvoices(store, customer.id);
          const isForbidden = forbidden(world, one, clockS());
          const { status } = await take(world, { one, customer: customer.id, clock: clock.id, nowS: clockS() });
          if (isForbidden) expect(status, JSON.stringify(one)).toBe(400);
          // A declined payment of an open invoice stays in the records; of two calls the first may have worked.
          if (status >= 400 && one.do !== 'pay' && one.do !== 'schedule') expect(money(world)).toEqual(rows);
          expectSound(store, clockS());
          expectAllowed(before, statusesOf(world));
          // Only a call that says so adds to it or takes from it.
          if (one.do !== 'balance') expect(balanceBeforeInvoices(store, customer.id)).toBe(balance);
          const events = store.list('events');
          const fresh = events.slice(receivedCount);
          expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
          const moments = [...events.slice(0, receivedCount).slice(-1), ...fresh].map(({ created }) => created);
          expect(moments).toEqual(moments.toSorted((a, b) => a - b));
          expect((moments.at(-1) ?? 0) <= clockS()).toBe(true);
          receivedCount = events.length;
          listener.receive(fresh);
          listener.expectTrue(store);
          seen.add(`${one.do} ${status}`);
          if (isForbidden) seen.add(`${one.do} forbidden`);
          for (const sub of store.list('subscriptions')) seen.add(sub.status);
        }

        for (let restart = 0; restart < 2; restart += 1) {
          const again = createStateStore();
          openJournal(path, again, { nowS: START });
          expect(sorted(again.snapshot())).toEqual(sorted(store.snapshot()));
        }
        rmSync(path);
      },
    ),
    // The same each time, so that what must have been seen is seen.
    { numRuns: 100, seed: 20_260_131 },
  );
  // A property of nothing would hold as well.
  const statuses = [
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'unpaid',
    'paused',
    'canceled',
  ];
  const done = ['change', 'schedule', 'flag', 'cancelAt', 'end', 'resume', 'refund'];
  expect([...seen]).toEqual(
    expect.arrayContaining([
      ...statuses,
      ...done.flatMap((name) => [`${name} 200`, `${name} forbidden`]),
      ...['create 402', 'change 402', 'pay 200', 'pay 402', 'void 200', 'release 200', 'closed forbidden'],
    ]),
  );
});

interface Circumstances {
  one: Step;
  customer: string;
  clock: string;
  nowS: number;
}

/** One call. @returns its status; 0: there was nothing to call it on */
async function take({ engine, call }: PaymentsUnderTest, { one, customer, clock, nowS }: Circumstances) {
  const nothing = { status: 0, id: '' };
  const sub = nth(engine.state.list('subscriptions'), 'place' in one ? one.place : 0);
  const open = nth(
    engine.state.list('invoices').filter(({ status }) => status === 'open'),
    'place' in one ? one.place : 0,
  );
  switch (one.do) {
    case 'advance':
      return call('POST', `/v1/test_helpers/test_clocks/${clock}/advance`, {
        frozen_time: String(nowS + one.hours * 3600),
      });
    case 'checkout':
      engine.perform((hand) => buy(hand, customer, one));
      return nothing;
    case 'create': {
      // Without a card only a trial can begin.
      const trialDays = one.token === null ? Math.max(3, one.trialDays) : one.trialDays;
      const attached = await call('POST', `/v1/payment_methods/${one.token ?? 'pm_card_visa'}/attach`, { customer });
      return call('POST', '/v1/subscriptions', {
        customer,
        'items[0][price]': one.price,
        payment_behavior: one.payment,
        'trial_settings[end_behavior][missing_payment_method]': one.missing,
        ...(trialDays === 0 ? {} : { trial_period_days: String(trialDays) }),
        ...(one.token === null ? {} : { default_payment_method: attached.id }),
      });
    }
    case 'cards':
      engine.perform(({ draft }) => {
        for (const card of draft.list('paymentMethods'))
          draft.put('paymentMethods', { ...card, card: aCard(one.card) });
      });
      return nothing;
    case 'decline':
      engine.perform(({ draft }) => {
        const row = draft.get('customers', customer);
        if (row === null) return;
        draft.put('customers', { ...row, nextDeclines: { behaviour: 'card_declined', times: one.times } });
      });
      return nothing;
    case 'retries':
      engine.perform(({ draft }) => {
        draft.put('settings', { ...settingsOf(draft), afterRetries: one.after });
      });
      return nothing;
    case 'balance':
      return call('POST', `/v1/customers/${customer}`, { balance: String(one.cents) });
    case 'refund': {
      const charge = nth(engine.state.list('charges'), one.place);
      if (charge === null) return nothing;
      return call('POST', '/v1/refunds', { charge: charge.id, amount: String(one.amount) });
    }
    case 'pay': {
      if (open === null) return nothing;
      const fresh = one.withNewCard
        ? await call('POST', '/v1/payment_methods/pm_card_visa/attach', { customer })
        : null;
      return call('POST', `/v1/invoices/${open.id}/pay`, fresh === null ? {} : { payment_method: fresh.id });
    }
    case 'void':
      return open === null ? nothing : call('POST', `/v1/invoices/${open.id}/void`);
    case 'closed': {
      const closed = notOpen(engine, one.place);
      return closed === null ? nothing : call('POST', `/v1/invoices/${closed.id}/${one.how}`);
    }
    default:
      break;
  }
  if (sub === null) return nothing;
  const path = `/v1/subscriptions/${sub.id}`;
  switch (one.do) {
    case 'change':
      return call('POST', path, {
        'items[0][id]': sub.itemId,
        'items[0][price]': one.price,
        proration_behavior: one.proration,
        payment_behavior: one.payment,
        ...(one.quotedHours === null ? {} : { proration_date: String(nowS - one.quotedHours * 3600) }),
      });
    case 'schedule': {
      const schedule = await call('POST', '/v1/subscription_schedules', { from_subscription: sub.id });
      if (schedule.status !== 200) return schedule;
      return call('POST', `/v1/subscription_schedules/${schedule.id}`, {
        end_behavior: one.end,
        'phases[0][items][0][price]': sub.price,
        'phases[0][start_date]': String(sub.periodStart),
        'phases[0][end_date]': String(sub.periodEnd),
        'phases[1][items][0][price]': one.price,
        'phases[1][duration][interval]': 'month',
      });
    }
    case 'release':
      return call('POST', `/v1/subscription_schedules/${sub.schedule ?? 'none'}/release`);
    case 'flag':
      return call('POST', path, { cancel_at_period_end: String(one.isSet) });
    case 'cancelAt':
      return call('POST', path, { cancel_at: String(nowS + one.hours * 3600) });
    case 'end':
      return call('DELETE', path);
    default:
      return call('POST', `${path}/resume`, { payment_behavior: `resume_on_payment_${one.payment}` });
  }
}

/** A session pays once, and one that is not paid leaves nothing behind. */
function buy(hand: Hand, customer: string, one: { price: string; card: (typeof CARD_BEHAVIOURS)[number] }): void {
  const work = hand.workFor(customer);
  const session = hand.draft.put('sessions', { ...openSession(work, one.price), customer });
  const left = () => [hand.draft.list('subscriptions').length, hand.draft.list('paymentMethods').length];
  const [subscriptions = 0, cards = 0] = left();
  const card = { card: aCard(one.card), hasConsent: true };
  const { kind } = completeSession(work, session, card);
  const created = kind === 'complete' ? 1 : 0;
  expect(left()).toEqual([subscriptions + created, cards + created]);
  const paid = hand.draft.get('sessions', session.id);
  if (paid !== null && created === 1) expect(() => completeSession(work, paid, card)).toThrow(/no longer open/);
}

/** Whether Stripe's documentation refuses this call in the present state. */
function forbidden({ engine }: PaymentsUnderTest, one: Step, nowS: number): boolean {
  const sub = nth(engine.state.list('subscriptions'), 'place' in one ? one.place : 0);
  if (one.do === 'closed') return notOpen(engine, one.place) !== null;
  if (one.do === 'refund') {
    const charge = nth(engine.state.list('charges'), one.place);
    return charge !== null && (charge.failureCode !== null || one.amount > charge.amount - charge.refunded);
  }
  if (sub === null) return false;
  switch (one.do) {
    case 'change': {
      if (isEnded(sub) || sub.status === 'incomplete') return true;
      const isProrated = one.price !== sub.price && one.proration === 'always_invoice';
      return isProrated && one.quotedHours !== null && nowS - one.quotedHours * 3600 < sub.periodStart;
    }
    case 'schedule':
      return isEnded(sub) || sub.schedule !== null || sub.status === 'incomplete' || sub.status === 'paused';
    case 'cancelAt':
      return isEnded(sub) || sub.schedule !== null || one.hours <= 0;
    case 'flag':
      return isEnded(sub) || sub.schedule !== null;
    case 'end':
      return isEnded(sub);
    case 'resume':
      return sub.status !== 'paused';
    default:
      return false;
  }
}

function notOpen(engine: PaymentsUnderTest['engine'], place: number) {
  return nth(
    engine.state.list('invoices').filter(({ status }) => status !== 'open'),
    place,
  );
}

function money({ store }: PaymentsUnderTest) {
  return [
    ...store.list('subscriptions'),
    ...store.list('invoices'),
    ...store.list('charges'),
    ...store.list('refunds'),
  ];
}

function nth<T>(rows: readonly T[], place: number): T | null {
  return rows[place % Math.max(1, rows.length)] ?? null;
}

const NEXT: Readonly<Record<string, readonly string[]>> = {
  draft: ['draft', 'open', 'paid', 'void'],
  open: ['open', 'paid', 'void'],
  paid: ['paid'],
  void: ['void'],
  canceled: ['canceled'],
  incomplete_expired: ['incomplete_expired'],
};

function statusesOf({ engine }: PaymentsUnderTest): Map<string, string> {
  const rows = [...engine.state.list('invoices'), ...engine.state.list('subscriptions')];
  return new Map(rows.map(({ id, status }) => [id, status]));
}

function expectAllowed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
  for (const [id, was] of before) {
    const allowed = NEXT[was];
    if (allowed !== undefined) expect(allowed).toContain(after.get(id));
  }
}

function sorted(rows: readonly { table: string; row: { id: string } }[]) {
  return rows.toSorted((a, b) => `${a.table} ${a.row.id}`.localeCompare(`${b.table} ${b.row.id}`));
}
