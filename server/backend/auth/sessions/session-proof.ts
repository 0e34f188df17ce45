/**
 * What a change needs that lets data out of an account: a living session that has shown the account's second factor, and
 * an address that is proven, or the creator of the account may not be its owner.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { SignedInCaller } from '../../../platform/http/calls/caller.ts';
import { hasVerifiedFactor, lockAssurance } from './assurance.ts';

/**
 * Locks the account. @returns whether a second factor was shown
 * @throws AppError for a session that has ended, or that has not shown the account's second factor;
 * `account/address-not-proven`
 */
export async function requireProof(tx: Transaction, caller: SignedInCaller): Promise<{ isRaised: boolean }> {
  const aal = await lockAssurance(tx, caller);
  if (aal === null) throw new AppError('auth/session-ended');
  const isRaised = aal === 'aal2' && caller.claims?.aal === 'aal2';
  // Checked earlier too, but a factor may have been set up since.
  if (!isRaised && (await hasVerifiedFactor(tx, caller.userId))) throw new AppError('auth/second-factor-needed');
  if (!(await hasProvenAddress(tx, caller.userId))) throw new AppError('account/address-not-proven');
  return { isRaised };
}

/** True also for an account without an address, as of a wallet. */
async function hasProvenAddress(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from auth.users where id = $1::text::uuid and (email_confirmed_at is not null or coalesce(email, '') = '')`,
    [userId],
  );
  return rows.length > 0;
}
