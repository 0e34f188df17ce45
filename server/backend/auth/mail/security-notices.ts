/**
 * Mails that notify an account's owner of a change: without a code or a link, so that they contain nothing worth
 * stealing. Sent only to confirmed addresses: any other may be a stranger's.
 */
import type { Transaction } from '../../../platform/database/database.ts';
import { layOutMail } from '../../../platform/mail/mail-layout.ts';
import { type OutgoingMail, queueMail } from '../../../platform/mail/mail-queue.ts';
import { lockAccount } from '../user-store.ts';
import { BRAND } from './account-mails.ts';

export type SecurityNotice =
  | 'factor_added'
  | 'factor_removed'
  | 'factor_recovered'
  | 'recovery_codes_made'
  | 'api_key_made'
  | 'webhook_added'
  | 'webhook_changed'
  | 'chat_linked'
  | 'sign_in_linked'
  | 'password_changed'
  | 'email_changed';

interface NoticeCopy {
  subject: string;
  paragraph: string;
  /** Advice for a recipient who didn't make the change. */
  notYou: string;
}

const NOTICE_COPY: Readonly<Record<SecurityNotice, NoticeCopy>> = {
  factor_added: {
    subject: 'A second factor was set up',
    paragraph: 'An authenticator app was added to your Kat account. From now on, you need a code from it to sign in.',
    notYou: 'If this wasn’t you, write to us: someone else may be signed in as you.',
  },
  factor_removed: {
    subject: 'A second factor was removed',
    paragraph: 'An authenticator app was removed from your Kat account. You no longer need its codes.',
    notYou: 'If this wasn’t you, choose a new password: someone else may be signed in as you.',
  },
  factor_recovered: {
    subject: 'A recovery code was used',
    paragraph:
      'A recovery code was used to sign in to your Kat account. The authenticator app was removed, and every other device was signed out.',
    notYou:
      'If this wasn’t you, choose a new password now: someone else knows your password and has one of your codes.',
  },
  recovery_codes_made: {
    subject: 'New recovery codes were created',
    paragraph: 'Your Kat account has new recovery codes. The previous codes no longer work.',
    notYou: 'If this wasn’t you, choose a new password: someone else may be signed in as you.',
  },
  api_key_made: {
    subject: 'A new API key was created',
    paragraph:
      'Your Kat account has a new API key. Anyone who has it can read your saved predictions but can’t change anything.',
    notYou:
      'If this wasn’t you, revoke it on the security page of your account and choose a new password: someone else may be signed in as you.',
  },
  webhook_added: {
    subject: 'A new webhook was created',
    paragraph:
      'Your Kat account has a new webhook. It sends events, such as your saved predictions and alerts, to an address outside Kat.',
    notYou:
      'If this wasn’t you, delete it on the security page of your account and choose a new password: someone else may be signed in as you.',
  },
  webhook_changed: {
    subject: 'A webhook was changed',
    paragraph:
      'A webhook of your Kat account has another address, other events or a new secret. It sends events, such as your saved predictions and alerts, to an address outside Kat.',
    notYou:
      'If this wasn’t you, delete it on the security page of your account and choose a new password: someone else may be signed in as you.',
  },
  sign_in_linked: {
    subject: 'A way to sign in was added',
    paragraph: 'Your Kat account can now be opened through another provider, such as Google or GitHub.',
    notYou:
      'If this wasn’t you, remove it on the security page of your account and choose a new password: someone else may be signed in as you.',
  },
  chat_linked: {
    subject: 'A chat was linked to your account',
    paragraph: 'Your Kat account has a new linked chat on Telegram or Discord. Your alerts are sent there.',
    notYou:
      'If this wasn’t you, unlink it on the notifications page of your account and choose a new password: someone else may be signed in as you.',
  },
  password_changed: {
    subject: 'Your password was changed',
    paragraph: 'Your Kat account has a new password. All other devices were signed out.',
    notYou:
      'If this wasn’t you, request a new password on the sign-in page. You can still reach your account with this email address.',
  },
  email_changed: {
    subject: 'Your email address was changed',
    paragraph: 'Your Kat account has a new email address. You can no longer sign in with this one.',
    notYou: 'If this wasn’t you, write to us: someone else may have taken over your account.',
  },
};

export function securityNotice(kind: SecurityNotice, to: string): OutgoingMail {
  const { subject, paragraph, notYou } = NOTICE_COPY[kind];
  const blocks = [
    { kind: 'heading' as const, text: subject },
    { kind: 'paragraph' as const, text: paragraph },
    { kind: 'footnote' as const, text: notYou },
  ];
  return { kind, to, subject, ...layOutMail({ subject, preheader: paragraph, blocks }, BRAND) };
}

export async function notifyOwner(
  tx: Transaction,
  userId: string,
  kind: SecurityNotice,
  nowIso: string,
): Promise<void> {
  const account = await lockAccount(tx, userId, nowIso);
  if (account === null || account.email === null || !account.isConfirmed) return;
  await queueMail(tx, securityNotice(kind, account.email), { userId, nowIso });
}
