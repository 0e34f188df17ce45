/** No inline script or style, as the site's policy demands. A mail's HTML is a document in a scriptless frame. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import { relativeTime } from '#domain/format/relative-time.ts';
import { type ReceivedMail, TEXT_LINK } from './mails.ts';

export const MAILBOX_PATH = '/dev/mailbox';
export const STYLE_PATH = '/dev/mailbox/mailbox.css';
/** Allows a click in a mail to navigate the page around it, or to open another. */
export const MAIL_SANDBOX =
  'allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation' as const;

export type MailPart = 'html' | 'text';

export interface MailboxPage {
  mails: readonly ReceivedMail[];
  /** The filter; null: all addresses. */
  to: string | null;
  /** The requested mail; null: only the list is shown. */
  chosen: ReceivedMail | null;
  part: MailPart;
  nowMs: number;
}

export function mailboxPage(page: MailboxPage): string {
  const shown = page.chosen ?? page.mails[0] ?? null;
  return documentOf({
    title: page.chosen === null ? 'Development mailbox' : `${page.chosen.subject} – Development mailbox`,
    shows: shown === null ? 'nothing' : page.chosen === null ? 'list' : 'mail',
    main: `${listSection(page, shown)}\n${shown === null ? '' : mailSection(page, shown)}`,
  });
}

export function missingPage(): string {
  const text = 'This email is no longer stored or never arrived.';
  return documentOf({
    title: 'Not found – Development mailbox',
    shows: 'nothing',
    main: `<section class="list"><div class="empty"><h2>Nothing here</h2><p>${text}</p><p><a href="${MAILBOX_PATH}">Show all emails</a></p></div></section>`,
  });
}

function documentOf(page: { title: string; shows: 'nothing' | 'list' | 'mail'; main: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_PATH}">
<script src="/theme.js"></script>
</head>
<body data-shows="${page.shows}">
<header>
<img src="/favicon.svg" width="24" height="24" alt="">
<h1>Development mailbox <span class="dash">-</span> <span>no mail leaves this machine</span></h1>
<a href="/">Back to the site</a>
</header>
<main>
${page.main}
</main>
</body>
</html>
`;
}

function listSection({ mails, to, nowMs }: MailboxPage, shown: ReceivedMail | null): string {
  const count = mails.length === 1 ? '1 mail' : `${mails.length} mails`;
  return `<section class="list" aria-label="Mails">
<form method="get" action="${MAILBOX_PATH}">
<label for="to">Sent to</label>
<div><input id="to" name="to" type="search" inputmode="email" autocomplete="off" spellcheck="false" placeholder="Any address" value="${escapeHtml(to ?? '')}"><button>Show</button></div>
</form>
<p class="count"><span role="status">${count}</span><a href="${pageLink({ to })}">Refresh</a></p>
${mails.length === 0 ? emptyState(to) : `<ol>${mails.map((mail) => listItem(mail, { to, nowMs, isShown: mail === shown })).join('')}</ol>`}
</section>`;
}

function listItem(mail: ReceivedMail, row: { to: string | null; nowMs: number; isShown: boolean }): string {
  return `<li><a href="${pageLink({ to: row.to, mail: mail.id })}"${row.isShown ? ' aria-current="true"' : ''}>
<span class="subject">${escapeHtml(mail.subject || NO_SUBJECT)}</span>
${timeOf(mail, row.nowMs)}
<span class="address">${escapeHtml(mail.to)}</span>
</a></li>`;
}

function emptyState(to: string | null): string {
  return to === null
    ? '<div class="empty"><h2>No mail yet</h2><p>Sign up or request a sign-in link: emails from the site appear here. Nothing is delivered.</p></div>'
    : `<div class="empty"><h2>No mail to this address</h2><p>Nothing was sent to ${escapeHtml(to)}.</p><p><a href="${MAILBOX_PATH}">Show all emails</a></p></div>`;
}

function mailSection({ to, part, nowMs }: MailboxPage, mail: ReceivedMail): string {
  const shownPart = mail.html === '' ? 'text' : part;
  const tab = (name: MailPart, label: string) =>
    `<a href="${pageLink({ to, mail: mail.id, part: name })}"${name === shownPart ? ' aria-current="page"' : ''}>${label}</a>`;
  return `<article aria-labelledby="subject">
<a class="back" href="${pageLink({ to })}">All mails</a>
<h2 id="subject">${escapeHtml(mail.subject || NO_SUBJECT)}</h2>
<dl>
<div><dt>To</dt><dd>${escapeHtml(mail.to)}</dd></div>
<div><dt>From</dt><dd>${escapeHtml(mail.from)}</dd></div>
<div><dt>Received</dt><dd>${timeOf(mail, nowMs)} <span class="exact">${exactTime(mail)}</span></dd></div>
${mail.links.length === 0 ? '' : `<div><dt>${mail.links.length === 1 ? 'Link' : 'Links'}</dt><dd class="links">${mail.links.map(linkTo).join('')}</dd></div>`}
</dl>
<nav aria-label="Parts of the mail">${mail.html === '' ? '' : tab('html', 'As HTML')}${tab('text', 'As text')}</nav>
${shownPart === 'html' ? htmlFrame(mail) : textOf(mail)}
</article>`;
}

function htmlFrame(mail: ReceivedMail): string {
  return `<iframe title="The mail as HTML" src="${htmlPath(mail.id)}" sandbox="${MAIL_SANDBOX}"></iframe>`;
}

function textOf(mail: ReceivedMail): string {
  return mail.text === ''
    ? '<p class="missing">This mail has no text alternative.</p>'
    : `<pre>${linkified(mail.text)}</pre>`;
}

function linkified(text: string): string {
  const parts = text.split(new RegExp(`(${TEXT_LINK.source})`));
  return parts.map((part, i) => (i % 2 === 1 ? linkTo(part) : escapeHtml(part))).join('');
}

/** Mails contain foreign links, which must not send this page's address along. */
function linkTo(url: string): string {
  return `<a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(url)}</a>`;
}

const NO_SUBJECT = '(no subject)';

function timeOf(mail: ReceivedMail, nowMs: number): string {
  const ago = relativeTime(Date.parse(mail.receivedAt), nowMs);
  return `<time datetime="${escapeHtml(mail.receivedAt)}" title="${exactTime(mail)}">${ago}</time>`;
}

function exactTime(mail: ReceivedMail): string {
  return escapeHtml(`${mail.receivedAt.slice(0, 19).replace('T', ' ')} UTC`);
}

export function htmlPath(mailId: string): string {
  return `${MAILBOX_PATH}/mails/${encodeURIComponent(mailId)}.html`;
}

function pageLink(query: { to: string | null; mail?: string; part?: MailPart }): string {
  const params = new URLSearchParams();
  if (query.to !== null) params.set('to', query.to);
  if (query.mail !== undefined) params.set('mail', query.mail);
  if (query.part !== undefined) params.set('part', query.part);
  return escapeHtml(params.size === 0 ? MAILBOX_PATH : `${MAILBOX_PATH}?${params}`);
}

/** @returns the mail's own HTML, whose links open in the page around it */
export function mailDocument(mail: ReceivedMail): string {
  const base = '<base target="_top">';
  const head = /<head[^>]*>/i.exec(mail.html);
  if (head === null) return `<!doctype html>${base}${mail.html}`;
  const at = head.index + head[0].length;
  return `${mail.html.slice(0, at)}${base}${mail.html.slice(at)}`;
}
