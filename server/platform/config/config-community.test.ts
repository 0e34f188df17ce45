import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { refuseUnsafeProduction } from './unsafe-settings.ts';

const community = (env: Record<string, string> = {}) => readConfig(env).community;

test('follows the market by default, reads five feeds and has no keys', () => {
  const { choice, addresses, keys } = community();

  expect(choice).toBe('auto');
  expect(addresses.newsFeeds.map(({ name }) => name)).toEqual([
    'CoinDesk',
    'Cointelegraph',
    'Decrypt',
    'The Block',
    'Bitcoin Magazine',
  ]);
  expect(addresses).toMatchObject({ youtubeUrl: 'https://www.googleapis.com', discordUrl: 'https://discord.com' });
  expect(keys).toEqual({ youtube: null, discordInvite: null, patreonToken: null });
});

test('reads named feeds despite spaces and empty entries, and accepts none', () => {
  expect(
    community({ NEWS_FEEDS: ' One = https://a.example/feed?x=1 | | Two=https://b.example/ ' }).addresses.newsFeeds,
  ).toEqual([
    { name: 'One', url: 'https://a.example/feed?x=1' },
    { name: 'Two', url: 'https://b.example/' },
  ]);
  expect(community({ NEWS_FEEDS: 'none' }).addresses.newsFeeds).toEqual([]);
});

test.each([
  ['an address without a name', 'https://a.example/feed'],
  ['a name without an address', 'One'],
  ['an empty name', '=https://a.example/feed'],
  ['an unencrypted address', 'One=http://a.example/feed'],
  ['a file', 'One=file:///etc/passwd'],
  ['no address at all', 'One=a.example'],
  ['a name that is too long', `${'x'.repeat(61)}=https://a.example/`],
  ['a good one beside a bad one', 'One=https://a.example/ | Two'],
  ['an address that is too long', `One=https://a.example/${'x'.repeat(2000)}`],
  ['an address that grows too long', `One=https://a.example/${'ü'.repeat(400)}`],
  ['the same address twice', 'One=https://a.example | Two=https://A.example:443/'],
  ['the same name twice', 'One=https://a.example/ | one=https://b.example/'],
  ['a password', 'One=https://ada:secret-word@a.example/'],
  ['this machine', 'One=https://localhost/feed'],
  ['this machine by number', 'One=https://127.0.0.1/feed'],
  ['this machine in another notation', 'One=https://0x7f.1/feed'],
  ['a private address', 'One=https://192.168.1.1/feed'],
  ['a private IPv6 address', 'One=https://[fd00::1]/feed'],
  ['an address for machines of a cloud', 'One=https://169.254.169.254/feed'],
  ['a name that turns text around', 'One\u202e=https://a.example/'],
  ['a name with a control character', 'O\u0007ne=https://a.example/'],
])('refuses NEWS_FEEDS with %s', (_what, feeds) => {
  expect(() => community({ NEWS_FEEDS: feeds })).toThrow(/NEWS_FEEDS: (?!.*secret-word)/);
});

test('reads the keys of the counters, each optional', () => {
  const keys = (COMMUNITY_COUNTERS: string) => community({ COMMUNITY_COUNTERS }).keys;

  expect(keys('youtube=UCa:k, discord=code, patreon=t')).toEqual({
    youtube: { key: 'k', channelId: 'UCa' },
    discordInvite: 'code',
    patreonToken: 't',
  });
  expect(keys('patreon=t')).toEqual({ youtube: null, discordInvite: null, patreonToken: 't' });
  expect(() => keys('youtube=secret-key')).toThrow(/youtube must be two values(?!.*secret)/);
  expect(() => keys('tiktok=secret-key')).toThrow(/COMMUNITY_COUNTERS only takes youtube(?!.*secret)/);
});

test('refuses the sandbox in production unless it is allowed explicitly', () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://kat.example.org',
    SMTP_URL: 'smtp://a.example',
    PAYMENTS: 'off',
  };
  const start = (env: Record<string, string>) =>
    refuseUnsafeProduction(readConfig({ ...production, ...env }), { isDemo: false });

  expect(() => start({ DEVELOPMENT: 'community=sandbox' })).toThrow(/community=sandbox is refused/);
  expect(() => start({ DEVELOPMENT: 'community=sandbox', ALLOW_SANDBOX_IN_PRODUCTION: '1' })).not.toThrow();
  expect(() => start({})).not.toThrow();
});
