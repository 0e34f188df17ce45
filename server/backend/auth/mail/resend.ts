/** POST /resend: a mail once more. */
import type { Context } from 'hono';
import { OWNER, type Transaction } from '../../../platform/database/database.ts';
import { type LockedAccount, lockAccountByEmail } from '../account-store.ts';
import { type AuthDeps, nowIso, phoneDisabled, readObject, textField } from '../auth-deps.ts';
import { validationFailed } from '../auth-error.ts';
import { requireCaptcha } from '../captcha.ts';
import {
  type LinkTarget,
  limitMailsFrom,
  limitMailsTo,
  readLinkTarget,
  readMailAddress,
  sendAccountMail,
} from './account-mailer.ts';
import { sendEmailChangeMails } from './email-change.ts';

/**
 * Always `{}`, whether or not the address is known, confirmed already or has no change of address open.
 *
 * @throws AuthError 400 phone_provider_disabled, 400 validation_failed, 429 over_email_send_rate_limit
 */
export async function resend(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  await limitMailsFrom(c, deps);
  const body = await readObject(c);
  const send = readSender(body);
  const email = readMailAddress(body);
  const target = readLinkTarget(c, deps, body);
  await requireCaptcha(c, deps, body);
  await limitMailsTo(deps, textField(body, 'type') === 'email_change' ? 'change' : 'confirmation', email);

  const now = nowIso(deps);
  await deps.database.transaction(OWNER, async (tx) => {
    const account = await lockAccountByEmail(tx, email, now);
    await send(tx, deps, { account, email, target }, now);
  });
  return {};
}

interface Wanted {
  account: LockedAccount | null;
  email: string;
  target: LinkTarget;
}
type Sender = (tx: Transaction, deps: AuthDeps, wanted: Wanted, nowIso: string) => Promise<void>;

/** The client library knows `signup`; our pages call the same thing `email`, as they do when they verify. */
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
  const { account, email, target } = wanted;
  const isOpen = account !== null && account.emailChange !== null;
  const change = {
    userId: isOpen ? account.id : null,
    newEmail: account?.emailChange ?? email,
    currentEmail: email,
    isCurrentAsked: account?.isConfirmed ?? false,
    target,
  };
  await sendEmailChangeMails(tx, deps, change, nowIso);
}
