import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { asOwner, OWNER, type Transaction } from '../../../platform/database/database.ts';
import {
  type AuthDeps,
  booleanField,
  metadataField,
  nowIso,
  phoneDisabled,
  readObject,
  textField,
} from '../auth-deps.ts';
import { validationFailed } from '../auth-error.ts';
import { requireCaptcha } from '../captcha.ts';
import { findUserByEmail, insertUserUnlessTaken, type LockedAccount, lockAccountByEmail } from '../user-store.ts';
import {
  hasMailboxRoom,
  type LinkTarget,
  limitMailsFrom,
  limitMailsTo,
  readLinkTarget,
  readMailAddress,
  sendAccountMail,
} from './account-mailer.ts';
import { sendEmailChangeMails } from './email-change.ts';

/**
 * Always `{}`, whether or not the address is known, already confirmed, or has an open change of address.
 * @throws AuthError 400 phone_provider_disabled, 400 validation_failed, 429 over_email_send_rate_limit
 */
export async function resend(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  await limitMailsFrom(c, deps);
  const body = await readObject(c);
  const send = readSender(body);
  const email = readMailAddress(body);
  const target = readLinkTarget(c, deps, body);
  await requireCaptcha(c, deps, body);
  const isChange = send === resendEmailChange;
  await limitMailsTo(deps, isChange ? 'change' : 'confirmation', email);

  const now = nowIso(deps);
  const isNewFull = isChange && !(await hasRoomForNew(deps, email, now));
  await deps.database.transaction(OWNER, async (tx) => {
    const account = await lockAccountByEmail(tx, email, now);
    await send(tx, deps, { account, email, target, isNewFull }, now);
  });
  return {};
}

/**
 * A change also mails the new address. A refusal would reveal the change, so a full mailbox's mail is omitted instead.
 * Counted outside the transaction, which holds a connection that the count needs.
 */
async function hasRoomForNew(deps: AuthDeps, email: string, now: string): Promise<boolean> {
  const open = (await findUserByEmail(asOwner(deps.database), email, now))?.user.new_email;
  return hasMailboxRoom(deps, typeof open === 'string' && open !== '' ? open.toLowerCase() : `no change of ${email}`);
}

interface Wanted {
  account: LockedAccount | null;
  email: string;
  target: LinkTarget;
  /** Only used for a change of address. */
  isNewFull: boolean;
}
type Sender = (tx: Transaction, deps: AuthDeps, wanted: Wanted, nowIso: string) => Promise<void>;

/** The client library sends `signup`; our pages send `email` for the same, as they do for verify. */
function readSender(body: Record<string, unknown>): Sender {
  switch (textField(body, 'type')) {
    case 'signup':
    case 'email':
      return sendConfirmation;
    case 'email_change':
      return resendEmailChange;
    case 'sms':
    case 'phone_change':
      throw phoneDisabled();
    default:
      throw validationFailed('Missing one of these types: signup, email_change, sms, phone_change');
  }
}

async function sendConfirmation(tx: Transaction, deps: AuthDeps, wanted: Wanted, nowIso: string): Promise<void> {
  const { account, email, target } = wanted;
  const userId = account === null || account.isConfirmed ? null : account.id;
  await sendAccountMail(tx, deps, { userId, purpose: 'confirmation', to: email, target }, nowIso);
}

async function resendEmailChange(tx: Transaction, deps: AuthDeps, wanted: Wanted, nowIso: string): Promise<void> {
  const { account, email, target, isNewFull } = wanted;
  const isOpen = account !== null && account.emailChange !== null;
  const change = {
    userId: isOpen ? account.id : null,
    newEmail: account?.emailChange ?? email,
    currentEmail: email,
    mustCurrentConfirm: account?.isConfirmed ?? false,
    target,
    isNewFull,
  };
  await sendEmailChangeMails(tx, deps, change, nowIso);
}

/**
 * Always `{}`. The hosted service refuses an unknown address with `create_user` false (422 otp_disabled), which reveals
 * who has an account; here it gets an unconfirmed account, confirmed when the code or link is used.
 * @throws AuthError 400 phone_provider_disabled, 400 validation_failed, 429 over_email_send_rate_limit
 */
export async function otp(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  await limitMailsFrom(c, deps);
  const body = await readObject(c);
  const email = readMailAddress(body);
  const target = readLinkTarget(c, deps, body);
  const isWanted = booleanField(body, 'create_user') ?? true;
  const metadata = metadataField(body) ?? {};
  await requireCaptcha(c, deps, body);
  await limitMailsTo(deps, 'sign-in link', email);

  const now = nowIso(deps);
  await deps.database.transaction(OWNER, async (tx) => {
    await insertUserUnlessTaken(tx, { id: randomUUID(), email, passwordHash: null, metadata, isWanted }, now);
    const account = await lockAccountByEmail(tx, email, now);
    await sendAccountMail(tx, deps, { userId: account?.id ?? null, purpose: 'magiclink', to: email, target }, now);
  });
  return {};
}

/** Always `{}`. @throws AuthError 400 validation_failed, 429 over_email_send_rate_limit */
export async function recover(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  await limitMailsFrom(c, deps);
  const body = await readObject(c);
  const email = readMailAddress(body);
  const target = readLinkTarget(c, deps, body);
  await requireCaptcha(c, deps, body);
  await limitMailsTo(deps, 'recovery', email);

  const now = nowIso(deps);
  await deps.database.transaction(OWNER, async (tx) => {
    const account = await lockAccountByEmail(tx, email, now);
    await sendAccountMail(tx, deps, { userId: account?.id ?? null, purpose: 'recovery', to: email, target }, now);
  });
  return {};
}
