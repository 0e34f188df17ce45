/** What the mailbox answers over HTTP: the page, the list as JSON, emptying it. */
import type { KeptMails } from './kept-mails.ts';

export interface MailboxAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export function mailboxAnswer(method: string, target: string, mails: KeptMails): MailboxAnswer {
  const url = URL.parse(target, 'http://localhost');
  if (url?.pathname !== '/dev/mailbox.json') return json(404, { error: 'not found' });
  if (method === 'DELETE') {
    mails.clear();
    return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' };
  }
  return json(200, mails.list(url.searchParams.get('to')));
}

function json(status: number, value: unknown): MailboxAnswer {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(value) };
}
