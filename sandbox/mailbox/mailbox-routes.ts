import { readFileSync } from 'node:fs';
import {
  htmlPath,
  MAIL_SANDBOX,
  MAILBOX_PATH,
  type MailPart,
  mailboxPage,
  mailDocument,
  missingPage,
  STYLE_PATH,
} from './mailbox-page.ts';
import type { StoredMails } from './mails.ts';

export interface MailboxAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const JSON_PATH = '/dev/mailbox.json';
/** For a mail opened without the site, which sets its own policy. */
const MAIL_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox ${MAIL_SANDBOX}`;

const style = ['mailbox.css', 'mail.css'].map(readStyle).join('\n');

export function mailboxAnswer(method: string, target: string, mails: StoredMails, nowMs: number): MailboxAnswer {
  const url = URL.parse(target, 'http://localhost');
  if (url === null) return json(400, { code: 'request/invalid', message: "This isn't an address." });
  const { pathname, searchParams } = url;
  if (method === 'DELETE' && pathname === JSON_PATH) {
    mails.clear();
    return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' };
  }
  if (method !== 'GET' && method !== 'HEAD')
    return json(405, {
      code: 'request/method-not-allowed',
      message: 'Use GET to read the mailbox, or DELETE /dev/mailbox.json to empty it.',
    });
  const to = searchParams.get('to')?.trim() || null;
  if (pathname === JSON_PATH) return json(200, mails.list(to));
  if (pathname === STYLE_PATH) return answer(200, 'text/css', style);
  if (pathname === MAILBOX_PATH) {
    const chosen = mails.find(searchParams.get('mail') ?? '');
    const part: MailPart = searchParams.get('part') === 'text' ? 'text' : 'html';
    return answer(200, 'text/html', mailboxPage({ mails: mails.list(to), to, chosen, part, nowMs }));
  }
  const mail = mails.list(null).find((one) => htmlPath(one.id) === pathname);
  if (mail === undefined) return answer(404, 'text/html', missingPage());
  const page = answer(200, 'text/html', mailDocument(mail));
  return { ...page, headers: { ...page.headers, 'content-security-policy': MAIL_POLICY } };
}

function readStyle(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}

export function wrongHost(): MailboxAnswer {
  return json(421, { code: 'request/wrong-host', message: 'The mailbox is available only on this machine.' });
}

function json(status: number, value: unknown): MailboxAnswer {
  return answer(status, 'application/json', JSON.stringify(value));
}

function answer(status: number, type: string, body: string): MailboxAnswer {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return { status, headers, body };
}
