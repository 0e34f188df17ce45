/** A piece of work on the books: what it changes, when it happens, and what it tells the world. */
import type { Books, Draft } from '../model/books.ts';
import { asJson, previousAttributes } from '../model/differences.ts';
import type { TableName, Tables } from '../model/records.ts';
import { missing } from '../model/refusal.ts';
import { priceView, productView } from '../views/catalogue.ts';
import { customerView, paymentMethodView } from '../views/customer.ts';
import { invoiceView } from '../views/invoice.ts';
import { chargeView, paymentIntentView, refundView } from '../views/payment.ts';
import { sessionView } from '../views/session.ts';
import { scheduleView, subscriptionView } from '../views/subscription.ts';

export interface Work {
  draft: Draft;
  /** Epoch seconds on the clock of the customer whom it is about. */
  atS: number;
  /** The machine's clock. */
  machineS: number;
  /** Under which the hosted pages can be opened in a browser, without a slash at the end. */
  pagesUrl: string;
  /** Of the call that asked for it; null: time asked. */
  idempotencyKey: string | null;
}

/** What events tell about. */
type Announced =
  | 'products'
  | 'prices'
  | 'customers'
  | 'paymentMethods'
  | 'sessions'
  | 'subscriptions'
  | 'invoices'
  | 'paymentIntents'
  | 'charges'
  | 'refunds'
  | 'schedules';

type Views = { [T in Announced]: (books: Books, row: Tables[T], work: Work) => unknown };

const VIEWS: Views = {
  products: (_books, row) => productView(row),
  prices: (_books, row) => priceView(row),
  customers: (_books, row) => customerView(row),
  paymentMethods: (_books, row) => paymentMethodView(row),
  sessions: (books, row, { pagesUrl }) => sessionView(books, row, pagesUrl),
  subscriptions: subscriptionView,
  invoices: (books, row, { pagesUrl }) => invoiceView(books, row, pagesUrl),
  paymentIntents: (_books, row) => paymentIntentView(row),
  charges: (_books, row) => chargeView(row),
  refunds: (_books, row) => refundView(row),
  schedules: (books, row, { atS }) => scheduleView(books, row, atS),
};

/** Keeps an event with the object as it is now. One of the kind `….updated` says what was different; if nothing was, there is none. */
export function announce<T extends Announced>(work: Work, type: string, table: T, id: string): void {
  const { draft, atS, machineS, idempotencyKey } = work;
  const object = asJson(VIEWS[table](draft, stored(draft, table, id), work));
  const old = draft.base.get(table, id);
  const before = draft.told.get(id) ?? (old === null ? null : asJson(VIEWS[table](draft.base, old, work)));
  const previous = type.endsWith('.updated') ? previousAttributes(before, object) : null;
  if (type.endsWith('.updated') && previous === null) return;
  draft.told.set(id, object);
  draft.put('events', {
    id: draft.newId('evt'),
    created: atS,
    type,
    object,
    previous,
    idempotencyKey,
    sentFirstS: machineS,
    isSettled: false,
  });
}

/** For an id that is in another row. @throws Error where it leads nowhere: a fault of the stand-in */
export function stored<T extends TableName>(books: Books, table: T, id: string): Tables[T] {
  const row = books.get(table, id);
  if (row === null) throw new Error(`${id} is not in ${table}.`);
  return row;
}

/** For an id that a caller named. @param what  as in `No such price`. @throws Refusal */
export function named<T extends TableName>(
  books: Books,
  table: T,
  id: string,
  { what, param }: { what: string; param?: string },
): Tables[T] {
  const row = books.get(table, id);
  if (row === null) throw missing(what, id, param);
  return row;
}
