/** Calls the payments API without a network, and checks the invariants of its stored records after any calls. */
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { paymentsApi } from '../api/api.ts';
import { openPaymentEngine, type PaymentEngine } from '../engine/payment-engine.ts';
import { isEnded } from '../engine/subscription-status.ts';
import { type Journal, openJournal } from '../journal.ts';
import { monthsAfter } from '../model/clocks.ts';
import type { Invoice, StoredEvent, Subscription } from '../model/records.ts';
import { createStateStore, type PaymentState, type StateStore } from '../model/state-store.ts';
import { seedCatalogue } from '../sandbox-payments.ts';
import { API_VERSION } from '../views/shared.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** From Stripe's documentation: an unpaid first invoice, price change or resumption is dropped after this time. */
const WAIT_S = 23 * HOUR_S;
/** From Stripe's documentation: a renewal stays a draft this long before it is charged. */
const DRAFT_S = HOUR_S;
/** From the default retry rules: when a declined charge is tried again, counted from the first failure. */
const RETRIES_S = [3 * DAY_S, 5 * DAY_S, 7 * DAY_S] as const;
const LAST_RETRY_S = 7 * DAY_S;

export interface PaymentsUnderTest {
  store: StateStore;
  engine: PaymentEngine;
  /** @returns status and body; never 500. @param params  with brackets in the names, as sent */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, params?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  status: number;
  id: string;
}

export function paymentsUnderTest(journalPath: string, nowS: number): PaymentsUnderTest {
  const store = createStateStore();
  const { append }: Journal = openJournal(journalPath, store, { nowS, calmBytes: 50_000 });
  let count = 0;
  const engine = openPaymentEngine({
    store,
    append,
    nowS: () => nowS,
    newId: (prefix) => `${prefix}_${++count}`,
    pagesUrl: () => 'http://pages.test',
  });
  engine.perform(seedCatalogue());
  const api = paymentsApi({ engine, secretKey: 'sk', onReplay: () => {}, log: (line) => expect.fail(line) });
  return {
    store,
    engine,
    async call(method, path, params = {}) {
      const fields = new URLSearchParams(params).toString();
      const response = await api.request(method === 'GET' ? `${path}?${fields}` : path, {
        method,
        headers: { authorization: 'Bearer sk', 'stripe-version': API_VERSION },
        ...(method === 'GET' ? {} : { body: fields }),
      });
      const body: unknown = await response.json();
      const id = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : '';
      expect([200, 400, 402, 404]).toContain(response.status);
      return { status: response.status, id };
    },
  };
}

export function expectSound(store: PaymentState, nowS: number): void {
  for (const invoice of store.list('invoices')) expectSoundInvoice(store, invoice, nowS);
  for (const sub of store.list('subscriptions')) expectSoundSubscription(store, sub, nowS);
  for (const schedule of store.list('schedules')) {
    const { schedule: attached } = row(store, 'subscriptions', schedule.subscription);
    expect(attached === schedule.id).toBe(schedule.status === 'active');
    if (schedule.status === 'active') {
      const { phases, begun } = schedule;
      expect(phases[begun]?.startsAt ?? nowS + 1).toBeGreaterThan(nowS);
      expect(phases.at(-1)?.endsAt).toBeGreaterThan(nowS);
    }
    const [, second] = schedule.phases;
    const renewal = store
      .list('invoices')
      .find((one) => one.subscription === schedule.subscription && one.periodStart === second?.startsAt);
    if (schedule.begun === 2 && renewal?.reason === 'subscription_cycle')
      expect(renewal.lines.map(({ price }) => price)).toEqual([second?.price]);
  }
  for (const charge of store.list('charges')) {
    const refunds = store.list('refunds').filter((refund) => refund.charge === charge.id);
    expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(charge.refunded);
    expect(charge.refunded).toBeLessThanOrEqual(charge.failureCode === null ? charge.amount : 0);
  }
}

