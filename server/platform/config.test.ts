import { expect, test } from 'vitest';
import { readConfig, refuseUnsafeProduction, SettingsRefused } from './config.ts';

const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://kat.example' };
const start = (env: Record<string, string>, isDemo = false) => refuseUnsafeProduction(readConfig(env), { isDemo });

test('production starts with a public address and the real market', () => {
  expect(() => start(PRODUCTION)).not.toThrow();
  expect(() => start({ ...PRODUCTION, PUBLIC_URL: 'http://localhost:3000/' })).not.toThrow();
  expect(() => start({ ...PRODUCTION, MARKET: 'sandbox', ALLOW_SANDBOX_IN_PRODUCTION: '1' })).not.toThrow();
});

test.each([
  ['no PUBLIC_URL', { PUBLIC_URL: '' }, /PUBLIC_URL/],
  ['a PUBLIC_URL that anybody can read along', { PUBLIC_URL: 'http://kat.example' }, /https/],
  ['a name that only looks like localhost', { PUBLIC_URL: 'http://localhost.kat.example' }, /https/],
  ['the sandbox market', { MARKET: 'sandbox' }, /MARKET=sandbox/],
  ['the test clock', { TEST_CLOCK: '1' }, /TEST_CLOCK/],
])('production refuses %s in one sentence', (_what, env, sentence) => {
  const start_ = () => start({ ...PRODUCTION, ...env });

  expect(start_).toThrow(SettingsRefused);
  expect(start_).toThrow(sentence);
});

test('production refuses the demo accounts', () => {
  expect(() => start(PRODUCTION, true)).toThrow('Demo accounts are refused in production.');
});

test('development needs none of it', () => {
  expect(() => start({ MARKET: 'sandbox', TEST_CLOCK: '1' }, true)).not.toThrow();
});

test.each(['https://kat.example/app', 'https://user@kat.example', 'https://kat.example?x=1', 'ftp://kat.example'])(
  'PUBLIC_URL is an origin, not %s',
  (url) => {
    expect(() => readConfig({ PUBLIC_URL: url })).toThrow(SettingsRefused);
  },
);

test('wrong settings are told all at once, by name', () => {
  expect(() => readConfig({ PORT: 'x', MARKET: 'moon' })).toThrow(/PORT: .*\n.*MARKET: /);
});
