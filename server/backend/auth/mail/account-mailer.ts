/** An address without an account has the same limits and statements, and a row in the mail queue that is never sent. */
import type { Context } from 'hono';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { queueMail } from '../../../platform/mail/mail-queue.ts';
import { type AuthDeps, normalEmail, phoneDisabled, textField } from '../auth-deps.ts';
import { tooManyRequests, validationFailed } from '../auth-error.ts';
import { type CodeChallenge, readCodeChallenge } from '../sessions/code-challenge.ts';
import { insertFlow } from '../sessions/flow-store.ts';
import { type AccountMailKind, accountMail } from './account-mails.ts';
import { newCode, newLinkToken, putToken, type TokenPurpose } from './one-time-token-store.ts';

/** The `type` of GET and POST /verify for a mail's link. */
const LINK_TYPE: Readonly<Record<Exclude<TokenPurpose, 'reauthentication'>, string>> = {
  confirmation: 'signup',
  magiclink: 'magiclink',
  recovery: 'recovery',
  invite: 'invite',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
};

const MAIL_KIND: Readonly<Record<TokenPurpose, AccountMailKind>> = {
  confirmation: 'confirmation',
  magiclink: 'magic_link',
  recovery: 'recovery',
  invite: 'invite',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
  reauthentication: 'reauthentication',
};

/** Where a mail's link finally redirects to, and the challenge that the requesting browser must prove. */
export interface LinkTarget {
  /** Our own origin as the browser knows it. */
  origin: string;
  redirectTo: string;
  challenge: CodeChallenge | null;
}

/** From `redirect_to`, `code_challenge` and `code_challenge_method`. @throws AuthError 400 validation_failed */
export function readLinkTarget(c: Context, deps: AuthDeps, body: Record<string, unknown>): LinkTarget {
  const origin = deps.originOf(c);
  return {
    origin,
    redirectTo: deps.redirects.resolve(origin, c.req.query('redirect_to')),
    challenge: readCodeChallenge(textField(body, 'code_challenge'), textField(body, 'code_challenge_method')),
  };
}

/** The recipient's address from the body. @throws AuthError 400 phone_provider_disabled, 400 validation_failed */
export function readMailAddress(body: Record<string, unknown>): string {
  const submitted = textField(body, 'email');
  if (submitted === null || submitted === '') {
    if ((textField(body, 'phone') ?? '') !== '') throw phoneDisabled();
    throw validationFailed('An email address is required');
  }
  const email = normalEmail(submitted);
  if (email === null) throw validationFailed('Unable to validate email address: invalid format');
  return email;
}

/** @throws AuthError 429 over_email_send_rate_limit */
export async function limitMailsFrom(c: Context, deps: AuthDeps): Promise<void> {
  await asMailLimit(deps.limits.mailPerAddress.consume(deps.clientAddress(c)));
}

/** Kinds are counted separately, as on a hosted project: allows a password reset after a sign-in link. */
export type CountedMail =
  | 'sign-up'
  | 'confirmation'
  | 'sign-in link'
  | 'recovery'
  | 'reauthentication'
  | 'change'
  | 'invite';

/**
 * Counts known and unknown addresses alike: each kind per minute, all kinds together per hour and day.
 * @param email in lower case
 * @param address who causes the mail, if the limit per minute counts that instead
 * @throws AuthError 429 over_email_send_rate_limit
 */
export async function limitMailsTo(
  deps: Pick<AuthDeps, 'limits'>,
  kind: CountedMail,
  email: string,
  address = email,
): Promise<void> {
  await asMailLimit(deps.limits.mailPerAccount.consume(`${kind} ${address}`));
  await asMailLimit(spendMailbox(deps, email));
}

/** For mails whose refusal would reveal who has an account: false when the mail must not be sent. */
export async function hasMailboxRoom(deps: AuthDeps, email: string): Promise<boolean> {
  try {
    await spendMailbox(deps, email);
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === 'request/too-many') return false;
    throw error;
  }
}

async function spendMailbox({ limits }: Pick<AuthDeps, 'limits'>, email: string): Promise<void> {
  const mailbox = mailboxOf(email);
  await limits.mailPerMailboxAnHour.consume(mailbox);
  await limits.mailPerMailboxADay.consume(mailbox);
}

/** Most providers deliver `ada+news@example.com` to the inbox of `ada@example.com`. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const plus = email.indexOf('+');
  return (plus > 0 && plus < at ? email.slice(0, plus) + email.slice(at) : email).toLowerCase();
}

async function asMailLimit(consumed: Promise<unknown>): Promise<void> {
  try {
    await consumed;
  } catch (error) {
    if (isAppError(error) && error.code === 'request/too-many')
      throw tooManyRequests('over_email_send_rate_limit', error.details.retryAfterS);
    throw error;
  }
}

export interface AccountMailRequest {
  /** Null: no account, or no mail for its owner. The mail is recorded but never sent. */
  userId: string | null;
  purpose: TokenPurpose;
  to: string;
  /** Null: only a code. */
  target: LinkTarget | null;
  /** For a change of address: the new one. */
  newEmail?: string;
  /** Creates the code but never sends the mail: for an address that belongs to another user. */
  isSuppressed?: boolean;
}

/** Runs in the caller's transaction; a newer code replaces an older one of the same purpose. */
export async function sendAccountMail(
  tx: Transaction,
  deps: Pick<AuthDeps, 'keys'>,
  request: AccountMailRequest,
  nowIso: string,
): Promise<void> {
  const { userId, purpose, to, target } = request;
  const flowId = await insertMailFlow(tx, purpose, target, nowIso);
  const code = newCode();
  const linkToken = target === null ? null : newLinkToken({ isPkce: flowId !== null });
  await putToken(tx, deps.keys, { userId, purpose, email: to, code, linkToken, flowId }, nowIso);
  const mail = accountMail({
    kind: MAIL_KIND[purpose],
    to,
    code,
    link: target === null || linkToken === null ? null : linkOf(target, purpose, linkToken),
    ...(request.newEmail === undefined ? {} : { newEmail: request.newEmail }),
  });
  await queueMail(tx, mail, { userId, nowIso, isSuppressed: userId === null || request.isSuppressed === true });
}

async function insertMailFlow(
  tx: Transaction,
  purpose: TokenPurpose,
  target: LinkTarget | null,
  nowIso: string,
): Promise<string | null> {
  if (target === null || target.challenge === null) return null;
  const flow = {
    kind: 'email' as const,
    provider: 'email',
    method: methodOf(purpose),
    redirectTo: target.redirectTo,
    challenge: target.challenge,
    state: null,
    providerState: null,
    linkingUserId: null,
  };
  return insertFlow(tx, flow, nowIso);
}

/** The authentication method of a session started by such a link, in the hosted service's terms. */
function methodOf(purpose: TokenPurpose): string {
  if (purpose === 'confirmation') return 'email/signup';
  return purpose === 'reauthentication' ? 'otp' : LINK_TYPE[purpose];
}

function linkOf(target: LinkTarget, purpose: TokenPurpose, token: string): string | null {
  if (purpose === 'reauthentication') return null;
  // To a page that waits for a click: the reader's browser has begun no flow, and a mail scanner must not use it up.
  if (purpose === 'invite') return new URL(`/auth/reset-password#invite=${token}`, target.origin).href;
  const url = new URL('/auth/v1/verify', target.origin);
  url.searchParams.set('token', token);
  url.searchParams.set('type', LINK_TYPE[purpose]);
  url.searchParams.set('redirect_to', target.redirectTo);
  return url.href;
}
