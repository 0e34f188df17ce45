/** recovery-codes: counts the remaining codes, or creates a fresh set. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { hasVerifiedFactor, lockAssurance } from '../../backend/auth/sessions/assurance.ts';
import { asOwner, OWNER } from '../../platform/database/database.ts';
import type { SignedInCaller } from '../../platform/http/calls/caller.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { AccountDeps } from '../account-deps.ts';
import { notifyOwner } from '../notify-owner.ts';
import { hashOfRecoveryCode, newRecoveryCode, readRecoveryCode } from '../recovery-code.ts';
import { recoveryCodeStatus, replaceRecoveryCodes } from '../recovery-code-store.ts';

const CODES = 10;

/**
 * `{action: 'status'}` answers `{ok, remaining, created_at}`. `{action: 'create'}` answers `{ok, codes}`, the only time
 * they are shown, and invalidates the older ones.
 */
export function recoveryCodes(deps: Omit<AccountDeps, 'sessions'>): ServerFunction {
  return serverFunction({
    name: 'recovery-codes',
    body: z.object({ action: z.enum(['status', 'create']) }),
    refusals: ['account/no-second-factor', 'request/too-many'],
    async handle({ body, caller }) {
      if (body.action === 'create') return { ok: true, codes: await createCodes(deps, caller) };
      const { remaining, createdAt } = await recoveryCodeStatus(asOwner(deps.database), caller.userId);
      return { ok: true, remaining, created_at: createdAt };
    },
  });
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
