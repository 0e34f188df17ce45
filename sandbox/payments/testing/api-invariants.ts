/** Calls the payments API without a network, and checks the invariants of its stored records after any calls. */
import { expect } from 'vitest';
import { paymentsApi } from '../api/api.ts';
import { type Desk, openDesk } from '../engine/desk.ts';
import { isEnded } from '../engine/standing.ts';
import { type Journal, openJournal } from '../journal.ts';
import { type Books, type KeptBooks, keptBooks } from '../model/books.ts';
import { monthsAfter } from '../model/months.ts';
import type { Invoice, Subscription } from '../model/records.ts';
import { seedCatalogue } from '../seed-catalogue.ts';
import { API_VERSION } from '../views/event.ts';

export interface BooksUnderCalls {
  books: KeptBooks;
  desk: Desk;
  /** @returns status and body; never 500. @param params  with brackets in the names, as they are sent */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, params?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  status: number;
  id: string;
}

export function booksUnderCalls(journalPath: string, nowS: number): BooksUnderCalls {
  const books = keptBooks();
  const { append }: Journal = openJournal(journalPath, books, { nowS, calmBytes: 50_000 });
  let count = 0;
  const desk = openDesk({
    ...{ books, append },
    nowS: () => nowS,
    newId: (prefix) => `${prefix}_${++count}`,
    pagesUrl: () => 'http://pages.test',
  });
  desk.perform(seedCatalogue());
  const api = paymentsApi({ desk, secretKey: 'sk', onReplay: () => {}, log: (line) => expect.fail(line) });
  return {
    books,
    desk,
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

/** @param nowS  on the customers' clock */
export function expectSound(books: Books, nowS: number): void {
  for (const invoice of books.list('invoices')) expectSoundInvoice(books, invoice, nowS);
  for (const sub of books.list('subscriptions')) expectSoundSubscription(books, sub, nowS);
  for (const schedule of books.list('schedules')) {
    const { schedule: attached } = row(books, 'subscriptions', schedule.subscription);
    expect(attached === schedule.id).toBe(schedule.status === 'active');
  }
  for (const charge of books.list('charges')) {
    const refunds = books.list('refunds').filter((refund) => refund.charge === charge.id);
    expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(charge.refunded);
    expect(charge.refunded).toBeLessThanOrEqual(charge.failureCode === null ? charge.amount : 0);
  }
}

function expectSoundInvoice(books: Books, invoice: Invoice, nowS: number): void {
  const { lines, total, due, startingBalance, endingBalance, status } = invoice;
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
  expect(due).toBeGreaterThanOrEqual(0);
  // What the card pays and what the balance gives are the total together.
  if (endingBalance !== null) expect(due - startingBalance + endingBalance).toBe(total);
  if (invoice.finalizesAt !== null) expect([status, invoice.finalizesAt > nowS]).toEqual(['draft', true]);
  if (invoice.nextAttemptAt !== null) expect([status, invoice.nextAttemptAt > nowS]).toEqual(['open', true]);
  expect(invoice.number === null).toBe(invoice.finalizedAt === null);
  const paid = books
    .list('charges')
    .filter((charge) => charge.paymentIntent === invoice.paymentIntent && charge.failureCode === null);
  expect(paid.map(({ amount }) => amount)).toEqual(status === 'paid' && due > 0 ? [due] : []);
}

function expectSoundSubscription(books: Books, sub: Subscription, nowS: number): void {
  const own = books.list('invoices').filter(({ subscription }) => subscription === sub.id);
  if (isEnded(sub)) {
    expect(sub).toMatchObject({ endedAt: expect.any(Number), schedule: null, pendingUpdate: null, resumption: null });
    expect(own.filter(({ status, nextAttemptAt }) => status === 'draft' || nextAttemptAt !== null)).toEqual([]);
    return;
  }
  expect(sub.periodEnd).toBe(monthsAfter(sub.anchor, sub.periodNumber));
  if (sub.periodNumber > 1) expect(sub.periodStart).toBe(monthsAfter(sub.anchor, sub.periodNumber - 1));
  if (sub.status !== 'paused') expect(sub.periodEnd).toBeGreaterThan(nowS);
  expect((sub.incompleteUntil ?? nowS + 1) > nowS).toBe(true);
  expect(sub.incompleteUntil !== null).toBe(sub.status === 'incomplete');
  for (const waiting of [sub.pendingUpdate, sub.resumption])
    if (waiting !== null) {
      expect(own.find(({ id }) => id === waiting.invoice)?.status).toBe('open');
      expect(waiting.expiresAt).toBeGreaterThan(nowS);
    }
}

/** What the customer would have if every invoice gave back what it took of the balance. */
export function balanceBeforeInvoices(books: Books, customerId: string): number {
  const taken = books
    .list('invoices')
    .filter(({ customer, status }) => customer === customerId && status !== 'void')
    .reduce(
      (sum, { startingBalance, endingBalance }) => sum + ((endingBalance ?? startingBalance) - startingBalance),
      0,
    );
  return row(books, 'customers', customerId).balance - taken;
}

function row<T extends 'customers' | 'subscriptions'>(books: Books, table: T, id: string) {
  const found = books.get(table, id);
  if (found === null) throw new Error(`${id} is not in ${table}.`);
  return found;
}
