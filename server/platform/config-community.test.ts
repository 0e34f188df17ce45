import { expect, test } from 'vitest';
import { readConfig, refuseUnsafeProduction } from './config.ts';

const community = (env: Record<string, string> = {}) => readConfig(env).community;

test('by default the services are chosen with the market, five feeds are read, and nothing has a key', () => {
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

test('feeds are named, spaces and empty entries do not matter, and none is a choice', () => {
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
])('NEWS_FEEDS with %s is refused', (_what, feeds) => {
  expect(() => community({ NEWS_FEEDS: feeds })).toThrow(/NEWS_FEEDS/);
});

test('half a YouTube key is refused, a whole one is taken, and base addresses lose their slash', () => {
  expect(() => community({ YOUTUBE_API_KEY: 'k' })).toThrow(/together/);
  expect(() => community({ YOUTUBE_CHANNEL_ID: 'UCa' })).toThrow(/together/);
  const { keys, addresses } = community({
    YOUTUBE_API_KEY: 'k',
    YOUTUBE_CHANNEL_ID: 'UCa',
    DISCORD_INVITE: 'code',
    PATREON_TOKEN: 't',
    DISCORD_REST_URL: 'http://127.0.0.1:9/discord/',
  });
  expect(keys).toEqual({ youtube: { key: 'k', channelId: 'UCa' }, discordInvite: 'code', patreonToken: 't' });
  expect(addresses.discordUrl).toBe('http://127.0.0.1:9/discord');
  expect(() => community({ PATREON_REST_URL: 'ftp://a.example' })).toThrow(/PATREON_REST_URL/);
  expect(() => community({ COMMUNITY: 'maybe' })).toThrow(/COMMUNITY/);
});

test('production refuses the sandbox unless it is told to allow it', () => {
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://kat.example.org', SMTP_URL: 'smtp://a.example' };
  const start = (env: Record<string, string>) =>
    refuseUnsafeProduction(readConfig({ ...production, ...env }), { isDemo: false });

  expect(() => start({ COMMUNITY: 'sandbox' })).toThrow(/COMMUNITY=sandbox is refused/);
  expect(() => start({ COMMUNITY: 'sandbox', ALLOW_SANDBOX_IN_PRODUCTION: '1' })).not.toThrow();
  expect(() => start({})).not.toThrow();
});
