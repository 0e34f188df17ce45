/** Telegram and Discord on the notifications page: linking by a code, alerts of each chat, and what each button sends. */
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CODE_LIFE_MS } from '#domain/chat/chat-channel.ts';
import { queryClient } from '../../../platform/query-client.ts';
import {
  CONFIG,
  type FakeBackend,
  fakeBackend,
  json,
  storeSession,
  USER,
} from '../../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../../ui/browser/time-zone.ts';
import { alertText, mountPanel, press } from '../testing/security-panel.tsx';
import { ChatsPanel } from './chats-panel.tsx';

const id = (digit: number) => `55555555-5555-4555-8555-55555555555${digit}`;
const aRow = (digit: number, change: object = {}) => ({
  id: id(digit),
  service: 'telegram',
  title: 'My notes',
  kinds: ['band-broken', 'prediction-resolved'],
  state: 'active',
  pause_reason: null,
  linked_at: '2026-11-19T22:15:00.123456+00:00',
  last_sent_at: null,
  ...change,
});
const CODES = {
  telegram: {
    ok: true,
    code: 'ABCDE23456',
    expiresAt: '2026-11-27T12:10:00Z',
    bot: '@kat_bot',
    link: 'https://t.me/kat_bot?start=ABCDE23456',
    command: '/link ABCDE23456',
  },
  discord: {
    ok: true,
    code: 'FGHJK23456',
    expiresAt: '2026-11-27T12:10:00Z',
    bot: 'Kat',
    link: 'https://discord.com/oauth2/authorize?client_id=1',
    command: '/kat link code:FGHJK23456',
  },
};

let backend: FakeBackend;
let rows: ReturnType<typeof aRow>[];
let chat: { telegram: string | null; discord: string | null };

beforeEach(() => {
  backend = fakeBackend();
  rows = [];
  chat = { telegram: 'live', discord: 'live' };
  backend.on('GET /config.json', () => json({ ...CONFIG, chat }));
  backend.on('GET /rest/v1/chat_channels', () => json(rows));
  backend.on('POST /functions/v1/create-chat-code', ({ body }) =>
    json(JSON.stringify(body).includes('telegram') ? CODES.telegram : CODES.discord),
  );
  for (const name of ['update-chat-channel', 'unlink-chat-channel', 'send-test-chat-message'])
    backend.on(`POST /functions/v1/${name}`, () => json({ ok: true }));
  storeSession();
});

afterEach(() => {
  vi.useRealTimers();
});

function mount() {
  setProfileZone('Europe/Berlin');
  return mountPanel(<ChatsPanel userId={USER.id} />);
}
const sentTo = (name: string) => backend.to(`/functions/v1/${name}`).map(({ body }) => body);
const refetch = () => act(() => queryClient.refetchQueries({ queryKey: ['chats'] }));
const alerts = (name: string) => within(screen.getByRole('group', { name: `Alerts for ${name}` }));

test('shows the code’s link and command, and notices the linked chat', async () => {
  mount();
  await press('Link Telegram');

  expect(await screen.findByRole('heading', { name: 'Link a Telegram chat' })).toBe(document.activeElement);
  expect(sentTo('create-chat-code')).toEqual([{ service: 'telegram' }]);
  expect(screen.getByRole('link', { name: /^Open @kat_bot/ }).getAttribute('href')).toBe(CODES.telegram.link);
  screen.getByText('/link ABCDE23456');
  screen.getByText('Waiting for the chat');
  expect(screen.getByRole('button', { name: 'Link Telegram' })).toHaveProperty('disabled', true);

  rows = [aRow(1)];
  await refetch();
  await screen.findByText('My notes on Telegram is linked.');
  expect(screen.queryByText('/link ABCDE23456')).toBeNull();
  expect(within(screen.getByRole('list', { name: 'Your linked chats' })).getAllByRole('listitem')).toHaveLength(1);
});

test('does not take a chat of the other service for the one that is awaited', async () => {
  mount();
  await press('Link Discord');
  await screen.findByText('/kat link code:FGHJK23456');

  rows = [aRow(1)];
  await refetch();
  await screen.findByText('My notes');
  screen.getByText('Waiting for the chat');
});

test('counts the code’s time down, and offers a new one when it has expired', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.UTC(2026, 10, 27, 12) });
  mount();
  await press('Link Telegram');
  await screen.findByText('10:00');
  act(() => vi.advanceTimersByTime(55_000));
  screen.getByText('9:05');

  act(() => vi.advanceTimersByTime(CODE_LIFE_MS - 55_000));
  screen.getByText('This code has expired.');
  expect(screen.queryByText('/link ABCDE23456')).toBeNull();
  await press('Get a new code');
  await screen.findByText('10:00');
  expect(sentTo('create-chat-code')).toHaveLength(2);
});

test('hides the code when the user cancels', async () => {
  mount();
  await press('Link Discord');
  await screen.findByText('/kat link code:FGHJK23456');

  await press('Cancel');
  expect(screen.queryByText('/kat link code:FGHJK23456')).toBeNull();
  expect(screen.getByRole('button', { name: 'Link Discord' })).toHaveProperty('disabled', false);
});

test.each([
  ['chat/unavailable', 'We can’t reach this service right now.'],
  ['chat/too-many', 'You have 5 linked chats'],
  ['request/too-many', 'wait a while'],
  ['auth/second-factor-needed', 'Sign in again with a code'],
  ['x', 'Nothing was changed'],
])('explains %s', async (reason, message) => {
  backend.on('POST /functions/v1/create-chat-code', () => json({ ok: false, reason, message: reason }));
  mount();

  await press('Link Telegram');
  expect(await alertText()).toContain(message);
});

