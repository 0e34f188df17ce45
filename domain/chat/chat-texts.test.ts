import { expect, test } from 'vitest';
import type { AlertFacts } from '../alerts/alert.ts';
import { RESEARCH_ONLY } from '../site/research-only.ts';
import { alertChatText, type ChatReply, LONGEST_CHAT_TEXT, replyText, testChatText } from './chat-texts.ts';

const SITE = 'https://kat.example';
const PAGE = 'https://kat.example/account/notifications#chats';

const DISAGREEMENT: AlertFacts = {
  kind: 'models-disagree',
  sym: 'ETHUSDT.P',
  marketKind: 'simulated',
  slotS: Date.UTC(2026, 10, 20, 9, 5) / 1000,
  costBp: 10.2,
};

test('writes an alert as its title, its text, a link and the notice', () => {
  const [title, text, link, notice] = alertChatText(DISAGREEMENT, SITE).split('\n\n');

  expect([title, link, notice]).toEqual([
    'Models disagree about ETH',
    'https://kat.example/track-record',
    RESEARCH_ONLY,
  ]);
  expect(text).toMatch(/^Forecasts from 09:05 UTC .* These are simulated prices\.$/);
});

test('cuts a text before the limit of a picture’s caption, and never inside a character', () => {
  const [short, long] = [`😀${'x'.repeat(200)}`, '😀'.repeat(2000)].map((sym) =>
    alertChatText({ ...DISAGREEMENT, sym }, SITE),
  );

  expect(short).toContain(RESEARCH_ONLY);
  expect([...(long ?? '')]).toHaveLength(LONGEST_CHAT_TEXT);
  expect(long).toMatch(/😀…$/u);
});

test('says in a test where the alerts are set', () => {
  expect(testChatText(SITE)).toBe(`This is the test you requested. Your Kat alerts will appear here.\n\n${PAGE}`);
});

test.each<[ChatReply, RegExp]>([
  ['linked', /^This chat is linked\. Your Kat alerts will appear here\./],
  ['bad-code', /^This code isn’t valid\. .*Get a new one/],
  ['already-yours', /already linked to your account\. Nothing was changed\./],
  ['too-many-chats', /^You have 5 linked chats, the most you can have\./],
  ['unlinked', /^This chat is unlinked\. It gets no more alerts\./],
  ['not-linked', /^This chat isn’t linked\./],
  ['unlink-on-site', /^In a group, only the owner can unlink the chat/],
  ['is-active', /^This chat is linked and gets alerts\./],
  ['is-paused', /but its alerts are paused\./],
])('answers a command with its outcome and the page of the chats: %s', (reply, text) => {
  const answer = replyText(reply, 'telegram', SITE);

  expect(answer).toMatch(text);
  expect(answer).toContain(PAGE);
});

test('shows no page to a chat that another account linked, or that tries too many codes', () => {
  expect(replyText('already-linked', 'discord', SITE)).toMatch(/another Kat account\. Nothing was changed\./);
  expect(replyText('too-many-tries', 'discord', SITE)).toMatch(/try again in an hour\.$/);
  for (const reply of ['already-linked', 'too-many-tries'] as const)
    expect(replyText(reply, 'discord', SITE)).not.toContain(SITE);
});

test.each([
  ['telegram', `I send your Kat alerts to Telegram. Get a code at ${PAGE} and enter /link with the code here.`],
  ['discord', `I send your Kat alerts to Discord. Get a code at ${PAGE} and enter /kat link with the code here.`],
] as const)('names the command of %s', (service, text) => {
  expect(replyText('help', service, SITE)).toBe(text);
});
