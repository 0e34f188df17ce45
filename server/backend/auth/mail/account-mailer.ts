/**
 * Sends a code, and where it makes sense a link, to an address. For an address without an account everything happens
 * alike: the same limits, the same statements, a row in the mail queue that is never sent.
 */
import type { Context } from 'hono';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { queueMail } from '../../../platform/mail/mail-store.ts';
import { type AuthDeps, normalEmail, phoneDisabled, textField } from '../auth-deps.ts';
import { tooManyRequests, validationFailed } from '../auth-error.ts';
import { readCodeChallenge } from '../sessions/code-challenge.ts';
import { type CodeChallenge, insertFlow } from '../sessions/flow-store.ts';
import { type AccountMailKind, accountMail } from './account-mails.ts';
import { newCode, newLinkToken, putToken, type TokenPurpose } from './one-time-token-store.ts';

/** `type` of GET and POST /verify for a mail's link. */
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

/** Where a mail's link leads in the end, and what the browser that asked must prove. */
export interface LinkTarget {
  /** Our own origin as the browser knows it. */
  origin: string;
  /** Allowed already. */
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

/** The address that a mail is asked for. @throws AuthError 400 phone_provider_disabled, 400 validation_failed */
export function readMailAddress(body: Record<string, unknown>): string {
  const given = textField(body, 'email');
  if (given === null || given === '') {
    if ((textField(body, 'phone') ?? '') !== '') throw phoneDisabled();
    throw validationFailed('An email address is required');
  }
  const email = normalEmail(given);
  if (email === null) throw validationFailed('Unable to validate email address: invalid format');
  return email;
}

/** @throws AuthError 429 over_email_send_rate_limit */
export async function limitMailsFrom(c: Context, deps: AuthDeps): Promise<void> {
  await asMailLimit(deps.limits.mailPerAddress.consume(deps.clientAddress(c)));
}

/** Kinds are counted apart, as on a hosted project: who asked for a sign-in link may ask for a new password too. */
export type CountedMail = 'sign-up' | 'confirmation' | 'sign-in link' | 'recovery' | 'reauthentication' | 'change';

/**
 * Counts known and unknown addresses alike: of one kind by the minute, of all kinds together by the hour and the day.
 *
 * @param email  in lower case
 * @param whom  who causes the mail, where the minute counts that instead
 * @throws AuthError 429 over_email_send_rate_limit
 */
export async function limitMailsTo(deps: AuthDeps, kind: CountedMail, email: string, whom = email): Promise<void> {
  await asMailLimit(deps.limits.mailPerAccount.consume(`${kind} ${whom}`));
  await asMailLimit(spendMailbox(deps, email));
}

/** For a mail whose refusal would tell who has an account: false when it must not be sent. */
export async function hasMailboxRoom(deps: AuthDeps, email: string): Promise<boolean> {
  try {
    await spendMailbox(deps, email);
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === 'request/too-many') return false;
    throw error;
  }
}

async function spendMailbox({ limits }: AuthDeps, email: string): Promise<void> {
  const mailbox = mailboxOf(email);
  await limits.mailPerMailboxAnHour.consume(mailbox);
  await limits.mailPerMailboxADay.consume(mailbox);
}

/** `ada+news@example.com` is read in the inbox of `ada@example.com` by most providers. */
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
  /** Null: nobody's, or nothing to say to its owner. The mail is written down and never sent. */
  userId: string | null;
  purpose: TokenPurpose;
  to: string;
  /** Null: a code alone. */
  target: LinkTarget | null;
  /** For a change of address: the new one. */
  newEmail?: string;
  /** The code is made and the mail never sent: for an address that belongs to somebody else. */
  isSuppressed?: boolean;
}

/** Within the caller's transaction; a newer code takes the place of an older one of the same purpose. */
export async function sendAccountMail(
  tx: Transaction,
  deps: AuthDeps,
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

/** How a session that begins with such a link was proven, in the hosted service's words. */
function methodOf(purpose: TokenPurpose): string {
  if (purpose === 'confirmation') return 'email/signup';
  return purpose === 'reauthentication' ? 'otp' : LINK_TYPE[purpose];
}

function linkOf(target: LinkTarget, purpose: TokenPurpose, token: string): string | null {
  if (purpose === 'reauthentication') return null;
  const url = new URL('/auth/v1/verify', target.origin);
  url.searchParams.set('token', token);
  url.searchParams.set('type', LINK_TYPE[purpose]);
  url.searchParams.set('redirect_to', target.redirectTo);
  return url.href;
}
