/**
 * Sign-up where the address must be confirmed first. The answer and its timing are the same for a new address, an
 * unconfirmed one, and one with an account: only the mailbox's owner learns the difference.
 */
import { randomUUID } from 'node:crypto';
import { asOwner, OWNER } from '../../../platform/database/database.ts';
import { lockAccountByEmail } from '../account-store.ts';
import { type AuthDeps, nowIso } from '../auth-deps.ts';
import { type LinkTarget, limitMailsTo, sendAccountMail } from '../mail/account-mailer.ts';
import { dropUnprovenPassword, insertUserUnlessTaken, type WantedUser } from '../mail/mail-account-store.ts';
import type { Asker } from '../passwords/passwords.ts';
import { findUserByEmail } from '../user-store.ts';

export interface SignUp {
  email: string;
  password: string;
  metadata: Record<string, unknown>;
  target: LinkTarget;
  asker: Asker;
}

/** The user object itself, without a session, like the hosted service's answer. */
export interface UnprovenUser {
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

/** @throws AuthError 429 over_email_send_rate_limit */
export async function unprovenSignUp(deps: AuthDeps, wanted: SignUp): Promise<UnprovenUser> {
  const { email, metadata, password, asker } = wanted;
  // Counted separately from later mails, so that a new user may request one more.
  await limitMailsTo(deps, 'sign-up', email);
  const now = nowIso(deps);
  const account = {
    id: randomUUID(),
    email,
    metadata,
    passwordHash: await deps.passwords.hash(password, asker),
    isWanted: true,
  };
  let triesLeft = MAX_TRIES - 1;
  while (!(await isSignedUp(deps, wanted, account, triesLeft, now))) triesLeft -= 1;
  return unprovenUser(account.id, email, metadata, now);
}

/** False when the unconfirmed account's password changed after we read it: try again. */
async function isSignedUp(
  deps: AuthDeps,
  { email, password, target, asker }: SignUp,
  wanted: WantedUser,
  triesLeft: number,
  now: string,
): Promise<boolean> {
  const seenHash = (await findUserByEmail(asOwner(deps.database), email, now))?.passwordHash ?? null;
  const isSamePassword = await deps.passwords.matches(password, seenHash, asker);
  return deps.database.transaction(OWNER, async (tx) => {
    await insertUserUnlessTaken(tx, wanted, now);
    const account = await lockAccountByEmail(tx, email, now);
    const waiting = account === null || account.isConfirmed ? null : account;
    const isOthers = waiting !== null && waiting.id !== wanted.id;
    if (isOthers && waiting.passwordHash !== seenHash && triesLeft > 0) return false;
    // Signed up before with another password, or created by a sign-in link without one: none counts, and the user who
    // confirms the address sets a new one. Otherwise a user waiting for a code would confirm a stranger's password with
    // it.
    await dropUnprovenPassword(tx, isOthers && !isSamePassword ? waiting.id : null);
    await sendAccountMail(tx, deps, { userId: waiting?.id ?? null, purpose: 'confirmation', to: email, target }, now);
    return true;
  });
}

function unprovenUser(id: string, email: string, metadata: Record<string, unknown>, now: string): UnprovenUser {
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
