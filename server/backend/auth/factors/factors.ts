import type { Context } from 'hono';
import * as z from 'zod/mini';
import { asOwner, OWNER, type Transaction } from '../../../platform/database/database.ts';
import { type AuthDeps, nowIso, readObject, requireSession, type SignedIn, textField } from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { notifyOwner } from '../mail/security-notices.ts';
import { assuranceUnderLock, lowerSessionsOf, requireFreshProof } from '../sessions/assurance.ts';
import { lockAccount } from '../user-store.ts';
import {
  countFactors,
  deleteAbandonedFactors,
  deleteFactor,
  type FactorKey,
  findFactor,
  insertChallenge,
  insertFactor,
} from './factor-store.ts';
import { newTotp } from './totp.ts';

const MAX_FACTORS = 10;
const MAX_NAME_LENGTH = 100;
/** Together with the address, the most that a QR code holds. */
const MAX_ISSUER_LENGTH = 60;

const uuid = z.guid();

export interface EnrolledFactor {
  id: string;
  type: 'totp';
  friendly_name: string;
  totp: { qr_code: string; secret: string; uri: string };
}

/**
 * @throws AuthError 422 mfa_factor_name_conflict, too_many_enrolled_mfa_factors, mfa_phone_enroll_not_enabled,
 * mfa_webauthn_enroll_not_enabled; 403 insufficient_aal; 400 reauthentication_needed
 */
export async function enrollFactor(c: Context, deps: AuthDeps): Promise<EnrolledFactor> {
  const signedIn = await requireSession(c, deps);
  const body = await readObject(c);
  requireTotp(textField(body, 'factor_type'));
  const friendlyName = shortText(textField(body, 'friendly_name') ?? '', 'friendly_name', MAX_NAME_LENGTH);
  const issuer = shortText(textField(body, 'issuer') ?? '', 'issuer', MAX_ISSUER_LENGTH);
  await deps.limits.factorCallsPerAccount.consume(signedIn.userId);
  const now = nowIso(deps);
  // Checked before the QR code is drawn, and again in the transaction that writes.
  const room = await deps.database.transaction(OWNER, (tx) => requireRoom(tx, signedIn, friendlyName, now));
  if (room.isFirst)
    await requireFreshProof(asOwner(deps.database), signedIn.sessionId, now, 'Setting up a second factor');
  const { secret, uri, qrCode } = await newTotp({
    issuer: issuer === '' ? new URL(deps.originOf(c)).host : issuer,
    label: room.email ?? signedIn.userId,
  });
  const sealed = await deps.keys.seal(secret);
  const id = await deps.database.transaction(OWNER, async (tx) => {
    await requireRoom(tx, signedIn, friendlyName, now);
    return insertFactor(tx, { userId: signedIn.userId, friendlyName, secret: sealed }, now);
  });
  return { id, type: 'totp', friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } };
}

async function requireRoom(
  tx: Transaction,
  signedIn: SignedIn,
  friendlyName: string,
  now: string,
): Promise<{ isFirst: boolean; email: string | null }> {
  const aal = await assuranceUnderLock(tx, signedIn);
  await deleteAbandonedFactors(tx, signedIn.userId, now);
  const { total, verified, isNameTaken } = await countFactors(tx, signedIn.userId, friendlyName);
  if (isNameTaken)
    throw new AuthError(
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${friendlyName}" for this user already exists`,
    );
  if (total >= MAX_FACTORS)
    throw new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    );
  if (verified > 0 && aal !== 'aal2')
    throw new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');
  const account = await lockAccount(tx, signedIn.userId, now);
  return { isFirst: verified === 0, email: account?.email ?? null };
}

/** `expires_at` in epoch seconds. @throws AuthError 404 mfa_factor_not_found */
export async function challengeFactor(
  c: Context,
  deps: AuthDeps,
): Promise<{ id: string; type: 'totp'; expires_at: number }> {
  const signedIn = await requireSession(c, deps);
  const key = factorKey(c, signedIn);
  await deps.limits.factorCallsPerAccount.consume(signedIn.userId);
  const address = deps.clientAddress(c);
  const now = nowIso(deps);
  const { id, expiresAtS } = await deps.database.transaction(OWNER, async (tx) => {
    await assuranceUnderLock(tx, signedIn);
    if ((await findFactor(tx, key)) === null) throw factorNotFound();
    return insertChallenge(tx, { factorId: key.factorId, address }, now);
  });
  return { id, type: 'totp', expires_at: expiresAtS };
}

/** Sessions raised by this factor drop back to their first factor. @throws AuthError 422 insufficient_aal */
export async function unenrollFactor(c: Context, deps: AuthDeps): Promise<{ id: string }> {
  const signedIn = await requireSession(c, deps);
  const key = factorKey(c, signedIn);
  await deps.limits.factorCallsPerAccount.consume(signedIn.userId);
  const now = nowIso(deps);
  await deps.database.transaction(OWNER, async (tx) => {
    const aal = await assuranceUnderLock(tx, signedIn);
    const factor = await findFactor(tx, key);
    if (factor === null) throw factorNotFound();
    if (factor.status === 'verified' && aal !== 'aal2')
      throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
    await lowerSessionsOf(tx, key.factorId, now);
    await deleteFactor(tx, key);
    if (factor.status === 'verified') await notifyOwner(tx, signedIn.userId, 'factor_removed', now);
  });
  deps.verifier.forgetUser(signedIn.userId);
  return { id: key.factorId };
}

/** From the request's path. @throws AuthError 404 validation_failed */
export function factorKey(c: Context, signedIn: SignedIn): FactorKey {
  const factorId = uuid.safeParse(c.req.param('id'));
  if (!factorId.success) throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID');
  return { factorId: factorId.data.toLowerCase(), userId: signedIn.userId };
}

export function factorNotFound(): AuthError {
  return new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
}

function requireTotp(factorType: string | null): void {
  if (factorType === 'totp') return;
  if (factorType === 'phone')
    throw new AuthError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
  if (factorType === 'webauthn')
    throw new AuthError(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn');
  throw validationFailed('factor_type needs to be totp, phone, or webauthn');
}

function shortText(text: string, name: string, maxLength: number): string {
  if (text.length > maxLength) throw validationFailed(`${name} must not be longer than ${maxLength} characters`);
  if (!text.isWellFormed()) throw validationFailed(`${name} is not valid text`);
  return text;
}
