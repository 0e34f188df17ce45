/** What the bots write: plain text, never marked up, so that nothing in it can be read as a command or a mention. */
import type { AlertFacts } from '../alerts/alert.ts';
import { describeAlert } from '../alerts/alert-messages.ts';
import { RESEARCH_ONLY } from '../site/research-only.ts';
import { type ChatService, MOST_CHATS, SERVICE_NAMES } from './chat-channel.ts';

/** Telegram's limit of a picture's caption is 1,024 characters. */
export const LONGEST_CHAT_TEXT = 1000;
/** The page of a user's linked chats: a path on our own site. */
export const CHATS_PATH = '/account/notifications#chats';

/** @param siteUrl  the site's origin, without a trailing slash */
export function alertChatText(facts: AlertFacts, siteUrl: string): string {
  const { title, text, path } = describeAlert(facts);
  return cut([title, text, `${siteUrl}${path}`, RESEARCH_ONLY].join('\n\n'));
}

export function testChatText(siteUrl: string): string {
  return ['This is the test you requested. Your Kat alerts will appear here.', `${siteUrl}${CHATS_PATH}`].join('\n\n');
}

/** Outcomes of a command in a chat. */
export type ChatReply =
  | 'linked'
  | 'bad-code'
  | 'already-yours'
  | 'already-linked'
  | 'too-many-chats'
  | 'too-many-tries'
  | 'unlinked'
  | 'not-linked'
  | 'unlink-on-site'
  | 'is-active'
  | 'is-paused'
  | 'help';

export function replyText(reply: ChatReply, service: ChatService, siteUrl: string): string {
  return REPLIES[reply](service, `${siteUrl}${CHATS_PATH}`);
}

const REPLIES: Readonly<Record<ChatReply, (service: ChatService, page: string) => string>> = {
  linked: (_, page) => `This chat is linked. Your Kat alerts will appear here. Choose which ones at ${page}`,
  'bad-code': (_, page) => `This code isn’t valid. It may have expired or been used already. Get a new one at ${page}`,
  'already-yours': (_, page) => `This chat is already linked to your account. Nothing was changed. ${page}`,
  'already-linked': () =>
    'This chat is already linked to another Kat account. Nothing was changed. Its owner can unlink it first.',
  'too-many-chats': (_, page) => `You have ${MOST_CHATS} linked chats, the most you can have. Unlink one at ${page}`,
  'too-many-tries': () => 'Too many codes were tried in this chat. Please try again in an hour.',
  unlinked: (_, page) => `This chat is unlinked. It gets no more alerts. Link it again at ${page}`,
  'not-linked': (_, page) => `This chat isn’t linked. Get a code at ${page}`,
  'unlink-on-site': (_, page) => `In a group, only the owner can unlink the chat, at ${page}`,
  'is-active': (_, page) => `This chat is linked and gets alerts. Change them at ${page}`,
  'is-paused': (_, page) => `This chat is linked, but its alerts are paused. Resume them at ${page}`,
  help: (service, page) =>
    `I send your Kat alerts to ${SERVICE_NAMES[service]}. Get a code at ${page} and enter ${
      service === 'telegram' ? '/link with the code' : '/kat link with the code'
    } here.`,
};

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST_CHAT_TEXT ? text : `${characters.slice(0, LONGEST_CHAT_TEXT - 1).join('')}…`;
}
