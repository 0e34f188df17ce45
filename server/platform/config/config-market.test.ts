import { expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';
import { CANDLE_VENUE_IDS } from './config-market.ts';

const market = (env: Record<string, string> = {}) => readConfig(env).market;

test('has the real address for every feed and no keys by default', () => {
  const { choice, venueOrder, addresses, keys } = market();

  expect([choice, venueOrder]).toEqual(['auto', CANDLE_VENUE_IDS]);
  expect(Object.values(keys)).toEqual([null, null, null, null]);
  const all = Object.values(addresses).flatMap((a) => (typeof a === 'string' ? [a] : Object.values(a)));
  expect(all.length).toBeGreaterThan(20);
  for (const address of all) expect(address).toMatch(/^(https|wss):\/\/[a-z0-9.-]+(:\d+)?(\/[a-z0-9_/.]+)?$/);
});

test('keeps the order of venues as set, despite spaces and repetitions', () => {
  expect(market({ VENUE_ORDER: ' okx , binance,okx' }).venueOrder).toEqual(['okx', 'binance']);
});

test('passes keys on unchanged, and CoinGecko’s with its plan', () => {
  const { keys } = market({
    ALPACA_KEY: 'id:secret:with:colons',
    DATABENTO_KEY: 'db',
    COINMARKETCAP_KEY: 'cmc',
    COINGECKO_KEY: 'paid:cg',
  });

  expect(keys).toEqual({
    alpaca: { keyId: 'id', secretKey: 'secret:with:colons' },
    databento: 'db',
    coingecko: { key: 'cg', plan: 'paid' },
    coinmarketcap: 'cmc',
  });
  expect(market({ COINGECKO_KEY: 'CG-1' }).keys.coingecko).toEqual({ key: 'CG-1', plan: 'demo' });
});

test.each([
  ['an unknown venue', { VENUE_ORDER: 'binance,kraken' }, /VENUE_ORDER names 'kraken'\. Known are binance/],
  ['an empty place in the order', { VENUE_ORDER: 'binance,,okx' }, /VENUE_ORDER names ''/],
  ['half of Alpaca’s keys', { ALPACA_KEY: 'id' }, /ALPACA_KEY must be two values/],
  ['the other half of them', { ALPACA_KEY: ':x' }, /ALPACA_KEY must be two values/],
  ['another market', { MARKET: 'paper' }, /MARKET:/],
])('refuses %s and names the setting', (_what, env, message) => {
  expect(() => market(env)).toThrow(SettingsRefused);
  expect(() => market(env)).toThrow(message);
});

test('repeats no secret in a refusal', () => {
  const read = () => market({ ALPACA_KEY: 'tell-nobody', VENUE_ORDER: 'binance' });

  expect(read).toThrow(SettingsRefused);
  expect(read).not.toThrow(/tell-nobody/);
});