function expectSoundInvoice(store: PaymentState, invoice: Invoice, nowS: number): void {
  const { lines, total, due, startingBalance, endingBalance, status } = invoice;
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
  expect(due).toBeGreaterThanOrEqual(0);
  // The card's payment and the balance together are the total.
  if (endingBalance !== null) expect(due - startingBalance + endingBalance).toBe(total);
  expectRightPrice(store, invoice);
  if (invoice.finalizesAt !== null) {
    expect([status, invoice.finalizesAt > nowS]).toEqual(['draft', true]);
    expect(invoice.finalizesAt).toBe(invoice.created + DRAFT_S);
  }
  if (invoice.nextAttemptAt !== null) {
    expect([status, invoice.nextAttemptAt > nowS]).toEqual(['open', true]);
    const retries = RETRIES_S.map((wait) => (invoice.firstFailedAt ?? 0) + wait);
    expect(invoice.nextAttemptAt).toBe(retries.find((moment) => moment > nowS));
  }
  expect(invoice.number === null).toBe(invoice.finalizedAt === null);
  const paid = store
    .list('charges')
    .filter((charge) => charge.paymentIntent === invoice.paymentIntent && charge.failureCode === null);
  expect(paid.map(({ amount }) => amount)).toEqual(status === 'paid' && due > 0 ? [due] : []);
}

/** A period costs its price, a trial nothing, and a price change the rest of the period to the nearest cent. */
function expectRightPrice(store: PaymentState, { lines, reason, prorationDate, ...invoice }: Invoice): void {
  const { trialEnd } = row(store, 'subscriptions', invoice.subscription);
  const priceOf = (id: string) => row(store, 'prices', id).unitAmount;
  if (prorationDate === null) {
    const isTrial = reason === 'subscription_create' && trialEnd !== null;
    expect(lines).toMatchObject([{ amount: isTrial ? 0 : priceOf(lines[0]?.price ?? ''), isProration: false }]);
    return;
  }
  const share = (invoice.periodEnd - prorationDate) / (invoice.periodEnd - invoice.periodStart);
  const due = trialEnd !== null && prorationDate < trialEnd ? 0 : share;
  expect([lines.length, share >= 0 && share <= 1]).toEqual([2, true]);
  for (const [index, sign] of [-1, 1].entries()) {
    const { amount = 0, price = '' } = lines[index] ?? {};
    expect(Math.abs(amount - sign * priceOf(price) * due)).toBeLessThanOrEqual(0.500001);
  }
}

function expectSoundSubscription(store: PaymentState, sub: Subscription, nowS: number): void {
  const own = store.list('invoices').filter(({ subscription }) => subscription === sub.id);
  if (isEnded(sub)) {
    expectSoundEnd(sub, own, nowS);
    return;
  }
  expectConsistentStatus(sub, own);
  // The period of a paused subscription may be over.
  if (sub.cancelAt !== null && sub.status !== 'paused') expect(sub.cancelAt).toBeGreaterThan(nowS);
  if (sub.cancelAtPeriodEnd && sub.status !== 'paused') expect(sub.cancelAt).toBe(sub.periodEnd);
  if (sub.cancelAt === null) expect(sub).toMatchObject({ cancelAtPeriodEnd: false, canceledAt: null, endReason: null });
  expect(sub.periodEnd).toBe(monthsAfter(sub.anchor, sub.periodNumber));
  if (sub.periodNumber > 1) expect(sub.periodStart).toBe(monthsAfter(sub.anchor, sub.periodNumber - 1));
  if (sub.status !== 'paused') expect(sub.periodEnd).toBeGreaterThan(nowS);
  expect((sub.incompleteUntil ?? nowS + 1) > nowS).toBe(true);
  expect(sub.incompleteUntil).toBe(sub.status === 'incomplete' ? sub.created + WAIT_S : null);
  for (const waiting of [sub.pendingUpdate, sub.resumption])
    if (waiting !== null) {
      const invoice = own.find(({ id }) => id === waiting.invoice);
      expect(invoice?.status).toBe('open');
      expect(waiting.expiresAt).toBeGreaterThan(nowS);
      expect(waiting.expiresAt - (invoice?.created ?? 0)).toBe(WAIT_S);
    }
}

function expectConsistentStatus({ status, ...sub }: Subscription, own: readonly Invoice[]): void {
  const newest = own.findLast(({ finalizedAt }) => finalizedAt !== null);
  if (status === 'incomplete') expect(own.map((one) => one.status)).toEqual(['open']);
  if (status === 'trialing') expect([sub.trialEnd, sub.anchor]).toEqual([sub.periodEnd, sub.periodEnd]);
  if (status === 'active' && newest?.status === 'open') expect(sub.pendingUpdate?.invoice).toBe(newest.id);
  if (status === 'past_due' || status === 'unpaid') expect(newest?.status).not.toBe('paid');
  if (status === 'paused') {
    expect(sub.periodEnd).toBe(sub.trialEnd);
    expect(own.map(({ reason }) => reason)).not.toContain('subscription_cycle');
  }
  if (status === 'unpaid')
    expect(own.filter(({ finalizesAt, nextAttemptAt }) => finalizesAt !== null || nextAttemptAt !== null)).toEqual([]);
}

