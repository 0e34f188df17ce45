/** The page on which a developer plays the user of a simulated chat service. */
import { readFileSync } from 'node:fs';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { PAGE_STYLE, sandboxPage } from '../page-shell.ts';
import type { ChatEntry, Conversation } from './conversations.ts';
import type { SimulatedChat } from './service.ts';

export const STYLE = PAGE_STYLE + readFileSync(new URL('chat-page.css', import.meta.url), 'utf8');
/** Sends the forms as JSON, and keeps the messages up to date. */
export const SCRIPT = readFileSync(new URL('chat-page.js', import.meta.url), 'utf8');

/** @param query  a code of the site's link fills in the first chat's field, as the service's own link does */
export function chatPage(service: SimulatedChat, query: URLSearchParams): string {
  const path = `/dev/${service.name}`;
  const text = commandOf(query);
  const chats = service.conversations.all();
  const sections = chats.map((chat, place) => chatSection(service, chat, place === 0 ? text : ''));
  return sandboxPage({
    title: `Sandbox ${service.title}`,
    note: 'no message leaves this machine',
    stylePath: `${path}/chat.css`,
    scriptPath: `${path}/chat.js`,
    backPath: '/account/notifications#chats',
    main: `<p class="muted">You are the user here. Enter the command that the site shows, or block the bot. ${HINTS[service.name]}</p>
<p role="status" data-result></p>
${sections.join('\n')}`,
  });
}

function commandOf(query: URLSearchParams): string {
  const [text, start, code] = [query.get('text'), query.get('start'), query.get('code')];
  if (start !== null) return `/start ${start}`;
  return code === null ? (text ?? '') : `/kat link code:${code}`;
}

const HINTS: Readonly<Record<SimulatedChat['name'], string>> = {
  telegram: 'In a group, the bot receives commands only.',
  discord: 'The bot receives commands only: enter a field as its name and value, code:ABC.',
};

function chatSection(service: SimulatedChat, chat: Conversation, text: string): string {
  const { id, name, isDirect, reach } = chat;
  const heading = isDirect ? `Direct chat of ${name}` : service.name === 'discord' ? `Channel #${name}` : name;
  const state = STATES[reach];
  const fieldId = `text-${id}`;
  return `<section aria-labelledby="name-${id}" data-chat="${id}">
<h2 id="name-${id}">${escapeHtml(heading)}</h2>
<div data-live>
<p class="muted">${state}</p>
${chat.entries.length === 0 ? '<p class="muted">No messages yet.</p>' : `<ol aria-label="Messages">${chat.entries.map((entry) => entryItem(service, entry)).join('\n')}</ol>`}
</div>
<form data-action="/dev/${service.name}/messages"><input type="hidden" name="conversation" value="${id}">
<label for="${fieldId}">Message or command</label>
<div class="row"><input id="${fieldId}" name="text" autocomplete="off" spellcheck="false" maxlength="4096" required value="${escapeHtml(text)}"><button>Send</button></div>
</form>
<form class="row" data-action="/dev/${service.name}/reach"><input type="hidden" name="conversation" value="${id}">
<button name="reach" value="blocked">${isDirect ? 'Block the bot' : 'Remove the bot'}</button>
<button name="reach" value="open">${isDirect ? 'Unblock' : 'Add the bot again'}</button>
<button name="reach" value="deleted">Delete the chat</button>
</form>
</section>`;
}

const STATES: Readonly<Record<Conversation['reach'], string>> = {
  open: 'The bot can write here.',
  blocked: 'The bot is blocked or removed.',
  deleted: 'This chat is deleted.',
};

const SENDERS: Readonly<Record<ChatEntry['from'], string>> = { user: 'You', bot: 'Kat', service: 'Notice' };

function entryItem(
  service: SimulatedChat,
  { id, from, text, isPrivate, mentionsEveryone, picture, atMs }: ChatEntry,
): string {
  const notes = [
    zonedSecond(atMs, 'UTC'),
    ...(isPrivate ? ['only you can see this'] : []),
    ...(mentionsEveryone ? ['notifies everyone'] : []),
  ];
  const image =
    picture === null
      ? ''
      : `<img src="/dev/${service.name}/pictures/${id}" alt="The picture of this message" loading="lazy">`;
  return `<li class="${from}"><p class="muted"><strong>${SENDERS[from]}</strong> ${notes.join(', ')}</p>${image}<p class="text">${escapeHtml(text)}</p></li>`;
}
