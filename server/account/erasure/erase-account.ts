/**
 * Permanently erases an account and everything stored about it, by the operator's command or for its owner. First ends
 * its subscription at the payment provider. Erases nothing while money is owed there: the debtor would be lost.
 * docs/decisions/040-backups.md
 */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { type Database, OWNER, type Transaction } from '../../platform/database/database.ts';
import { type FoundAccount, findAccounts } from '../find-account-store.ts';
import {
  type AccountTraces,
  type ErasedBy,
  type ErasedRows,
  eraseRows,
  tracesOf,
  writeErasure,
} from './erasure-store.ts';

export interface EraseDeps {
  database: Database;
  removeFile(version: string): Promise<void>;
  /** Null: the command cannot reach the provider. */
  provider: SubscriptionsEnder | null;
}

export interface SubscriptionsEnder {
  mode: string;
  /** Ends running subscriptions immediately, without a refund. @returns a reason if money is owed and nothing ended */
  endAll(customerId: string): Promise<string | null>;
}

const rowsSchema = z.array(z.object({ table: z.string(), rows: z.int(), stay: z.boolean() }));
export const erasureOutcomeSchema = z.union([
  z.object({
    kind: z.enum(['erased', 'would-erase']),
    id: z.string(),
    email: z.nullable(z.string()),
    rows: rowsSchema,
    files: z.int(),
    /** Ids at the payment provider, which keeps their data. */
    customers: z.array(z.string()),
    running: z.int(),
  }),
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('several'), ids: z.array(z.string()) }),
  z.object({
    kind: z.literal('refused'),
    /** `plan-runs`: a subscription that can't be ended from here. */
    reason: z.enum(['money-owed', 'plan-runs']),
    message: z.string(),
  }),
]);
export type ErasureOutcome = z.infer<typeof erasureOutcomeSchema>;
type Refused = Extract<ErasureOutcome, { kind: 'refused' }>;

/**
 * @param account its address or id. @param isDry counts, and changes nothing anywhere
 * @throws AppError of the payment provider; running the command again completes the rest
 */
export async function eraseAccount(
  deps: EraseDeps,
  { account, isDry }: { account: string; isDry: boolean },
): Promise<ErasureOutcome> {
  const found = await deps.database.transaction(OWNER, (tx) => findAccounts(tx, account));
  const [one] = found;
  if (one === undefined) return { kind: 'unknown' };
  if (found.length > 1) return { kind: 'several', ids: found.map(({ id }) => id) };
  return eraseFound(deps, one, { by: 'command', isDry });
}

export interface ErasureRequest {
  by: ErasedBy;
  isDry?: boolean;
  /** Runs first in the transaction that erases; if it throws, nothing is erased. May run again, as `Database` says. */
  guard?(tx: Transaction): Promise<void>;
}

/** @throws AppError of the payment provider; `billing/busy` for a subscription that began meanwhile */
export async function eraseFound(
  { database, removeFile, provider }: EraseDeps,
  one: FoundAccount,
  { by, isDry = false, guard }: ErasureRequest,
): Promise<ErasureOutcome> {
  const traces = await database.transaction(OWNER, (tx) => tracesOf(tx, one.id));
  if (!isDry) {
    const refusal = await endSubscriptions(traces, provider);
    if (refusal !== null) return refusal;
  }
  let rows: ErasedRows[] = [];
  await database.transaction(
    OWNER,
    async (tx) => {
      await guard?.(tx);
      if (!isDry) requireNoNewSubscription(traces, await tracesOf(tx, one.id));
      await tx.query("select set_config('kat.done_by', $1::text, true)", [by]);
      rows = await eraseRows(tx, traces, isDry);
      if (!isDry) await writeErasure(tx, rows, by);
    },
    { statementLimitMs: STATEMENT_LIMIT_MS },
  );
  // The rows are deleted by now. If a file cannot be removed, the server's sweep removes it at its next start.
  if (!isDry) for (const version of traces.versions) await removeFile(version);
  return {
    kind: isDry ? 'would-erase' : 'erased',
    id: one.id,
    email: one.email,
    rows,
    files: traces.versions.length,
    customers: traces.customers.map(({ customerId }) => customerId),
    running: traces.subscriptions.filter(({ isRunning }) => isRunning).length,
  };
}

/** Searching the errors of a large site one by one takes this long. */
const STATEMENT_LIMIT_MS = 60_000;

/** It could no longer be ended once the account is erased. */
function requireNoNewSubscription(before: AccountTraces, now: AccountTraces): void {
  const ended = new Set(before.subscriptions.map(({ subscriptionId }) => subscriptionId));
  const isNew = now.subscriptions.some((one) => one.isRunning && !ended.has(one.subscriptionId));
  if (isNew) throw new AppError('billing/busy');
}

async function endSubscriptions(traces: AccountTraces, provider: SubscriptionsEnder | null): Promise<Refused | null> {
  const running = traces.subscriptions.some(({ isRunning }) => isRunning);
  for (const { customerId, mode } of traces.customers) {
    if (provider !== null && provider.mode === mode) {
      const owed = await provider.endAll(customerId);
      if (owed !== null) return { kind: 'refused', reason: 'money-owed', message: owed };
    } else if (running && mode !== 'sandbox' && mode !== 'test') {
      return planRuns(
        `${customerId} has a running subscription that this command can’t end. Set the payment provider’s keys, or end it at the provider first.`,
      );
    } else if (running) {
      return planRuns(
        `${customerId} has a running subscription in the ${mode === 'sandbox' ? 'payment sandbox' : 'provider’s test mode'}, which this command can’t reach. End it on the site first.`,
      );
    }
  }
  return null;
}

const planRuns = (message: string): Refused => ({ kind: 'refused', reason: 'plan-runs', message });
