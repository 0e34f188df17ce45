import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';

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
  ['without its database', { DATABASE_URL: '' }, /SUPABASE_URL also needs DATABASE_URL/],
  ['without its key', { SUPABASE_ANON_KEY: '' }, /SUPABASE_ANON_KEY is missing/],
  ['by an address with a password', { SUPABASE_URL: 'https://a:b@project.example' }, /SUPABASE_URL must be/],
  ['by an address with a query', { SUPABASE_URL: 'https://project.example/?a=b' }, /SUPABASE_URL must be/],
  ['that is the site itself', { PUBLIC_URL: 'https://project.example' }, /must differ/],
])('refuses a hosted project %s', (_what, env, message) => {
  const read = () => readConfig({ ...HOSTED, ...env });

  expect(read).toThrow(SettingsRefused);
  expect(read).toThrow(message);
});

test.each([
  [{}, 'owner'],
  [{ ACCOUNT_DELETION: 'operator' }, 'operator'],
  [{ ...HOSTED, ACCOUNT_DELETION: 'owner' }, 'operator'],
] as const)('reads from %j that accounts are deleted by the %s', (env, by) => {
  expect(readConfig(env).accounts.deletionBy).toBe(by);
});

test.each([
  [{}, null],
  [{ DURABLE: '' }, null],
  [{ DURABLE: 'on' }, true],
  [{ DURABLE: 'off' }, false],
])('reads from %j whether the embedded database is durable: %s', (env, isDurable) => {
  expect(readConfig(env).isDurable).toBe(isDurable);
});

test('refuses any other value of DURABLE', () => {
  expect(() => readConfig({ DURABLE: 'yes' })).toThrow(/DURABLE: /);
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
  expect(() => readConfig({ S3_URL })).toThrow(/^S3_URL must look like (?!.*hunter2)/);
});

test('reads models that run unseen from shadow-models of the data folder', () => {
  expect(readConfig({ DATA_DIR: '/srv/kat' }).shadowModelsDir).toBe(resolve('/srv/kat/shadow-models'));
});
