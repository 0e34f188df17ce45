/** Tests the settings of web push and chats, and the contact given to push services. */
import { expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';

const contact = (env: Record<string, string>) => readConfig(env).push.contact;

test.each([
  ['the address in MAIL_FROM', {}, 'mailto:no-reply@localhost'],
  ['a bare one', { MAIL_FROM: 'ops@kat.test' }, 'mailto:ops@kat.test'],
  ['the site, where it is reached by https', { PUBLIC_URL: 'https://kat.test' }, 'https://kat.test'],
  ['not the site by http', { PUBLIC_URL: 'http://localhost:3000' }, 'mailto:no-reply@localhost'],
])('gives push services as contact %s', (_what, env: Record<string, string>, expected) => {
  expect(contact(env)).toBe(expected);
});

test.each([
  ['half a key pair', { PUSH_KEYS: 'B' }],
  ['the other half', { PUSH_KEYS: ':B' }],
  ['another choice', { PUSH: 'on' }],
  ['a Telegram token without its secret', { TELEGRAM_BOT_TOKEN: '7000000001' }],
  ['a Telegram token with a line break', { TELEGRAM_BOT_TOKEN: `7000000001:${'a'.repeat(35)}\n/getMe` }],
  ['a Discord token with its scheme', { DISCORD_BOT_TOKEN: 'Bot abc.def.ghi' }],
])('refuses %s', (_what, env: Record<string, string>) => {
  expect(() => readConfig(env)).toThrow(SettingsRefused);
});

test('reads the bots’ tokens, and offers neither service without them', () => {
  const telegramToken = `7000000001:${'A-b_'.repeat(9)}`;
  const discordToken = `${'Ab1'.repeat(8)}.Gx_-2a.${'Zz9'.repeat(13)}`;

  const chat = readConfig({ TELEGRAM_BOT_TOKEN: telegramToken, DISCORD_BOT_TOKEN: discordToken }).chat;

  expect(chat).toEqual({ telegramToken, discordToken });
  expect(readConfig({}).chat).toEqual({ telegramToken: null, discordToken: null });
});