test('saves each change of a chat’s alerts, and keeps the last one checked', async () => {
  rows = [aRow(1, { kinds: ['band-broken'] })];
  backend.on('POST /functions/v1/update-chat-channel', ({ body }) => {
    rows = [aRow(1, typeof body === 'object' ? { ...body } : {})];
    return json({ ok: true });
  });
  mount();
  await screen.findByText('My notes');
  const box = (label: string) => alerts('My notes on Telegram').getByRole('checkbox', { name: label });

  await userEvent.click(box('Models disagree'));
  await userEvent.click(box('A price leaves the band'));
  await userEvent.click(box('Models disagree'));
  expect(await alertText()).toContain('To get none, pause the chat.');
  expect(box('Models disagree')).toHaveProperty('checked', true);
  await vi.waitFor(() =>
    expect(sentTo('update-chat-channel')).toEqual([
      { id: id(1), kinds: ['band-broken', 'models-disagree'], state: 'active' },
      { id: id(1), kinds: ['models-disagree'], state: 'active' },
    ]),
  );
});

test('keeps showing a later change while an earlier one is saved', async () => {
  rows = [aRow(1, { kinds: ['band-broken'] })];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let saves = 0;
  backend.on('POST /functions/v1/update-chat-channel', async ({ body }) => {
    saves += 1;
    await gates[saves - 1]?.promise;
    rows = [aRow(1, typeof body === 'object' ? { ...body } : {})];
    return json({ ok: true });
  });
  mount();
  await screen.findByText('My notes');
  const box = (label: string) => alerts('My notes on Telegram').getByRole('checkbox', { name: label });

  await userEvent.click(box('Models disagree'));
  await userEvent.click(box('A chance is reached'));
  gates[0]?.resolve();
  await vi.waitFor(() => expect(saves).toBe(2));
  await refetch();
  expect(box('A chance is reached')).toHaveProperty('checked', true);
  gates[1]?.resolve();
  await vi.waitFor(() => expect(rows[0]?.kinds).toEqual(['band-broken', 'models-disagree', 'chance-reached']));
});

test('shows the saved alerts again when a change is refused', async () => {
  rows = [aRow(1, { kinds: ['band-broken'] })];
  backend.on('POST /functions/v1/update-chat-channel', () => json({ ok: false, reason: 'chat/no-such-chat' }));
  mount();
  await screen.findByText('My notes');
  const box = () => alerts('My notes on Telegram').getByRole('checkbox', { name: 'Models disagree' });

  await userEvent.click(box());
  expect(await alertText()).toContain('This chat was unlinked.');
  await vi.waitFor(() => expect(box()).toHaveProperty('checked', false));
});

test('pauses, sends a test, and unlinks after a question', async () => {
  rows = [aRow(1), aRow(2, { service: 'discord', title: 'alerts' })];
  mount();

  await press('Send a test to My notes on Telegram');
  await press('Pause alerts on Discord');
  await press('Unlink alerts on Discord');
  const dialog = within(screen.getByRole('dialog'));
  expect(sentTo('unlink-chat-channel')).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Unlink' }));
  await screen.findByText('Chat unlinked');
  expect(sentTo('send-test-chat-message')).toEqual([{ id: id(1) }]);
  expect(sentTo('update-chat-channel')).toMatchObject([{ id: id(2), state: 'paused' }]);
  expect(sentTo('unlink-chat-channel')).toEqual([{ id: id(2) }]);
});

test.each([
  ['owner', 'Paused by you.'],
  ['blocked', 'the bot was blocked or removed'],
  ['not-found', 'this chat no longer exists'],
  ['refused', '3 messages in a row were refused'],
])('says why a chat is paused (%s), and resumes it', async (reason, text) => {
  rows = [aRow(1, { state: 'paused', pause_reason: reason })];
  mount();

  await screen.findByText(text, { exact: false });
  expect(screen.queryByRole('button', { name: /^Send a test/ })).toBeNull();
  await press('Resume My notes on Telegram');
  expect(sentTo('update-chat-channel')).toMatchObject([{ id: id(1), state: 'active' }]);
});

test('says which service is not offered and which is simulated', async () => {
  chat = { telegram: null, discord: 'sandbox' };
  mount();

  await screen.findByText('This site doesn’t offer Telegram.');
  expect(screen.queryByRole('button', { name: 'Link Telegram' })).toBeNull();
  screen.getByText('Sandbox');
  expect(screen.getByRole('link', { name: 'sandbox' }).getAttribute('href')).toBe('/dev/discord');
});

test('links no sixth chat', async () => {
  rows = [1, 2, 3, 4, 5].map((digit) => aRow(digit));
  mount();

  await screen.findByText('the most you can have', { exact: false });
  expect(screen.getByRole('button', { name: 'Link Telegram' })).toHaveProperty('disabled', true);
});

test('offers to load the chats again', async () => {
  backend.on('GET /rest/v1/chat_channels', () => json({ code: 'x', message: 'x' }, 500));
  mount();
  await screen.findByText('We couldn’t load your linked chats');

  rows = [aRow(1)];
  backend.on('GET /rest/v1/chat_channels', () => json(rows));
  await press('Retry');
  await screen.findByText('My notes');
});
