/** An operator's invitation: creates the account without a password and emails its link. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { asOwner, type Database, OWNER } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../limits.ts';
import { normalEmail } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { openSigningKeys } from '../keys/keys.ts';
import { findUserByEmail, insertUserUnlessTaken, lockAccountByEmail } from '../user-store.ts';
import { limitMailsTo, sendAccountMail } from './account-mailer.ts';

export const INVITE_PATH = '/invite';

export const invitationSchema = z.object({
  email: z.string().check(z.maxLength(320)),
  /** Of the site, for the email's link. */
  origin: z.string(),
});
export const inviteOutcomeSchema = z.object({ kind: z.enum(['invited', 'member', 'not-an-address', 'too-many']) });
export type InviteOutcome = z.infer<typeof inviteOutcomeSchema>;

export interface InviteDeps {
  database: Database;
  dataDir: string;
  limits: RateLimits;
}

/** @returns `member` for a confirmed account; nothing is sent then. @throws SigningKeysMissing */
export async function invite(
  { database, dataDir, limits }: InviteDeps,
  { email: submitted, origin }: z.infer<typeof invitationSchema>,
  nowIso: string,
): Promise<InviteOutcome> {
  const email = normalEmail(submitted);
  if (email === null) return { kind: 'not-an-address' };
  const known = await findUserByEmail(asOwner(database), email, nowIso);
  if (known?.user.email_confirmed_at !== undefined) return { kind: 'member' };
  const keys = await openSigningKeys(dataDir, { mayMake: false });
  try {
    await limitMailsTo({ limits }, 'invite', email);
  } catch (error) {
    if (error instanceof AuthError && error.status === 429) return { kind: 'too-many' };
    throw error;
  }
  return database.transaction(OWNER, async (tx) => {
    await insertUserUnlessTaken(
      tx,
      { id: randomUUID(), email, passwordHash: null, metadata: {}, isWanted: true },
      nowIso,
    );
    const account = await lockAccountByEmail(tx, email, nowIso);
    if (account === null || account.isConfirmed) return { kind: 'member' };
    const target = { origin, redirectTo: `${origin}/`, challenge: null };
    await sendAccountMail(tx, { keys }, { userId: account.id, purpose: 'invite', to: email, target }, nowIso);
    return { kind: 'invited' };
  });
}
