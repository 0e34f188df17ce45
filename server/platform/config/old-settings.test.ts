import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Config, readConfig, SettingsRefused } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'kat-old-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DATABASE_URL = 'postgres://kat@127.0.0.1/kat';
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
const S3 = { S3_BUCKET: 'b.c', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'a/b+c:d' };
const PRICES = { PRICE_ID_BOBCAT: 'price_1', PRICE_ID_LION: 'price_2' };
type Env = Record<string, string>;

test.each<[string, Env, Env, (config: Config) => unknown]>([
  ['Google', { GOOGLE_CLIENT_ID: 'i', GOOGLE_CLIENT_SECRET: 's' }, { GOOGLE_CLIENT: 'i:s' }, (c) => c.accounts.google],
  ['GitHub', { GITHUB_CLIENT_ID: 'i', GITHUB_CLIENT_SECRET: 's' }, { GITHUB_CLIENT: 'i:s' }, (c) => c.accounts.github],
  ['Alpaca', { ALPACA_KEY_ID: 'i', ALPACA_SECRET_KEY: 's' }, { ALPACA_KEY: 'i:s' }, (c) => c.market.keys.alpaca],
  ['push keys', { PUSH_PUBLIC_KEY: 'B', PUSH_PRIVATE_KEY: 'k' }, { PUSH_KEYS: 'B:k' }, (c) => c.push.keys],
  ['a bucket', S3, { S3_URL: 's3://id:a%2Fb%2Bc%3Ad@b.c' }, (c) => c.s3],
  [
    'a bucket elsewhere',
    { ...S3, S3_ENDPOINT: 'http://store.example:9000/', S3_REGION: 'eu-1' },
    { S3_URL: 'http://id:a%2Fb%2Bc%3Ad@store.example:9000/b.c?region=eu-1' },
    (c) => c.s3,
  ],
  [
    'prices',
    { ...STRIPE, ...PRICES },
    { ...STRIPE, STRIPE_PRICES: 'bobcat=price_1,lion=price_2' },
    (c) => [c.payments.priceIds, c.payments.keys],
  ],
  [
    'CoinGecko',
    { COINGECKO_KEY: 'k', COINGECKO_PLAN: 'paid' },
    { COINGECKO_KEY: 'paid:k' },
    (c) => c.market.keys.coingecko,
  ],
  [
    'a prefix at a broker',
    { DATABASE_URL, NATS_URL: 'nats://one:4222,nats://two', NATS_PREFIX: 'other' },
    { DATABASE_URL, NATS_URL: 'nats://one:4222/other,nats://two' },
    (c) => c.processes.nats,
  ],
  ['a port for figures', { METRICS_PORT: '9464' }, { METRICS_LISTEN: '9464' }, (c) => c.telemetry.ownPort],
  [
    'a host for figures',
    { METRICS_PORT: '9464', METRICS_HOST: '::1' },
    { METRICS_LISTEN: '[::1]:9464' },
    (c) => c.telemetry.ownPort,
  ],
  [
    'counters',
    { YOUTUBE_API_KEY: 'k', YOUTUBE_CHANNEL_ID: 'UC', DISCORD_INVITE: 'code', PATREON_TOKEN: 't' },
    { COMMUNITY_COUNTERS: 'youtube=UC:k,discord=code,patreon=t' },
    (c) => c.community.keys,
  ],
  ['one counter', { PATREON_TOKEN: 't' }, { COMMUNITY_COUNTERS: 'patreon=t' }, (c) => c.community.keys],
  [
    'switches',
    { TEST_CLOCK: '1', MARKET_FAULTS: '1', MARKET_SPEED: '60', MARKET_SEED: 's', COMMUNITY: 'sandbox' },
    { DEVELOPMENT: 'clock,faults,speed=60,seed=s,community=sandbox' },
    (c) => [c.development, c.community.choice],
  ],
  ['switches that are off', { TEST_CLOCK: '0', COMMUNITY: 'auto' }, {}, (c) => c.development],
])('reads the old names of %s like the new one, and warns', (_what, old, present, read) => {
  const config = readConfig(old);

  expect(read(config)).toEqual(read(readConfig(present)));
  expect(config.oldSettings).toEqual([expect.stringMatching(/old names?: set [A-Z0-9_]+ instead\.$/)]);
  expect(readConfig(present).oldSettings).toEqual([]);
});