function expectSoundEnd(sub: Subscription, own: readonly Invoice[], nowS: number): void {
  const { endedAt, endReason, cancelAt } = sub;
  expect(sub).toMatchObject({ endedAt: expect.any(Number), schedule: null, pendingUpdate: null, resumption: null });
  expect(own.filter(({ status, nextAttemptAt }) => status === 'draft' || nextAttemptAt !== null)).toEqual([]);
  expect(endedAt).toBeLessThanOrEqual(nowS);
  if (sub.status === 'incomplete_expired') {
    expect(endedAt).toBeLessThanOrEqual(sub.created + WAIT_S);
    expect(own.map(({ status }) => status)).toEqual(['void']);
    return;
  }
  if (endReason === 'payment_failed')
    expect(own.map(({ firstFailedAt }) => (firstFailedAt ?? 0) + LAST_RETRY_S)).toContain(endedAt);
  else {
    expect(own.filter(({ status }) => status === 'open')).toEqual([]);
    expect(endedAt).toBeLessThanOrEqual(cancelAt ?? nowS);
  }
  // A cancellation at the period's end makes no further invoice.
  if (cancelAt === endedAt)
    expect(own.filter(({ reason, created }) => reason === 'subscription_cycle' && created === endedAt)).toEqual([]);
}

const NEXT: Readonly<Record<string, readonly string[]>> = {
  incomplete: ['active', 'incomplete_expired', 'canceled'],
  trialing: ['active', 'paused', 'past_due', 'canceled'],
  active: ['past_due', 'unpaid', 'canceled'],
  past_due: ['active', 'unpaid', 'canceled'],
  unpaid: ['active', 'past_due', 'canceled'],
  paused: ['active', 'past_due', 'canceled'],
};

const eventObjectSchema = z.object({ id: z.string(), object: z.string(), status: z.optional(z.nullable(z.string())) });
const eventSubscriptionSchema = z.object({
  status: z.string(),
  cancel_at: z.nullable(z.number()),
  cancel_at_period_end: z.boolean(),
  ended_at: z.nullable(z.number()),
  items: z.object({
    data: z.array(z.object({ price: z.object({ id: z.string() }), current_period_end: z.number() })),
  }),
});

/** Receives every event in order, and compares the objects in them with the stored ones. */
export function eventListener() {
  const received = new Map<string, unknown>();
  return {
    receive(events: readonly StoredEvent[]): void {
      for (const { type, object } of events) {
        const { id, object: kind, status } = eventObjectSchema.parse(object);
        const was = eventObjectSchema.safeParse(received.get(id)).data?.status ?? status;
        if (kind === 'subscription' && was !== status) expect(NEXT[was ?? ''], `${type} of ${was}`).toContain(status);
        received.set(id, object);
      }
    },
    expectTrue(store: PaymentState): void {
      const rows = [...store.list('invoices'), ...store.list('sessions').filter(({ status }) => status !== 'open')];
      const statuses = rows.map(({ id }) => eventObjectSchema.safeParse(received.get(id)).data?.status);
      expect(statuses).toEqual(rows.map(({ status }) => status));
      for (const sub of store.list('subscriptions')) {
        const { items, ...rest } = eventSubscriptionSchema.parse(received.get(sub.id));
        expect({ ...rest, price: items.data[0]?.price.id, periodEnd: items.data[0]?.current_period_end }).toEqual({
          status: sub.status,
          cancel_at: sub.cancelAt,
          cancel_at_period_end: sub.cancelAtPeriodEnd,
          ended_at: sub.endedAt,
          price: sub.price,
          periodEnd: sub.periodEnd,
        });
      }
    },
  };
}

/** The customer's balance if every invoice returned the part that it applied. */
export function balanceBeforeInvoices(store: PaymentState, customerId: string): number {
  const taken = store
    .list('invoices')
    .filter(({ customer, status }) => customer === customerId && status !== 'void')
    .reduce(
      (sum, { startingBalance, endingBalance }) => sum + ((endingBalance ?? startingBalance) - startingBalance),
      0,
    );
  return row(store, 'customers', customerId).balance - taken;
}

function row<T extends 'customers' | 'prices' | 'subscriptions'>(store: PaymentState, table: T, id: string) {
  const found = store.get(table, id);
  if (found === null) throw new Error(`${id} is not in ${table}.`);
  return found;
}
