/** POST /signup: creates an account by email and password; signs in immediately, or after the address is confirmed. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { asOwner, OWNER, SqlError } from '../../../platform/database/database.ts';
import {
  type AuthDeps,
  askerOf,
  metadataField,
  normalEmail,
  nowIso,
  phoneDisabled,
  readObject,
  textField,
} from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { requireCaptcha } from '../captcha.ts';
import { limitMailsFrom, readLinkTarget, sendAccountMail } from '../mail/account-mailer.ts';
import { checkNewPassword } from '../passwords/passwords.ts';
import { type SessionAnswer, sessionAnswer } from '../sessions/sessions.ts';
import { signInAs } from '../sessions/sign-in.ts';
import { findUserByEmail, insertUser } from '../user-store.ts';
import { type SignUp, type UnprovenUser, unprovenSignUp } from './unproven-sign-up.ts';

/**
 * @throws AuthError 422 user_already_exists, 422 weak_password, 400 validation_failed, 400 captcha_failed, 429
 * over_email_send_rate_limit
 */
export async function signUp(c: Context, deps: AuthDeps): Promise<SessionAnswer | UnprovenUser> {
  await deps.limits.signUpPerAddress.consume(deps.clientAddress(c));
  await limitMailsFrom(c, deps);
  const body = await readObject(c);
  const wanted = readSignUp(c, deps, body);
  await requireCaptcha(c, deps, body);
  return deps.settings.isConfirmationRequired ? unprovenSignUp(deps, wanted) : signUpAndIn(c, deps, wanted);
}

/** The address can be confirmed later, by the mail sent now. */
async function signUpAndIn(c: Context, deps: AuthDeps, wanted: SignUp): Promise<SessionAnswer> {
  const { email, metadata, password, target, asker } = wanted;
  const now = nowIso(deps);
  if ((await findUserByEmail(asOwner(deps.database), email, now)) !== null) throw alreadyRegistered();
  const account = { id: randomUUID(), email, metadata, passwordHash: await deps.passwords.hash(password, asker) };
  try {
    const { stored, session } = await deps.database.transaction(OWNER, async (tx) => {
      await insertUser(tx, account, now);
      await sendAccountMail(tx, deps, { userId: account.id, purpose: 'confirmation', to: email, target }, now);
      return signInAs(tx, c, deps, { userId: account.id, proof: { method: 'password' } }, now);
    });
    return await sessionAnswer(c, deps, stored.user, session);
  } catch (error) {
    // Another request signed up with the same address between the check and the insert.
    if (error instanceof SqlError && error.code === '23505') throw alreadyRegistered();
    throw error;
  }
}

function readSignUp(c: Context, deps: AuthDeps, body: Record<string, unknown>): SignUp {
  const given = textField(body, 'email');
  if (given === null || given === '') {
    if (textField(body, 'phone') !== null) throw phoneDisabled();
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  }
  const email = normalEmail(given);
  // The sign-up form matches 'Invalid email'; the rest is the hosted service's message.
  if (email === null) throw validationFailed('Invalid email: Unable to validate email address: invalid format');
  const password = textField(body, 'password');
  if (password === null || password === '') throw validationFailed('Signup requires a valid password');
  checkNewPassword(password);
  const target = readLinkTarget(c, deps, body);
  return { email, password, metadata: metadataField(body) ?? {}, target, asker: askerOf(c, deps) };
}

function alreadyRegistered(): AuthError {
  return new AuthError(422, 'user_already_exists', 'User already registered');
}
