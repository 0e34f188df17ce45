import type { Context } from 'hono';
import { asOwner, OWNER, type Transaction } from '../../../platform/database/database.ts';
import {
  type AuthDeps,
  metadataField,
  normalEmail,
  nowIso,
  phoneDisabled,
  readObject,
  requesterOf,
  requireSession,
  requireSmallMetadata,
  type SignedIn,
  textField,
} from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { nonceNotValid, requireNonce } from '../extensions/reauthenticate.ts';
import { limitMailsFrom, limitMailsTo, readLinkTarget } from '../mail/account-mailer.ts';
import { requestEmailChange } from '../mail/email-change.ts';
import { spendToken } from '../mail/one-time-token-store.ts';
import { notifyOwner } from '../mail/security-notices.ts';
import { checkNewPassword } from '../passwords/passwords.ts';
import { assuranceUnderLock, hasVerifiedFactor, requireFreshProof } from '../sessions/assurance.ts';
import { type AuthUser, findUser, lockAccount, type StoredUser, updateUser } from '../user-store.ts';
import { endAccess } from './account-access.ts';

export async function getUser(c: Context, deps: AuthDeps): Promise<AuthUser> {
  return (await readStoredUser(await requireSession(c, deps), deps)).user;
}

/**
 * A new address is shown as `new_email` until the mails are confirmed. A nonce is always checked if sent.
 * @throws AuthError 401 insufficient_aal, 400 reauthentication_needed, 422 reauthentication_not_valid, 422
 * same_password, 422 weak_password, 422 email_exists, 422 user_sso_managed, 429 over_email_send_rate_limit
 */
export async function putUser(c: Context, deps: AuthDeps): Promise<AuthUser> {
  const signedIn = await requireSession(c, deps);
  const body = await readObject(c);
  const stored = await readStoredUser(signedIn, deps);
  const wanted = readChanges(body, stored.user);
  const target = wanted.email === null ? null : readLinkTarget(c, deps, body);
  const now = nowIso(deps);

  const hasFactor = (stored.user.factors ?? []).some((factor) => factor.status === 'verified');
  if (isGuarded(wanted) && hasFactor && signedIn.aal !== 'aal2') throw insufficientAal();
  if (wanted.password !== null && wanted.nonce === null)
    await requireFreshProof(asOwner(deps.database), signedIn.sessionId, now, 'Password update');
  const nonce = wanted.nonce === null ? null : await requireNonce(deps, stored.user, wanted.nonce, now);
  const passwordHash = wanted.password === null ? null : await newPasswordHash(c, deps, wanted.password, stored);
  if (wanted.email !== null) {
    await limitMailsFrom(c, deps);
    await limitMailsTo(deps, 'change', wanted.email);
    // Each change also mails the current address, whatever the new one is.
    const present = stored.user.email ?? '';
    await limitMailsTo(deps, 'change', present === '' ? wanted.email : present.toLowerCase(), signedIn.userId);
  }

  const { changed, ended } = await deps.database.transaction(OWNER, async (tx) => {
    const account = await lockAccount(tx, signedIn.userId, now);
    if (isGuarded(wanted)) await requireBothFactors(tx, signedIn);
    if (account?.isSso === true && isAboutSigningIn(wanted)) throw ssoManaged();
    if (nonce !== null && !(await spendToken(tx, nonce.id))) throw nonceNotValid();
    await updateUser(tx, signedIn.userId, { passwordHash, metadata: wanted.metadata }, now);
    // The new password may be meant to lock out someone who knew the old one, read the account's mails or started a
    // change of address.
    const { userId, sessionId } = signedIn;
    const others =
      passwordHash === null ? [] : await endAccess(tx, 'new-password', { userId, currentSessionId: sessionId }, now);
    if (passwordHash !== null) await notifyOwner(tx, userId, 'password_changed', now);
    if (wanted.email !== null && target !== null)
      await requestEmailChange(tx, deps, { userId: signedIn.userId, newEmail: wanted.email, target }, now);
    return { changed: await findUser(tx, signedIn.userId, now), ended: others };
  });
  deps.verifier.endSessions(ended);
  if (changed === null) throw userNotFound();
  return changed.user;
}

interface Changes {
  metadata: Record<string, unknown> | null;
  password: string | null;
  email: string | null;
  nonce: string | null;
}

function readChanges(body: Record<string, unknown>, user: AuthUser): Changes {
  if ((textField(body, 'phone') ?? '') !== '') throw phoneDisabled();
  const metadata = metadataField(body);
  requireSmallMetadata({ ...user.user_metadata, ...metadata });
  const submitted = textField(body, 'email') ?? '';
  const email = submitted === '' ? null : normalEmail(submitted);
  if (submitted !== '' && email === null) throw validationFailed('Unable to validate email address: invalid format');
  const nonce = textField(body, 'nonce') ?? '';
  return {
    metadata,
    password: textField(body, 'password'),
    email: email === user.email.toLowerCase() ? null : email,
    nonce: nonce === '' ? null : nonce,
  };
}

/** Requires aal2 of a user with a verified second factor, before email or password change. */
async function requireBothFactors(tx: Transaction, signedIn: SignedIn): Promise<void> {
  const aal = await assuranceUnderLock(tx, signedIn);
  if (aal !== 'aal2' && (await hasVerifiedFactor(tx, signedIn.userId))) throw insufficientAal();
}

function insufficientAal(): AuthError {
  const message = 'AAL2 session is required to update email or password when MFA is enabled.';
  return new AuthError(401, 'insufficient_aal', message);
}

function isGuarded(wanted: Changes): boolean {
  return wanted.password !== null || wanted.email !== null;
}

function isAboutSigningIn(wanted: Changes): boolean {
  return isGuarded(wanted) || wanted.nonce !== null;
}

function ssoManaged(): AuthError {
  const message = 'Updating email, phone, password of a SSO account only possible via SSO';
  return new AuthError(422, 'user_sso_managed', message);
}

async function readStoredUser(signedIn: SignedIn, deps: AuthDeps): Promise<StoredUser> {
  const stored = await findUser(asOwner(deps.database), signedIn.userId, nowIso(deps));
  if (stored === null) throw userNotFound();
  return stored;
}

function userNotFound(): AuthError {
  return new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
}

/** @throws AuthError 422 same_password, 422 weak_password, 400 validation_failed */
async function newPasswordHash(c: Context, deps: AuthDeps, password: string, stored: StoredUser): Promise<string> {
  const requester = requesterOf(c, deps);
  await deps.limits.passwordPerAccount.consume(stored.user.id);
  checkNewPassword(password);
  if (await deps.passwords.matches(password, stored.passwordHash, requester))
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  return deps.passwords.hash(password, requester);
}
