/** POST /signup: creates an account by email and password; signs in immediately, or after the address is confirmed. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { asOwner, OWNER } from '../../../platform/database/database.ts';
import {
  type AuthDeps,
  metadataField,
  normalEmail,
  nowIso,
  phoneDisabled,
  readObject,
  requesterOf,
  textField,
} from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { requireCaptcha } from '../captcha.ts';
import {
  type LinkTarget,
  limitMailsFrom,
  limitMailsTo,
  readLinkTarget,
  sendAccountMail,
} from '../mail/account-mailer.ts';
import { checkNewPassword, type PasswordRequester } from '../passwords/passwords.ts';
import { type SessionAnswer, sessionAnswer, signInAs } from '../sessions/sessions.ts';
import {
  dropUnconfirmedPassword,
  findUserByEmail,
  insertUserUnlessTaken,
  lockAccountByEmail,
  type NewUser,
} from '../user-store.ts';

/**
 * @throws AuthError 422 user_already_exists, 422 weak_password, 400 validation_failed, 400 captcha_failed, 429
 * over_email_send_rate_limit
 */
export async function signUp(c: Context, deps: AuthDeps): Promise<SessionAnswer | UnconfirmedUser> {
  await deps.limits.signUpPerAddress.consume(deps.clientAddress(c));
  await limitMailsFrom(c, deps);
  const body = await readObject(c);
  const wanted = readSignUp(c, deps, body);
  await requireCaptcha(c, deps, body);
  return deps.settings.isConfirmationRequired ? signUpUnconfirmed(deps, wanted) : signUpAndIn(c, deps, wanted);
}

/** The address can be confirmed later, by the mail sent now. */
async function signUpAndIn(c: Context, deps: AuthDeps, wanted: SignUp): Promise<SessionAnswer> {
  const { email, metadata, password, target, requester } = wanted;
  const now = nowIso(deps);
  if ((await findUserByEmail(asOwner(deps.database), email, now)) !== null) throw alreadyRegistered();
  const [id, passwordHash] = [randomUUID(), await deps.passwords.hash(password, requester)];
  const { stored, session } = await deps.database.transaction(OWNER, async (tx) => {
    // Another request may have signed up with the same address since the check.
    const isNew = await insertUserUnlessTaken(tx, { id, email, metadata, passwordHash, isWanted: true }, now);
    if (!isNew) throw alreadyRegistered();
    await sendAccountMail(tx, deps, { userId: id, purpose: 'confirmation', to: email, target }, now);
    return signInAs(tx, c, deps, { userId: id, proof: { method: 'password' } }, now);
  });
  return sessionAnswer(c, deps, stored.user, session);
}

function readSignUp(c: Context, deps: AuthDeps, body: Record<string, unknown>): SignUp {
  const submitted = textField(body, 'email');
  if (submitted === null || submitted === '') {
    if (textField(body, 'phone') !== null) throw phoneDisabled();
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  }
  const email = normalEmail(submitted);
  // The sign-up form matches 'Invalid email'; the rest is the hosted service's message.
  if (email === null) throw validationFailed('Invalid email: Unable to validate email address: invalid format');
  const password = textField(body, 'password');
  if (password === null || password === '') throw validationFailed('Signup requires a valid password');
  checkNewPassword(password);
  const target = readLinkTarget(c, deps, body);
  return { email, password, metadata: metadataField(body) ?? {}, target, requester: requesterOf(c, deps) };
}

function alreadyRegistered(): AuthError {
  return new AuthError(422, 'user_already_exists', 'User already registered');
}

interface SignUp {
  email: string;
  password: string;
  metadata: Record<string, unknown>;
  target: LinkTarget;
  requester: PasswordRequester;
}

/** The user object itself, without a session, like the hosted service's answer. */
interface UnconfirmedUser {
  id: string;
  aud: 'authenticated';
  role: 'authenticated';
  email: string;
  phone: '';
  confirmation_sent_at: string;
  app_metadata: Readonly<Record<string, unknown>>;
  user_metadata: Readonly<Record<string, unknown>>;
  /** Always empty: a full list would reveal whether the address was already known. */
  identities: readonly never[];
  created_at: string;
  updated_at: string;
  is_anonymous: false;
}

/** After losing this many races to concurrent sign-ups of the same address, a slower one stops comparing passwords. */
const MAX_TRIES = 3;

/**
 * The answer and its timing are the same for a new address, an unconfirmed one, and one with an account: only the
 * mailbox's owner learns the difference. @throws AuthError 429 over_email_send_rate_limit
 */
async function signUpUnconfirmed(deps: AuthDeps, wanted: SignUp): Promise<UnconfirmedUser> {
  const { email, metadata, password, requester } = wanted;
  // Counted separately from later mails, so that a new user may request one more.
  await limitMailsTo(deps, 'sign-up', email);
  const now = nowIso(deps);
  const account = {
    id: randomUUID(),
    email,
    metadata,
    passwordHash: await deps.passwords.hash(password, requester),
    isWanted: true,
  };
  let triesLeft = MAX_TRIES - 1;
  while (!(await isSignedUp(deps, wanted, account, triesLeft, now))) triesLeft -= 1;
  return unconfirmedUser(account.id, email, metadata, now);
}

/** False when the unconfirmed account's password changed after we read it: try again. */
async function isSignedUp(
  deps: AuthDeps,
  { email, password, target, requester }: SignUp,
  wanted: NewUser,
  triesLeft: number,
  now: string,
): Promise<boolean> {
  const seenHash = (await findUserByEmail(asOwner(deps.database), email, now))?.passwordHash ?? null;
  const isSamePassword = await deps.passwords.matches(password, seenHash, requester);
  return deps.database.transaction(OWNER, async (tx) => {
    await insertUserUnlessTaken(tx, wanted, now);
    const account = await lockAccountByEmail(tx, email, now);
    const waiting = account === null || account.isConfirmed ? null : account;
    const isOthers = waiting !== null && waiting.id !== wanted.id;
    if (isOthers && waiting.passwordHash !== seenHash && triesLeft > 0) return false;
    // Of two different passwords neither counts, or a user waiting for a code would confirm a stranger's password with
    // it. The user who confirms the address sets a new one.
    await dropUnconfirmedPassword(tx, isOthers && !isSamePassword ? waiting.id : null);
    await sendAccountMail(tx, deps, { userId: waiting?.id ?? null, purpose: 'confirmation', to: email, target }, now);
    return true;
  });
}

function unconfirmedUser(id: string, email: string, metadata: Record<string, unknown>, now: string): UnconfirmedUser {
  const app_metadata = { provider: 'email', providers: ['email'] };
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata,
    user_metadata: metadata,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
