/** GET and PUT /user: the account as its owner sees it; its data and its password. */
import type { Context } from 'hono';
import { asOwner, OWNER } from '../../platform/database.ts';
import {
  type AuthDeps,
  metadataField,
  normalEmail,
  nowIso,
  phoneDisabled,
  readObject,
  requireSession,
  requireSmallMetadata,
  type SignedIn,
  textField,
} from './auth-deps.ts';
import { AuthError } from './auth-error.ts';
import { notAvailable } from './not-available.ts';
import { checkNewPassword } from './passwords.ts';
import { deleteSessions } from './session-store.ts';
import { type AuthUser, findUser, type StoredUser, updateUser } from './user-store.ts';

export async function getUser(c: Context, deps: AuthDeps): Promise<AuthUser> {
  return (await storedUser(await requireSession(c, deps), deps)).user;
}

/** @throws AuthError 422 same_password, 422 weak_password */
export async function putUser(c: Context, deps: AuthDeps): Promise<AuthUser> {
  const signedIn = await requireSession(c, deps);
  const body = await readObject(c);
  const stored = await storedUser(signedIn, deps);
  refuseOtherChanges(body, stored.user);
  const metadata = metadataField(body);
  requireSmallMetadata({ ...stored.user.user_metadata, ...metadata });
  const password = textField(body, 'password');
  const passwordHash = password === null ? null : await newPasswordHash(password, stored, deps);

  const now = nowIso(deps);
  const { changed, ended } = await deps.database.transaction(OWNER, async (tx) => {
    await updateUser(tx, signedIn.userId, { passwordHash, metadata }, now);
    // Whoever knew the old password may be signed in elsewhere.
    const others = passwordHash === null ? [] : await deleteSessions(tx, 'others', signedIn);
    return { changed: await findUser(tx, signedIn.userId, now), ended: others };
  });
  deps.verifier.endSessions(ended);
  if (changed === null) throw userNotFound();
  return changed.user;
}

async function newPasswordHash(password: string, stored: StoredUser, deps: AuthDeps): Promise<string> {
  await deps.limits.passwordPerAccount.consume(stored.user.id);
  checkNewPassword(password);
  if (await deps.passwords.matches(password, stored.passwordHash))
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  return deps.passwords.hash(password);
}

/** A changed address has to be proven by mail first. */
function refuseOtherChanges(body: Record<string, unknown>, user: AuthUser): void {
  const email = textField(body, 'email');
  if (email !== null && email !== '' && normalEmail(email) !== user.email) throw notAvailable();
  const phone = textField(body, 'phone');
  if (phone !== null && phone !== '') throw phoneDisabled();
}

async function storedUser(signedIn: SignedIn, deps: AuthDeps): Promise<StoredUser> {
  const stored = await findUser(asOwner(deps.database), signedIn.userId, nowIso(deps));
  if (stored === null) throw userNotFound();
  return stored;
}

function userNotFound(): AuthError {
  return new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
}