test('reads addresses by their old names, over the file, and names the new place', () => {
  const file = join(folder, 'addresses.json');
  writeFileSync(file, JSON.stringify({ okx: { restUrl: 'http://127.0.0.1:1', wsUrl: 'ws://127.0.0.1:1' } }));

  const { market, oldSettings } = readConfig({
    ADDRESSES_FILE: file,
    OKX_REST_URL: 'http://127.0.0.1:2',
    BINANCE_WS_URL: 'ws://127.0.0.1:3',
    CALENDAR_URL: 'http://127.0.0.1:4/week.json',
  });

  expect(market.addresses).toMatchObject({
    okx: { restUrl: 'http://127.0.0.1:2', wsUrl: 'ws://127.0.0.1:1' },
    binance: { restUrl: 'https://fapi.binance.com', wsUrl: 'ws://127.0.0.1:3' },
    calendarUrl: 'http://127.0.0.1:4/week.json',
  });
  expect(oldSettings).toEqual([
    'BINANCE_WS_URL is an old name: set binance.wsUrl in the file that ADDRESSES_FILE names.',
    'OKX_REST_URL is an old name: set okx.restUrl in the file that ADDRESSES_FILE names.',
    'CALENDAR_URL is an old name: set calendarUrl in the file that ADDRESSES_FILE names.',
  ]);
});

test('reads an old name from a file that <SETTING>_FILE names', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, 'secret\n');

  expect(readConfig({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET_FILE: file }).accounts.google?.clientSecret).toBe(
    'secret',
  );
});

test('keeps the folder of unseen models that an old setting names', () => {
  const { shadowModelsDir, oldSettings } = readConfig({ SHADOW_MODELS_DIR: 'shadows' });

  expect(shadowModelsDir).toBe(resolve('shadows'));
  expect(oldSettings).toEqual(['SHADOW_MODELS_DIR is an old name: move the folder to shadow-models in DATA_DIR.']);
});

test('says of a removed setting that it is no longer read, and never shows a value', () => {
  const removed = ['FORECAST_TIMEOUT_MS', 'PUSH_CONTACT', 'OTEL_SERVICE_NAME', 'COINBASE_API_SECRET', 'YAHOO'];
  const { oldSettings, market } = readConfig({
    ...Object.fromEntries(removed.map((name) => [name, 'tell-nobody'])),
    VENUE_ORDER: 'okx,yahoo',
  });

  expect(market.venueOrder).toEqual(['okx']);
  for (const name of removed) expect(oldSettings.join('\n')).toContain(`${name} is no longer read: `);
  expect(oldSettings.join('\n')).toContain('VENUE_ORDER names yahoo, which is no longer read');
  expect(oldSettings.join('\n')).not.toContain('tell-nobody');
});

test.each<[string, Env, RegExp]>([
  ['half of a pair', { GOOGLE_CLIENT_ID: 'id' }, /GOOGLE_CLIENT_SECRET is missing/],
  ['a bucket without its keys', { S3_BUCKET: 'b' }, /S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY is missing/],
  ['old and new together', { METRICS_PORT: '1', METRICS_LISTEN: '2' }, /METRICS_LISTEN are both set/],
  ['an invalid address', { KRAKEN_REST_URL: 'kraken' }, /kraken\.restUrl is not/],
])('refuses %s', (_what, env, message) => {
  expect(() => readConfig(env)).toThrow(SettingsRefused);
  expect(() => readConfig(env)).toThrow(message);
});
