/** The mails of accounts: what each says. */
import type { OutgoingMail } from '../../platform/mail/mail-store.ts';

export type AccountMailKind =
  | 'confirmation'
  | 'magic_link'
  | 'recovery'
  | 'email_change'
  | 'reauthentication'
  | 'invite';

export interface AccountMailFacts {
  kind: AccountMailKind;
  to: string;
  /** Six digits. */
  code: string;
  /** Null where a mail carries only a code. */
  link: string | null;
  /** For `email_change`: the address that is to become the account's. */
  newEmail?: string;
}

const SUBJECTS: Readonly<Record<AccountMailKind, string>> = {
  confirmation: 'Confirm your e-mail address',
  magic_link: 'Your sign-in link',
  recovery: 'Reset your password',
  email_change: 'Confirm your new e-mail address',
  reauthentication: 'Your confirmation code',
  invite: 'You are invited',
};

export function accountMail(facts: AccountMailFacts): OutgoingMail {
  const lines = [`Your code: ${facts.code}`, ...(facts.link === null ? [] : [facts.link])];
  const html = lines.map((line) => `<p>${line}</p>`).join('');
  return { kind: facts.kind, to: facts.to, subject: SUBJECTS[facts.kind], text: lines.join('\n'), html };
}
