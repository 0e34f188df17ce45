import { counted } from '#domain/format/count.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { layOutMail, type MailBlock, type MailBrand } from '../../../platform/mail/mail-layout.ts';
import type { OutgoingMail } from '../../../platform/mail/mail-queue.ts';
import { TOKEN_LIFE_S } from './one-time-token-store.ts';

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
  code: string;
  /** Null if the mail has only a code. */
  link: string | null;
  /** For `email_change`: the account's requested new address. */
  newEmail?: string;
}

/** The site's eye logo: an ellipse with a candle as pupil, drawn only with what every mail client supports. */
const bar = (widthPx: number, heightPx: number) =>
  `<div class="accent-fill" style="width:${widthPx}px;height:${heightPx}px;margin:0 auto;background:#8f5f00"></div>`;
const MARK = `<div class="accent-border" style="width:28px;height:14px;padding:2px 0;border:2px solid #8f5f00;border-radius:50%;font-size:0;line-height:0">${bar(2, 3)}${bar(6, 8)}${bar(2, 3)}</div>`;

export const BRAND: MailBrand = { name: 'Kat', markHtml: MARK, footer: [RESEARCH_ONLY] };

interface MailCopy {
  /** Stays in the database after sending, so it never contains the code. */
  subject: string;
  heading: string;
  paragraph: string;
  button: string;
  /** Advice for a recipient who requested nothing. */
  notYou: string;
}

const MAIL_COPY: Readonly<Record<Exclude<AccountMailKind, 'email_change'>, MailCopy>> = {
  confirmation: {
    subject: 'Confirm your email address',
    heading: 'Confirm your email address',
    paragraph: 'Welcome to Kat. One step left: confirm that this is your address.',
    button: 'Confirm my address',
    notYou: 'If you didn’t sign up for Kat, ignore this email. The address stays unconfirmed.',
  },
  magic_link: {
    subject: 'Your sign-in link',
    heading: 'Sign in to Kat',
    paragraph: 'You requested to sign in to Kat without a password.',
    button: 'Sign in',
    notYou: 'If you didn’t request this, ignore this email. No one can sign in without it.',
  },
  recovery: {
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    paragraph:
      'You requested a new password for your Kat account. Until you choose one, your old password still works.',
    button: 'Choose a new password',
    notYou: 'If you didn’t request this, ignore this email. Your password stays the same.',
  },
  reauthentication: {
    subject: 'Your confirmation code',
    heading: 'Confirm that it’s you',
    paragraph: 'You are about to make an important change to your Kat account. Enter this code there to continue.',
    button: 'Confirm',
    notYou: 'If you didn’t request this, ignore this email and change your password: someone may be signed in as you.',
  },
  invite: {
    subject: 'You’re invited to Kat',
    heading: 'You’re invited to Kat',
    paragraph:
      'Kat forecasts price ranges for the next minutes and shows how accurate they were. Your account is ready.',
    button: 'Accept the invitation',
    notYou: 'If you don’t want an account, ignore this email.',
  },
};

export function accountMail(facts: AccountMailFacts): OutgoingMail {
  const copy = facts.kind === 'email_change' ? emailChangeText(facts) : MAIL_COPY[facts.kind];
  const { text, html } = layOutMail(
    { subject: copy.subject, preheader: `Valid for ${formatLife(TOKEN_LIFE_S)}.`, blocks: blocksOf(facts, copy) },
    BRAND,
  );
  return { kind: facts.kind, to: facts.to, subject: copy.subject, text, html };
}

function blocksOf(facts: AccountMailFacts, copy: MailCopy): MailBlock[] {
  const { code, link } = facts;
  const life = formatLife(TOKEN_LIFE_S);
  return [
    { kind: 'heading', text: copy.heading },
    { kind: 'paragraph', text: copy.paragraph },
    ...(link === null ? [] : [buttonTo(link, copy.button)]),
    { kind: 'code', label: codeLabel(facts), code },
    {
      kind: 'footnote',
      text:
        link === null
          ? `The code works once, within ${life}. We never ask for it by phone or email.`
          : `The code and the link work once, within ${life}. We never ask for them by phone or email.`,
    },
    { kind: 'footnote', text: copy.notYou },
  ];
}

function codeLabel({ kind, link }: AccountMailFacts): string {
  if (link === null) return 'Your code';
  // The site's page of invitations takes only the link.
  return kind === 'invite' ? 'If a program asks for a code' : 'Or enter this code on the site';
}

function buttonTo(url: string, label: string): MailBlock {
  return { kind: 'button', label, url, alternative: 'If the button doesn’t work, open this link:' };
}

function emailChangeText({ to, newEmail = to }: AccountMailFacts): MailCopy {
  const isNew = to.toLowerCase() === newEmail.toLowerCase();
  if (isNew) {
    return {
      subject: 'Confirm your new email address',
      heading: 'Confirm your new email address',
      paragraph: `${newEmail} will become the email address of your Kat account. Confirm that it’s yours.`,
      button: 'Confirm my new address',
      notYou: 'If you didn’t request this, ignore this email. Nothing changes.',
    };
  }
  return {
    subject: 'Your email address is about to change',
    heading: 'Change your email address?',
    paragraph: `The email address of your Kat account will change to ${newEmail}. Confirm only if you requested this.`,
    button: 'Yes, change it',
    notYou:
      'If you didn’t request this, ignore this email and change your password, because someone else may know it. Your address stays the same.',
  };
}

/** @returns `1 hour`, `2 hours`, `15 minutes` */
function formatLife(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');
}
