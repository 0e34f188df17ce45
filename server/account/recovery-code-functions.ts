import type { ACCOUNT_FUNCTIONS } from '#domain/contract/account-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { endProductAccess } from '../backend/auth/accounts/account-access.ts';
import { hasVerifiedFactor, lockAssurance } from '../backend/auth/sessions/assurance.ts';
import { deleteSessions } from '../backend/auth/sessions/session-store.ts';
import { countGuess, type Guess } from '../backend/guess-limits.ts';
import { asOwner, OWNER } from '../platform/database/database.ts';
import type { SignedInCaller } from '../platform/http/calls/caller.ts';
import type { FunctionHandler } from '../platform/http/calls/server-function.ts';
import { type AccountDeps, notifyOwner } from './account-deps.ts';
import {
  hashOfRecoveryCode,
  newRecoveryCode,
  readRecoveryCode,
  recoveryCodeStatus,
  removeFactors,
  removeOpenFlows,
  replaceRecoveryCodes,
  spendRecoveryCode,
} from './recovery-code-store.ts';

const CODES = 10;

/**
 * `{action: 'status'}` answers `{ok, remaining, created_at}`. `{action: 'create'}` answers `{ok, codes}`, the only time
 * they are shown, and invalidates the older ones.
 */
export function recoveryCodes(
  deps: Omit<AccountDeps, 'sessions'>,
): FunctionHandler<(typeof ACCOUNT_FUNCTIONS)['recovery-codes']> {
  return async ({ body, caller }) => {
    if (body.action === 'create') return { codes: await createCodes(deps, caller) };
    const { remaining, createdAt } = await recoveryCodeStatus(asOwner(deps.database), caller.userId);
    return { remaining, created_at: createdAt };
  };
}

async function createCodes(deps: Omit<AccountDeps, 'sessions'>, caller: SignedInCaller): Promise<string[]> {
  const { userId } = caller;
  await deps.limits.recoveryCodesPerAccount.consume(userId);
  const nowIso = new Date(deps.clock.nowMs()).toISOString();
  const codes = Array.from({ length: CODES }, newRecoveryCode);
  const hashes = codes.map((code) => hashOfRecoveryCode(userId, readRecoveryCode(code) ?? ''));
  await deps.database.transaction(OWNER, async (tx) => {
    const aal = await lockAssurance(tx, caller);
    if (aal === null) throw new AppError('auth/session-ended');
    if (!(await hasVerifiedFactor(tx, userId))) throw new AppError('account/no-second-factor');
    // Checked earlier too, but a factor may have been set up or removed since.
    if (aal !== 'aal2' || caller.claims?.aal !== 'aal2') throw new AppError('auth/second-factor-needed');
    await replaceRecoveryCodes(tx, { userId, hashes }, nowIso);
    await notifyOwner(tx, deps, { userId, kind: 'recovery_codes_made' }, nowIso);
  });
  return codes;
}

/**
 * Answers `{ok: true}` once the code is spent, the account's factors are removed and every other session has ended. The
 * caller's own session continues with one factor. A wrong code counts against the same limits as a wrong app code.
 */
export function recoverSecondFactor(
  deps: AccountDeps,
): FunctionHandler<(typeof ACCOUNT_FUNCTIONS)['recover-second-factor']> {
  return async ({ body, caller, address }) => {
    const guess = await countCodeGuess(deps, { account: caller.userId, address });
    const code = readRecoveryCode(body.code);
    if (code === null) throw new AppError('account/wrong-recovery-code');
    const ended = await spend(deps, caller, code);
    deps.sessions.endSessions(ended);
    deps.sessions.forgetUser(caller.userId);
    await guess.wasRight();
  };
}

/** @returns the ids of the ended sessions */
async function spend(deps: AccountDeps, caller: SignedInCaller, code: string): Promise<string[]> {
  const { userId } = caller;
  const nowIso = new Date(deps.clock.nowMs()).toISOString();
  return deps.database.transaction(OWNER, async (tx) => {
    if ((await lockAssurance(tx, caller)) === null) throw new AppError('auth/session-ended');
    // Of concurrent callers with the same code, all but the first fail here.
    if (!(await hasVerifiedFactor(tx, userId))) throw new AppError('account/no-second-factor');
    const hash = hashOfRecoveryCode(userId, code);
    if (!(await spendRecoveryCode(tx, { userId, hash }, nowIso))) throw new AppError('account/wrong-recovery-code');
    await removeFactors(tx, userId, nowIso);
    await removeOpenFlows(tx, userId);
    const ended = await deleteSessions(tx, 'others', caller);
    await endProductAccess(tx, 'sign-out', userId);
    await notifyOwner(tx, deps, { userId, kind: 'factor_recovered' }, nowIso);
    return ended;
  });
}

/** @throws AppError `request/too-many` */
function countCodeGuess({ limits }: AccountDeps, guess: { account: string; address: string }): Promise<Guess> {
  const ofPair = [limits.factorVerifyPerPair, limits.factorVerifyPerPairADay];
  const ofAccount = [limits.factorVerifyPerAccount, limits.factorVerifyPerAccountADay];
  return countGuess({ ofPair, ofAccount }, guess);
}
