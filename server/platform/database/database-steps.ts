import { step } from '../telemetry/steps.ts';
import type { Database, DatabaseCaller, QueryOptions, Row, Transaction, TransactionOptions } from './database.ts';

const KINDS = new Set(['select', 'insert', 'update', 'delete', 'with', 'merge', 'call']);

/** Wraps a database so that each statement is a traced step, named by its kind and never by its text or values. */
export function databaseSteps<Wrapped extends Database>(database: Wrapped): Wrapped {
  return {
    ...database,
    query: <T extends Row>(caller: DatabaseCaller, text: string, params?: readonly unknown[], options?: QueryOptions) =>
      step({ kind: 'statement', name: kindOf(text) }, () => database.query<T>(caller, text, params, options)),
    transaction: <T>(caller: DatabaseCaller, work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) =>
      step({ kind: 'transaction', name: 'transaction' }, () =>
        database.transaction<T>(caller, (tx) => work({ query: traced(tx) }), options),
      ),
  };
}

function traced(tx: Transaction): Transaction['query'] {
  return <T extends Row>(text: string, params?: readonly unknown[]) =>
    step({ kind: 'statement', name: kindOf(text) }, () => tx.query<T>(text, params));
}

function kindOf(text: string): string {
  const keyword = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '';
  return KINDS.has(keyword) ? keyword : 'other';
}
