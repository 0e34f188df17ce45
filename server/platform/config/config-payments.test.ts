import { expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';
import { refuseUnsafeProduction } from './unsafe-settings.ts';

const SECRET = 'Qz8vN2kLr5Ty7Wb3Xc9D';
const TEST_KEYS = {
  STRIPE_SECRET_KEY: `sk_test_${SECRET}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${SECRET}`,
  STRIPE_PRICES: 'bobcat=price_1,lion=price_2',
};
const LIVE_KEYS = { ...TEST_KEYS, STRIPE_SECRET_KEY: `sk_live_${SECRET}`, PUBLIC_URL: 'https://kat.example' };
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://kat.example', SMTP_URL: 'smtps://mail.example' };
const start = (env: Record<string, string>) => refuseUnsafeProduction(readConfig(env), { isDemo: false });

test.each([
  ['sk_test_', 'test'],
  ['rk_test_', 'test'],
  ['sk_live_', 'live'],
  ['rk_live_', 'live'],
])('reads the mode of a key that begins with %s as %s', (prefix, mode) => {
  const { payments } = readConfig({ ...LIVE_KEYS, STRIPE_SECRET_KEY: `${prefix}${SECRET}` });

  expect(payments.keys).toMatchObject({ mode, api: null });
});

test('accepts two webhook secrets during a change', () => {
  const { payments } = readConfig({ ...TEST_KEYS, STRIPE_WEBHOOK_SECRET: 'whsec_old, whsec_new' });

  expect(payments.keys?.webhookSecrets).toEqual(['whsec_old', 'whsec_new']);
});

test.each<[string, Record<string, string>, RegExp]>([
  ['a key without the webhook’s secret', { ...TEST_KEYS, STRIPE_WEBHOOK_SECRET: '' }, /WEBHOOK_SECRET is missing/],
  ['a webhook’s secret without a key', { ...TEST_KEYS, STRIPE_SECRET_KEY: '' }, /STRIPE_SECRET_KEY is missing/],
  ['a publishable key', { ...TEST_KEYS, STRIPE_SECRET_KEY: `pk_test_${SECRET}` }, /must begin with/],
  ['three webhook secrets', { ...TEST_KEYS, STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b,whsec_c' }, /one or two/],
  ['a webhook’s secret of another kind', { ...TEST_KEYS, STRIPE_WEBHOOK_SECRET: SECRET }, /whsec_/],
  ['real money without https', { ...LIVE_KEYS, PUBLIC_URL: 'http://kat.example' }, /https/],
  ['real money without an address', { ...LIVE_KEYS, PUBLIC_URL: '' }, /https/],
  ['keys without prices', { ...TEST_KEYS, STRIPE_PRICES: 'bobcat=price_1' }, /STRIPE_PRICES/],
  ['two plans at one price', { ...TEST_KEYS, STRIPE_PRICES: 'bobcat=price_1,lion=price_1' }, /STRIPE_PRICES/],
  ['prices of an unknown plan', { ...TEST_KEYS, STRIPE_PRICES: 'panther=price_1' }, /STRIPE_PRICES only takes/],
])('refuses %s without repeating a secret', (_what, env, message) => {
  expect(() => readConfig(env)).toThrow(SettingsRefused);
  expect(() => readConfig(env)).toThrow(message);
  expect(() => readConfig(env)).not.toThrow(new RegExp(SECRET));
});

test('accepts a provider address on this machine, and no key that would travel in clear', () => {
  const api = (stripeUrl: string) => readConfig(TEST_KEYS, { stripeUrl }).payments.keys?.api;

  expect(api('http://127.0.0.1:4010')).toEqual({ protocol: 'http', host: '127.0.0.1', port: 4010 });
  expect(() => api('http://api.example')).toThrow(/stripeUrl/);
  expect(() => api('https://api.example/v1')).toThrow(/without a path/);
});

test('requires keys, PAYMENTS=off or an allowed sandbox in production', () => {
  expect(() => start(PRODUCTION)).toThrow(/needs STRIPE_SECRET_KEY/);
  expect(() => start({ ...PRODUCTION, ...LIVE_KEYS })).not.toThrow();
  expect(() => start({ ...PRODUCTION, PAYMENTS: 'off' })).not.toThrow();
  expect(() => start({ ...PRODUCTION, PAYMENTS: 'sandbox' })).toThrow(/PAYMENTS=sandbox/);
  expect(() => start({ ...PRODUCTION, PAYMENTS: 'sandbox', ALLOW_SANDBOX_IN_PRODUCTION: '1' })).not.toThrow();
});

test('refuses sandbox payments on a reachable server, where they would give plans away', () => {
  const reachable = { PUBLIC_URL: 'http://staging.example', PAYMENTS: 'sandbox' };

  expect(() => start(reachable)).toThrow(/would give plans away/);
  expect(() => start({ PAYMENTS: 'sandbox' })).not.toThrow();
});

test('refuses keys from the provider’s guides in production', () => {
  const printed = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

  expect(() => start({ ...PRODUCTION, ...LIVE_KEYS, STRIPE_SECRET_KEY: printed })).toThrow(/STRIPE_SECRET_KEY/);
  expect(() => start({ ...PRODUCTION, ...LIVE_KEYS, STRIPE_WEBHOOK_SECRET: 'whsec_test' })).toThrow(/WEBHOOK_SECRET/);
});
