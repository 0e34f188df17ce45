import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLocalOnly, readConfig, refuseUnsafeDemo, refuseUnsafeProduction, SettingsRefused } from './config.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kat.example',
  SMTP_URL: 'smtps://mail.example',
  PAYMENTS: 'off',
};
const start = (env: Record<string, string>, isDemo = false) => refuseUnsafeProduction(readConfig(env), { isDemo });

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
])('refuses %s in production with a clear message', (_what, env, sentence) => {
  const start_ = () => start({ ...PRODUCTION, ...env });

  expect(start_).toThrow(SettingsRefused);
  expect(start_).toThrow(sentence);
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

test.each(['https://kat.example/app', 'https://user@kat.example', 'https://kat.example?x=1', 'ftp://kat.example'])(
  'refuses a PUBLIC_URL that is not an origin: %s',
  (url) => {
    expect(() => readConfig({ PUBLIC_URL: url })).toThrow(SettingsRefused);
  },
);

const HOSTED = {
  SUPABASE_URL: 'https://project.example/',
  SUPABASE_ANON_KEY: 'anon',
  DATABASE_URL: 'postgres://kat@db.project.example/postgres',
};

test('reads a hosted project from its address, key and database', () => {
  expect(readConfig(HOSTED).hosted).toEqual({ url: 'https://project.example', anonKey: 'anon' });
});

test.each([
  ['without its database', { DATABASE_URL: '' }, /SUPABASE_URL needs DATABASE_URL/],
  ['without its key', { SUPABASE_ANON_KEY: '' }, /SUPABASE_ANON_KEY is missing/],
  ['by an address with a password', { SUPABASE_URL: 'https://a:b@project.example' }, /SUPABASE_URL must be/],
  ['by an address with a query', { SUPABASE_URL: 'https://project.example/?a=b' }, /SUPABASE_URL must be/],
  ['that is the site itself', { PUBLIC_URL: 'https://project.example' }, /cannot be the same/],
])('refuses a hosted project %s', (_what, env, sentence) => {
  const read = () => readConfig({ ...HOSTED, ...env });

  expect(read).toThrow(SettingsRefused);
  expect(read).toThrow(sentence);
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

  expect(() => refuseUnsafeDemo(settings('sk_live_1'))).toThrow(/Demo accounts are refused where real money/);
  expect(() => refuseUnsafeDemo(settings('sk_test_1'))).not.toThrow();
});

test('reports all invalid settings together by name', () => {
  expect(() => readConfig({ PORT: 'x', MARKET: 'moon' })).toThrow(/PORT: .*\n.*MARKET: /);
});

test.each([
  { SMTP_URL: 'http://mail.example' },
  { SMTP_URL: 'smtp://' },
  { MAIL_FROM: 'Kat' },
  { MAIL_FROM: 'Kat <no-reply@kat.example>\r\nBcc: eve@kat.example' },
  { MAIL_FROM: 'a@kat.example, b@kat.example' },
])('refuses an invalid mail setting: %j', (env) => {
  expect(() => readConfig(env)).toThrow(SettingsRefused);
});

test.each(['Kat <no-reply@kat.example>', 'no-reply@kat.example', '"Kat, mails" <no-reply@kat.example>'])(
  'accepts %s as the sender',
  (from) => {
    expect(readConfig({ MAIL_FROM: from }).mail.from).toBe(from);
  },
);

test.each([
  ['s3://id:a%2Fb@kat.pictures?region=eu-1', { endpoint: null, region: 'eu-1', bucket: 'kat.pictures' }],
  ['s3://id:a%2Fb@kat', { endpoint: null, region: 'us-east-1', bucket: 'kat' }],
  ['http://id:a%2Fb@127.0.0.1:9000/kat/', { endpoint: 'http://127.0.0.1:9000', region: 'us-east-1', bucket: 'kat' }],
  ['https://id:a%2Fb@a.example/v2/kat', { endpoint: 'https://a.example/v2', region: 'us-east-1', bucket: 'kat' }],
])('reads the bucket of %s', (S3_URL, bucket) => {
  expect(readConfig({ S3_URL }).s3).toEqual({ ...bucket, accessKeyId: 'id', secretAccessKey: 'a/b' });
});

test.each([
  ...['s3://kat', 's3://id@kat', 's3://:hunter2@kat', 's3://id:hunter2@', 's3://id:hunter2/with/slash@kat'],
  ...['https://id:hunter2@a.example', 'https://id:hunter2@a.example/', 'ftp://id:hunter2@a.example/kat', 'kat'],
  's3://id:hunter2%zz@kat',
])('refuses the bucket of %s without repeating it', (S3_URL) => {
  expect(() => readConfig({ S3_URL })).toThrow(/^S3_URL must be like (?!.*hunter2)/);
});

test('runs models unseen that lie in shadow-models of the data folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-shadows-'));
  const folder = () => readConfig({ DATA_DIR: dataDir }).shadowModelsDir;

  expect(folder()).toBeNull();
  mkdirSync(join(dataDir, 'shadow-models'));
  expect(folder()).toBe(join(dataDir, 'shadow-models'));
  rmSync(dataDir, { recursive: true });
});
