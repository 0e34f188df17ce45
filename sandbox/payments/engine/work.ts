/** A piece of work in the payment engine: its changes, its time and its events. */
import { asJson, previousAttributes } from '../model/differences.ts';
import type { PaymentTables, TableName } from '../model/records.ts';
import { missing } from '../model/refusal.ts';
import type { Draft, PaymentState } from '../model/state-store.ts';
import { priceView, productView } from '../views/catalogue.ts';
import { customerView, paymentMethodView } from '../views/customer.ts';
import { invoiceView } from '../views/invoice.ts';
import { chargeView, paymentIntentView, refundView } from '../views/payment.ts';
import { sessionView } from '../views/session.ts';
import { scheduleView, subscriptionView } from '../views/subscription.ts';

export interface Work {
  draft: Draft;
  /** Epoch seconds on its customer's clock. */
  atS: number;
  machineS: number;
  /** Address of the hosted pages in a browser, without a trailing slash. */
  pagesUrl: string;
  /** Of the call that caused it; null: time caused it. */
  idempotencyKey: string | null;
}

/** Tables whose rows events contain. */
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

type Views = { [T in Announced]: (store: PaymentState, row: PaymentTables[T], work: Work) => unknown };

const VIEWS: Views = {
  products: (_store, row) => productView(row),
  prices: (_store, row) => priceView(row),
  customers: (_store, row) => customerView(row),
  paymentMethods: (_store, row) => paymentMethodView(row),
  sessions: (store, row, { pagesUrl }) => sessionView(store, row, pagesUrl),
  subscriptions: subscriptionView,
  invoices: (store, row, { pagesUrl }) => invoiceView(store, row, pagesUrl),
  paymentIntents: (_store, row) => paymentIntentView(row),
  charges: (_store, row) => chargeView(row),
  refunds: (_store, row) => refundView(row),
  schedules: (store, row, { atS }) => scheduleView(store, row, atS),
};

/** Stores an event with the object as it is now. A `….updated` event holds the previous values, and needs a change. */
export function announce<T extends Announced>(work: Work, type: string, table: T, id: string): void {
  const { draft, atS, machineS, idempotencyKey } = work;
  const object = asJson(VIEWS[table](draft, stored(draft, table, id), work));
  const old = draft.base.get(table, id);
  const before = draft.announced.get(id) ?? (old === null ? null : asJson(VIEWS[table](draft.base, old, work)));
  const previous = type.endsWith('.updated') ? previousAttributes(before, object) : null;
  if (type.endsWith('.updated') && previous === null) return;
  draft.announced.set(id, object);
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

/** For an id from another row. @throws Error for an unknown id: a bug of the sandbox */
export function stored<T extends TableName>(store: PaymentState, table: T, id: string): PaymentTables[T] {
  const row = store.get(table, id);
  if (row === null) throw new Error(`${id} is not in ${table}.`);
  return row;
}

/** For an id from a caller. @param what  as in `No such price`. @throws PaymentRefusal */
export function named<T extends TableName>(
  store: PaymentState,
  table: T,
  id: string,
  { what, param }: { what: string; param?: string },
): PaymentTables[T] {
  const row = store.get(table, id);
  if (row === null) throw missing(what, id, param);
  return row;
}
