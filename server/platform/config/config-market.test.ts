import { expect, test } from 'vitest';
import { readConfig, refuseUnsafeProduction, SettingsRefused } from './config.ts';
import { CANDLE_VENUE_IDS } from './config-market.ts';

const market = (env: Record<string, string> = {}) => readConfig(env).market;

test('has the real address for every feed and no keys by default', () => {
  const { choice, venueOrder, addresses, keys, hasFaultControl } = market();

  expect([choice, venueOrder, hasFaultControl]).toEqual(['auto', CANDLE_VENUE_IDS, false]);
  expect(Object.values(keys)).toEqual([null, null, null, null]);
  const all = Object.values(addresses).flatMap((a) => (typeof a === 'string' ? [a] : Object.values(a)));
  expect(all).toHaveLength(16);
  for (const address of all) expect(address).toMatch(/^(https|wss):\/\/[a-z0-9.-]+(:\d+)?(\/[a-z_]+\.json)?$/);
});

test('keeps the order of venues as set, despite spaces and repetitions', () => {
  expect(market({ VENUE_ORDER: ' okx , binance,okx' }).venueOrder).toEqual(['okx', 'binance']);
});

test('strips all trailing slashes from addresses', () => {
  const { addresses } = market({ BYBIT_REST_URL: 'http://127.0.0.1:9/bybit//', BYBIT_WS_URL: 'ws://127.0.0.1:9/' });

  expect(addresses.bybit).toEqual({ restUrl: 'http://127.0.0.1:9/bybit', wsUrl: 'ws://127.0.0.1:9' });
});

test('passes keys on unchanged, and CoinGecko’s with its plan', () => {
  const { keys } = market({
    ...{ ALPACA_KEY_ID: 'id', ALPACA_SECRET_KEY: 'secret', DATABENTO_KEY: 'db', COINMARKETCAP_KEY: 'cmc' },
    ...{ COINGECKO_KEY: 'cg', COINGECKO_PLAN: 'paid' },
  });

  expect(keys).toEqual({
    alpaca: { keyId: 'id', secretKey: 'secret' },
    databento: 'db',
    coingecko: { key: 'cg', plan: 'paid' },
    coinmarketcap: 'cmc',
  });
});

test.each([
  ['a venue that nobody knows', { VENUE_ORDER: 'binance,kraken' }, /VENUE_ORDER names 'kraken'\. Known are binance/],
  ['a socket address that is none', { COINBASE_WS_URL: 'ftp://example.org' }, /COINBASE_WS_URL/],
  ['a web address that is a socket’s', { KRAKEN_REST_URL: 'wss://example.org' }, /KRAKEN_REST_URL/],
  ['an empty place in the order', { VENUE_ORDER: 'binance,,okx' }, /VENUE_ORDER names ''/],
  ['half of Alpaca’s keys', { ALPACA_KEY_ID: 'id' }, /ALPACA_KEY_ID and ALPACA_SECRET_KEY/],
  ['the other half of them', { ALPACA_SECRET_KEY: 'x' }, /ALPACA_KEY_ID and ALPACA_SECRET_KEY/],
  ['another market', { MARKET: 'paper' }, /MARKET:/],
  ['another CoinGecko plan', { COINGECKO_PLAN: 'free' }, /COINGECKO_PLAN/],
  ['an address that is none', { OKX_REST_URL: 'okx.com' }, /OKX_REST_URL/],
  ['a market that stands still', { MARKET_SPEED: '0' }, /MARKET_SPEED/],
  ['a market that races', { MARKET_SPEED: '3601' }, /MARKET_SPEED/],
  ['a start that is no time', { MARKET_START: 'yesterday' }, /MARKET_START/],
])('refuses %s and names the setting', (_what, env, sentence) => {
  expect(() => market(env)).toThrow(SettingsRefused);
  expect(() => market(env)).toThrow(sentence);
});

test('repeats no secret in a refusal', () => {
  const read = () => market({ ALPACA_SECRET_KEY: 'tell-nobody', VENUE_ORDER: 'binance' });

  expect(read).toThrow(SettingsRefused);
  expect(read).not.toThrow(/tell-nobody/);
});

test('allows fault injection only on a local machine', () => {
  const start = (env: Record<string, string>) => refuseUnsafeProduction(readConfig(env), { isDemo: false });
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://kat.example', SMTP_URL: 'smtps://mail.example' };

  expect(() => start({ MARKET_FAULTS: '1' })).not.toThrow();
  expect(() => start({ MARKET_FAULTS: '1', HOST: '0.0.0.0' })).toThrow(/MARKET_FAULTS/);
  expect(() => start({ MARKET_FAULTS: '1', ...production })).toThrow(/MARKET_FAULTS/);
});
