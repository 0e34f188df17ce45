import type { ACCOUNT_FUNCTIONS } from '#domain/contract/account-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { lockAssurance } from '../../backend/auth/sessions/assurance.ts';
import { deleteSessions, sessionProofs } from '../../backend/auth/sessions/session-store.ts';
import { asOwner, type Transaction } from '../../platform/database/database.ts';
import type { SignedInCaller } from '../../platform/http/calls/caller.ts';
import type { FunctionHandler } from '../../platform/http/calls/server-function.ts';
import type { AccountDeps, DeletionParts } from '../account-deps.ts';
import { type DeletionState, deletionState, lockAdmins } from './deletion-store.ts';
import { eraseFound } from './erase-account.ts';

/** For accounts without a password. Someone else may be using a browser that was left open for longer. */
const RECENT_S = 10 * 60;

/**
 * `{action: 'status'}` answers `{ok, proof, is_proven, has_plan}`. `{action: 'delete', password}` answers `{ok: true}`
 * once the caller's own account is erased, its plan has ended and every token is invalid. An account without a password
 * requires a sign-in or a second factor of the last ten minutes instead.
 */
export function deleteAccount(deps: AccountDeps): FunctionHandler<(typeof ACCOUNT_FUNCTIONS)['delete-account']> {
  return async ({ body, caller, address }) => {
    const { deletion, database } = deps;
    if (deletion === null) throw new AppError('account/deletion-by-operator');
    if (body.action === 'delete') await deps.limits.deletionsPerAccount.consume(caller.userId);
    const state = await deletionState(asOwner(database), caller.userId);
    if (state === null) throw new AppError('auth/session-ended');
    if (body.action === 'status') {
      const isByPassword = state.passwordHash !== null;
      return {
        proof: isByPassword ? 'password' : 'recent-sign-in',
        is_proven: !isByPassword && (await isRecent(deps, caller)),
        has_plan: state.hasPlan,
      };
    }
    await requireProof(deps, { deletion, state, caller, address, password: body.password ?? '' });
    await deps.limits.deletionsPerAddress.consume(address);
    await erase(deps, deletion, { state, caller });
  };
}

/** @throws AppError `account/proof-needed`, `account/wrong-password` */
async function requireProof(
  deps: AccountDeps,
  attempt: {
    deletion: DeletionParts;
    state: DeletionState;
    caller: SignedInCaller;
    address: string;
    password: string;
  },
): Promise<void> {
  const { deletion, state, caller, address, password } = attempt;
  if (state.passwordHash === null) {
    if (!(await isRecent(deps, caller))) throw new AppError('account/proof-needed');
    return;
  }
  if (password === '') throw new AppError('account/proof-needed');
  if (!(await deletion.isPassword(password, state.passwordHash, { address })))
    throw new AppError('account/wrong-password');
}

/** The session's newest proof counts, whatever its method: a sign-in or a second factor. */
async function isRecent(deps: AccountDeps, caller: SignedInCaller): Promise<boolean> {
  const proofs = await sessionProofs(asOwner(deps.database), caller.sessionId);
  const newestS = proofs?.amr[0]?.timestamp ?? 0;
  return deps.clock.nowMs() / 1000 - newestS <= RECENT_S;
}

async function erase(
  deps: AccountDeps,
  { provider, removeFile }: DeletionParts,
  { state, caller }: { state: DeletionState; caller: SignedInCaller },
): Promise<void> {
  // Checked again under the lock, but nothing may end at the provider before it.
  if (state.isLastAdmin) throw new AppError('account/last-admin');
  const { database, log } = deps;
  let ended: string[] = [];
  const erasure = {
    database,
    provider,
    // The server's sweep removes a file that remains.
    removeFile: (version: string) =>
      removeFile(version).catch((error: unknown) => log.warn({ err: error }, 'a file of a deleted account remains')),
  };
  const account = { id: caller.userId, email: state.email };
  const outcome = await eraseFound(erasure, account, {
    by: 'owner',
    guard: async (tx) => {
      ended = await endUnderLock(tx, caller, state);
    },
  });
  if (outcome.kind === 'refused')
    throw new AppError(outcome.reason === 'money-owed' ? 'account/payment-owed' : 'account/plan-runs');
  deps.sessions.endSessions(ended);
  if (outcome.kind === 'erased') await endLatePlans(deps, provider, outcome.customers);
}

/** @returns the ids of the account's sessions, all deleted. @throws AppError if the account changed meanwhile */
async function endUnderLock(tx: Transaction, caller: SignedInCaller, before: DeletionState): Promise<string[]> {
  if ((await lockAssurance(tx, caller)) === null) throw new AppError('auth/session-ended');
  await lockAdmins(tx);
  const state = await deletionState(tx, caller.userId);
  if (state?.passwordHash !== before.passwordHash) throw new AppError('account/wrong-password');
  if (state.isLastAdmin) throw new AppError('account/last-admin');
  return deleteSessions(tx, 'global', caller);
}

/** Ends a plan that another tab bought during the erasure. If the provider fails, its events raise an alarm. */
async function endLatePlans(
  { log }: AccountDeps,
  provider: DeletionParts['provider'],
  customers: readonly string[],
): Promise<void> {
  for (const customer of customers)
    await provider
      ?.endAll(customer)
      .catch((error: unknown) => log.error({ err: error, customer }, 'a deleted account may still have a plan'));
}
