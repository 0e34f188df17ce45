import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'kat-addresses-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(content: unknown): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const read = (content: unknown, env: Record<string, string> = {}) =>
  readConfig({ ADDRESSES_FILE: fileWith(content), ...env });

test('takes over what the file names, without trailing slashes, and has the real addresses for the rest', () => {
  const { market, community, accounts } = read(
    {
      bybit: { restUrl: 'http://127.0.0.1:9/bybit//' },
      discordUrl: 'http://127.0.0.1:9/discord/',
      githubUrl: 'https://github.example/',
      captchaVerifyUrl: 'https://api.hcaptcha.com/siteverify',
    },
    { GITHUB_CLIENT: 'id:secret', CAPTCHA_SECRET: 'secret' },
  );

  expect(market.addresses.bybit).toEqual({ restUrl: 'http://127.0.0.1:9/bybit', wsUrl: 'wss://stream.bybit.com' });
  expect(market.addresses.okx.restUrl).toBe('https://www.okx.com');
  expect(community.addresses).toMatchObject({
    discordUrl: 'http://127.0.0.1:9/discord',
    youtubeUrl: 'https://www.googleapis.com',
  });
  expect(accounts.github).toMatchObject({ url: 'https://github.example', apiUrl: 'https://api.github.com' });
  expect(accounts.captcha?.verifyUrl).toBe('https://api.hcaptcha.com/siteverify');
});

test('lets code give addresses in place of a file', () => {
  const env = { ADDRESSES_FILE: fileWith({ okx: { restUrl: 'http://127.0.0.1:1', wsUrl: 'ws://127.0.0.1:1' } }) };

  const { addresses } = readConfig(env, { okx: { restUrl: 'http://127.0.0.1:2' } }).market;

  expect(addresses.okx).toEqual({ restUrl: 'http://127.0.0.1:2', wsUrl: 'ws://127.0.0.1:1' });
});

test.each<[string, unknown, RegExp]>([
  ['an unknown service', { binanc: {} }, / binanc is unknown/],
  ['an unknown address', { kraken: { wsUrl: 'wss://a.example' } }, /kraken\.wsUrl is unknown/],
  ['an invalid socket address', { coinbase: { wsUrl: 'ftp://a.example' } }, /coinbase\.wsUrl is not/],
  ['a web address that is a socket’s', { kraken: { restUrl: 'wss://a.example' } }, /kraken\.restUrl is not/],
  ['an invalid address', { calendarUrl: 'a.example' }, /calendarUrl is not/],
  ['two faults at a time', { calendarUrl: 7, githubUrl: 'x' }, /calendarUrl is.*\n.*githubUrl is/],
  ['a list', [], /contains no JSON object/],
  ['half a file', '{"okx": ', /is not JSON/],
])('refuses %s and names it', (_what, content, message) => {
  expect(() => read(content)).toThrow(SettingsRefused);
  expect(() => read(content)).toThrow(message);
});

test('refuses a file that is not there', () => {
  expect(() => readConfig({ ADDRESSES_FILE: join(folder, 'absent') })).toThrow(
    /ADDRESSES_FILE names a file that cannot/,
  );
});
