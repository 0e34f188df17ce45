import { expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';
import { isLocalOnly, refuseUnsafeDemo, refuseUnsafeProduction } from './unsafe-settings.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kat.example',
  SMTP_URL: 'smtps://mail.example',
  PAYMENTS: 'off',
};
const start = (env: Record<string, string>, isDemo = false) => refuseUnsafeProduction(readConfig(env), { isDemo });
const HOSTED = {
  SUPABASE_URL: 'https://project.example/',
  SUPABASE_ANON_KEY: 'anon',
  DATABASE_URL: 'postgres://kat@db.project.example/postgres',
};

test('starts in production with a public address, the real market and a mail server', () => {
  expect(() => start(PRODUCTION)).not.toThrow();
  expect(() => start({ ...PRODUCTION, PUBLIC_URL: 'http://localhost:3000/' })).not.toThrow();
  expect(() =>
    start({ ...PRODUCTION, MARKET: 'sandbox', SMTP_URL: '', ALLOW_SANDBOX_IN_PRODUCTION: '1' }),
  ).not.toThrow();
});

test.each([
  ['no PUBLIC_URL', { PUBLIC_URL: '' }, /PUBLIC_URL/],
  ['a PUBLIC_URL that anybody can read along', { PUBLIC_URL: 'http://kat.example' }, /https/],
  ['a name that only looks like localhost', { PUBLIC_URL: 'http://localhost.kat.example' }, /https/],
  ['the sandbox market', { MARKET: 'sandbox' }, /MARKET=sandbox/],
  ['the development mailbox', { SMTP_URL: '' }, /SMTP_URL/],
  ['the test clock', { DEVELOPMENT: 'clock' }, /DEVELOPMENT=clock/],
  ['fault injection', { DEVELOPMENT: 'faults' }, /DEVELOPMENT=faults/],
  ['a record dated by a simulated market', { DEVELOPMENT: 'market-days' }, /DEVELOPMENT=market-days/],
  ['a server that never refuses', { DEVELOPMENT: 'patient' }, /DEVELOPMENT=patient/],
])('refuses %s in production with a clear message', (_what, env, message) => {
  const start_ = () => start({ ...PRODUCTION, ...env });

  expect(start_).toThrow(SettingsRefused);
  expect(start_).toThrow(message);
});

test.each([
  [{}, true],
  [{ HOST: 'localhost', PUBLIC_URL: 'http://localhost:3000' }, true],
  [{ HOST: '::1' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '192.168.1.7' }, false],
  [{ HOST: '::' }, false],
  [{ HOST: '127.0.0.1.evil.example' }, false],
  [{ PUBLIC_URL: 'https://kat.example' }, false],
  [{ PUBLIC_URL: 'http://localhost.kat.example' }, false],
  [{ TRUSTED_PROXIES: '1' }, false],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000' }, false],
])('decides for %j whether only this machine can connect: %s', (env, isLocal) => {
  expect(isLocalOnly(readConfig(env))).toBe(isLocal);
});

test.each([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://kat.example' }, { TRUSTED_PROXIES: '1' }])(
  'refuses test clock and fault injection on a reachable development server: %j',
  (env) => {
    expect(() => start({ ...env, DEVELOPMENT: 'clock' })).toThrow(/DEVELOPMENT=clock/);
    expect(() => start({ ...env, DEVELOPMENT: 'faults' })).toThrow(/DEVELOPMENT=faults/);
    expect(() => start(env)).not.toThrow();
  },
);

test('refuses the demo accounts in production', () => {
  expect(() => start(PRODUCTION, true)).toThrow('Demo accounts are refused in production.');
});

test('allows sandbox, test clock, faults and demo accounts in development', () => {
  expect(() => start({ MARKET: 'sandbox', DEVELOPMENT: 'clock,faults' }, true)).not.toThrow();
});

test('requires https for a hosted project in production, and refuses demo accounts on it', () => {
  expect(() => start({ ...PRODUCTION, ...HOSTED })).not.toThrow();
  expect(() => start({ ...PRODUCTION, ...HOSTED, SUPABASE_URL: 'http://project.example' })).toThrow(/SUPABASE_URL/);
  expect(() => refuseUnsafeDemo(readConfig(HOSTED))).toThrow(/Demo accounts/);
});

test('refuses demo accounts with live payments', () => {
  const settings = (key: string) =>
    readConfig({
      PUBLIC_URL: 'https://kat.example',
      STRIPE_SECRET_KEY: key,
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_PRICES: 'bobcat=price_b,lion=price_l',
    });

  expect(() => refuseUnsafeDemo(settings('sk_live_1'))).toThrow(
    /Demo accounts are refused on a site that takes real money/,
  );
  expect(() => refuseUnsafeDemo(settings('sk_test_1'))).not.toThrow();
});
