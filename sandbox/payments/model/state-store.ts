/** The tables in memory, and a draft of changes to them: a piece of work is stored entirely or not at all. */
import type { Json } from './differences.ts';
import type { PaymentTables, Settings, TableName } from './records.ts';

type Rows = { [T in TableName]: Map<string, PaymentTables[T]> };

export type StateChange = { [T in TableName]: { table: T; row: PaymentTables[T] } }[TableName];

export interface PaymentState {
  get<T extends TableName>(table: T, id: string): PaymentTables[T] | null;
  list<T extends TableName>(table: T): PaymentTables[T][];
}

export interface StateStore extends PaymentState {
  apply(changes: readonly StateChange[]): void;
  /** Drops events older than thirty days and stored answers older than a day. */
  forgetOld(nowS: number): void;
  /** The fewest changes that recreate this state. */
  snapshot(): StateChange[];
}

export interface Draft extends PaymentState {
  readonly base: PaymentState;
  /** By id: the object in the last event of this draft. */
  readonly announced: Map<string, Json>;
  put<T extends TableName>(table: T, row: PaymentTables[T]): PaymentTables[T];
  newId(prefix: string): string;
  /** Rows put since the draft was opened, in order, only the last version of each. */
  changes(): StateChange[];
}

const TABLE_NAMES = [
  'customers',
  'products',
  'prices',
  'paymentMethods',
  'sessions',
  'subscriptions',
  'invoices',
  'paymentIntents',
  'charges',
  'refunds',
  'schedules',
  'testClocks',
  'portalSessions',
  'events',
  'answers',
  'settings',
] as const satisfies readonly TableName[];

export function isTableName(name: unknown): name is TableName {
  return TABLE_NAMES.some((one) => one === name);
}

export function createStateStore(): StateStore {
  const rows = emptyRows();
  return {
    get: (table, id) => rows[table].get(id) ?? null,
    list: (table) => [...rows[table].values()],
    apply(changes) {
      for (const change of changes) putChange(rows, change);
    },
    forgetOld(nowS) {
      for (const [id, { sentFirstS }] of rows.events) if (sentFirstS < nowS - 30 * DAY_S) rows.events.delete(id);
      // Expires by the site's time, which a control may move.
      forgetBefore(rows.answers, nowS + (rows.settings.get(SETTINGS_ID)?.offsetS ?? 0) - ANSWER_RETENTION_S);
    },
    snapshot: () => changesOf(rows),
  };
}

/** @param newId  from a prefix (`cus`) to an unused id */
export function openDraft(base: PaymentState, newId: (prefix: string) => string): Draft {
  const rows = emptyRows();
  return {
    base,
    announced: new Map(),
    get: (table, id) => rows[table].get(id) ?? base.get(table, id),
    list(table) {
      const changed = rows[table];
      const known = base.list(table).map((row) => changed.get(row.id) ?? row);
      return [...known, ...[...changed.values()].filter((row) => base.get(table, row.id) === null)];
    },
    put(table, row) {
      rows[table].set(row.id, row);
      return row;
    },
    newId,
    changes: () => changesOf(rows),
  };
}

const SETTINGS_ID = 'settings';

export function settingsOf(store: PaymentState): Settings {
  return (
    store.get('settings', SETTINGS_ID) ?? {
      id: SETTINGS_ID,
      created: 0,
      offsetS: 0,
      defaultTestClock: null,
      afterRetries: 'cancel',
      invoiceCount: 0,
    }
  );
}

const DAY_S = 86_400;
/** Time for which a call with the same key gets the first answer. */
export const ANSWER_RETENTION_S = DAY_S;

function forgetBefore(rows: Map<string, { created: number }>, createdS: number): void {
  for (const [id, { created }] of rows) if (created < createdS) rows.delete(id);
}

function emptyRows(): Rows {
  return {
    customers: new Map(),
    products: new Map(),
    prices: new Map(),
    paymentMethods: new Map(),
    sessions: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    paymentIntents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    schedules: new Map(),
    testClocks: new Map(),
    portalSessions: new Map(),
    events: new Map(),
    answers: new Map(),
    settings: new Map(),
  };
}

function putChange<T extends TableName>(rows: Rows, change: { table: T; row: PaymentTables[T] }): void {
  rows[change.table].set(change.row.id, change.row);
}

function changesOf(rows: Rows): StateChange[] {
  return TABLE_NAMES.flatMap((table) => tableChanges(rows, table));
}

function tableChanges<T extends TableName>(rows: Rows, table: T): StateChange[] {
  // The compiler cannot see that a table's name and its rows belong together here.
  return [...rows[table].values()].map((row) => ({ table, row }) as StateChange);
}
