/** GET /reauthenticate: mails a code that a change of password requires. */
import type { Context } from 'hono';
import { asOwner, OWNER } from '../../../platform/database/database.ts';
import { lockAccount } from '../account-store.ts';
import { type AuthDeps, nowIso, requireSession } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { findUser } from '../user-store.ts';
import { limitMailsFrom, limitMailsTo, sendAccountMail } from './account-mailer.ts';

/**
 * An unconfirmed address gets its code too: reading it there proves as much.
 *
 * @throws AuthError 422 validation_failed without an address, 429 over_email_send_rate_limit
 */
export async function reauthenticate(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  const { userId } = await requireSession(c, deps);
  await limitMailsFrom(c, deps);
  const now = nowIso(deps);
  const email = (await findUser(asOwner(deps.database), userId, now))?.user.email ?? '';
  if (email === '')
    throw new AuthError(422, 'validation_failed', 'Reauthentication requires the user to have an email address');
  await limitMailsTo(deps, 'reauthentication', email.toLowerCase());
  await deps.database.transaction(OWNER, async (tx) => {
    const account = await lockAccount(tx, userId, now);
    // The address changed meanwhile: the user has to request the code again.
    if (account?.email !== email) throw new AuthError(409, 'conflict', 'The email address has just changed');
    await sendAccountMail(tx, deps, { userId, purpose: 'reauthentication', to: email, target: null }, now);
  });
  return {};
}
