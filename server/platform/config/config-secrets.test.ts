import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig, refuseUnsafeProduction, SettingsRefused } from './config.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kat.example',
  SMTP_URL: 'smtps://mail.example',
  PAYMENTS: 'off',
};
const start = (env: Record<string, string>) =>
  refuseUnsafeProduction(readConfig({ ...PRODUCTION, ...env }), { isDemo: false });
const secret = () => randomBytes(20).toString('base64url');
const demoKey = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"role":"anon","iss":"supabase-demo"}').toString('base64url')}.x`;

test.each<[string, Record<string, string>, RegExp]>([
  ['a made-up client secret', { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'bluetriangle' }, /GOOGLE_CLIENT_SECRET/],
  ['a repeated one', { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'a'.repeat(40) }, /GITHUB_CLIENT_SECRET/],
  ['a captcha that takes everybody', { CAPTCHA_SECRET: '1x0000000000000000000000000000000AA' }, /CAPTCHA_SECRET/],
  [
    'the keys of a template',
    { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'minioadmin', S3_SECRET_ACCESS_KEY: 'minioadmin' },
    /S3_SECRET_ACCESS_KEY/,
  ],
  ['our own example', { DATABASE_URL: 'postgres://user:password@host:5432/kat' }, /DATABASE_URL/],
  ['a short password', { DATABASE_URL: 'postgres://kat:k4t@host:5432/kat' }, /DATABASE_URL/],
  ['a password for mail that is an example', { SMTP_URL: 'smtps://user:changeme@mail.example' }, /SMTP_URL/],
  [
    'the key of a demonstration',
    {
      SUPABASE_URL: 'https://project.example',
      SUPABASE_ANON_KEY: demoKey,
      DATABASE_URL: 'postgres://kat@db.project.example/postgres',
    },
    /SUPABASE_ANON_KEY/,
  ],
])('refuses %s in production, without repeating it', (_what, env, sentence) => {
  const given = Object.values(env).find((value) => value.length > 8) ?? 'none';

  expect(() => start(env)).toThrow(SettingsRefused);
  expect(() => start(env)).toThrow(sentence);
  expect(() => start(env)).not.toThrow(given);
});

test('accepts random secrets and addresses without a password in production', () => {
  const drawn = {
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: secret(),
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: secret(),
    CAPTCHA_SECRET: secret(),
    DATABASE_URL: `postgres://kat:${secret()}@host:5432/kat`,
  };

  expect(() => start(drawn)).not.toThrow();
  expect(() => start({ DATABASE_URL: 'postgres://kat@host:5432/kat' })).not.toThrow();
});

test('accepts any secret in development', () => {
  expect(() =>
    refuseUnsafeProduction(readConfig({ DATABASE_URL: 'postgres://postgres:postgres@127.0.0.1:5432/kat' }), {
      isDemo: false,
    }),
  ).not.toThrow();
});
