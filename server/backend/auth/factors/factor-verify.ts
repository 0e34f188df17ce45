import type { Context } from 'hono';
import * as z from 'zod/mini';
import { asOwner, OWNER } from '../../../platform/database/database.ts';
import { countGuess, type Guess } from '../../guess-limits.ts';
import { type AuthDeps, nowIso, readObject, requireSession, textField } from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { notifyOwner } from '../mail/security-notices.ts';
import { assuranceUnderLock, endWeakerSessions, raiseSession, sessionEnded } from '../sessions/assurance.ts';
import { renewToken, sessionProofs } from '../sessions/session-store.ts';
import { type SessionAnswer, sessionAnswer } from '../sessions/sessions.ts';
import { findUser } from '../user-store.ts';
import { acceptStep, deleteUnverifiedFactors, findChallenge, findFactor, takeChallenge } from './factor-store.ts';
import { factorKey, factorNotFound } from './factors.ts';
import { stepOfCode } from './totp.ts';

const uuid = z.guid();

/**
 * Every attempt counts against the account and the caller's address, until a correct code resets them. The account's
 * sessions with only one factor end.
 * @throws AuthError 422 mfa_verification_failed, mfa_challenge_expired, mfa_ip_address_mismatch, mfa_factor_not_found
 * (no such challenge); 404 mfa_factor_not_found
 */
export async function verifyFactor(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  const signedIn = await requireSession(c, deps);
  const key = factorKey(c, signedIn);
  const { challengeId, code } = readAttempt(await readObject(c));
  const guess = await countCodeGuess(c, deps, signedIn.userId);
  const step = await acceptableStep(c, deps, { ...key, challengeId, code });

  const { userId, sessionId } = signedIn;
  const now = nowIso(deps);
  const { stored, session, ended } = await deps.database.transaction(OWNER, async (tx) => {
    await assuranceUnderLock(tx, signedIn);
    if (!(await takeChallenge(tx, challengeId, now))) throw challengeExpired(challengeId);
    const isNew = (await findFactor(tx, key))?.status === 'unverified';
    if (!(await acceptStep(tx, key.factorId, step, now))) throw wrongCode();
    if (isNew) await notifyOwner(tx, userId, 'factor_added', now);
    await raiseSession(tx, { sessionId, factorId: key.factorId }, now);
    await deleteUnverifiedFactors(tx, userId);
    const refreshToken = await renewToken(tx, { userId, sessionId }, now);
    const endedSessions = await endWeakerSessions(tx, { userId, sessionId });
    const proofs = await sessionProofs(tx, sessionId);
    const user = await findUser(tx, userId, now);
    if (proofs === null || user === null) throw sessionEnded();
    if (user.isBanned) throw new AuthError(400, 'user_banned', 'User is banned');
    return { stored: user, session: { sessionId, refreshToken, ...proofs }, ended: endedSessions };
  });
  deps.verifier.endSessions(ended);
  deps.verifier.forgetUser(userId);
  await guess.wasRight();
  return sessionAnswer(c, deps, stored.user, session);
}

/** @throws AppError `request/too-many` */
function countCodeGuess(c: Context, deps: AuthDeps, account: string): Promise<Guess> {
  const { limits } = deps;
  const ofPair = [limits.factorVerifyPerPair, limits.factorVerifyPerPairADay];
  const ofAccount = [limits.factorVerifyPerAccount, limits.factorVerifyPerAccountADay];
  return countGuess({ ofPair, ofAccount }, { account, address: deps.clientAddress(c) });
}

function readAttempt(body: Record<string, unknown>): { challengeId: string; code: string } {
  const challengeId = uuid.safeParse(textField(body, 'challenge_id'));
  if (!challengeId.success) throw validationFailed('challenge_id must be an UUID');
  const code = textField(body, 'code');
  if (code === null || code === '') throw validationFailed('Code needs to be non-empty');
  return { challengeId: challengeId.data, code };
}

/** The time step of a correct code; the transaction later enforces single use. */
async function acceptableStep(
  c: Context,
  deps: AuthDeps,
  attempt: { factorId: string; userId: string; challengeId: string; code: string },
): Promise<number> {
  const factor = await findFactor(asOwner(deps.database), attempt);
  if (factor === null) throw factorNotFound();
  const challenge = await findChallenge(asOwner(deps.database), attempt, nowIso(deps));
  if (challenge === null)
    throw new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
  if (challenge.address !== deps.clientAddress(c).slice(0, 100))
    throw new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.');
  if (!challenge.isOpen) throw challengeExpired(attempt.challengeId);
  const step = await stepOfCode(await deps.keys.unseal(factor.secret), attempt.code, deps.clock.nowMs());
  if (step === null) throw wrongCode();
  return step;
}

function wrongCode(): AuthError {
  return new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
}

function challengeExpired(challengeId: string): AuthError {
  return new AuthError(
    422,
    'mfa_challenge_expired',
    `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
  );
}
