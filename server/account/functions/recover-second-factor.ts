/** recover-second-factor: accepts a recovery code in place of a lost authenticator app. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { hasVerifiedFactor, lockAssurance } from '../../backend/auth/sessions/assurance.ts';
import { deleteSessions } from '../../backend/auth/sessions/session-store.ts';
import { countGuess, type Guess } from '../../backend/limits.ts';
import { OWNER } from '../../platform/database/database.ts';
import type { SignedInCaller } from '../../platform/http/calls/caller.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { AccountDeps } from '../account-deps.ts';
import { notifyOwner } from '../notify-owner.ts';
import { hashOfRecoveryCode, readRecoveryCode } from '../recovery-code.ts';
import { removeFactors, removeOpenFlows, spendRecoveryCode } from '../recovery-code-store.ts';

/**
 * Answers `{ok: true}` once the code is spent, the account's factors are removed and every other session has ended. The
 * caller's own session continues with one factor. A wrong code counts against the same limits as a wrong app code.
 */
export function recoverSecondFactor(deps: AccountDeps): ServerFunction {
  return serverFunction({
    name: 'recover-second-factor',
    body: z.object({ code: z.string().check(z.maxLength(100)) }),
    refusals: ['account/wrong-recovery-code', 'account/no-second-factor', 'request/too-many'],
    isOneFactorEnough: true,
    async handle({ body, caller, address }) {
      const guess = await countCodeGuess(deps, { account: caller.userId, address });
      const code = readRecoveryCode(body.code);
      if (code === null) throw new AppError('account/wrong-recovery-code');
      const ended = await spend(deps, caller, code);
      deps.sessions.endSessions(ended);
      deps.sessions.forgetUser(caller.userId);
      await guess.wasRight();
      return { ok: true };
    },
  });
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
