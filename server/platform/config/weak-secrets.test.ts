import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';
import { refuseUnsafeProduction } from './unsafe-settings.ts';
import { weaknessOf } from './weak-secrets.ts';

test.each<[string, string]>([
  ['nothing', ''],
  ['a short one', 'Xk29fLqp'],
  ['one character', 'x'.repeat(43)],
  ['a pattern', 'abcd'.repeat(12)],
  ['zeros', '0'.repeat(64)],
  ['an alphabet', 'abcdefghijklmnopqrstuvwxyz0123456789abcdefghi'],
  ['a placeholder', '<put a long random secret in this place, please>'],
  ['a template', 'your-client-secret-from-the-console'],
  ['a change-me', 'changeme-changeme-changeme-changeme-changeme'],
  ['what a documentation prints', 'super-secret-jwt-token-with-at-least-32-characters-long'],
  ['a key of a documentation', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['a captcha secret that passes everybody', '1x0000000000000000000000000000000AA'],
])('treats %s as weak', (_what, secret) => {
  expect(weaknessOf(secret, 16)).not.toBeNull();
});

test.each(['My-lZogwABveMD1oWN1t9uyH3R1hOg', 'the_K2xv9QpLwZr7TmYc4NbHfDsA', 'toDoX91kPq7LmZvRt3YwNcBs'])(
  'accepts a random secret that begins like a word: %s',
  (secret) => {
    expect(weaknessOf(secret, 16)).toBeNull();
  },
);

test('accepts random secrets', () => {
  const secrets = Array.from({ length: 2000 }, (_, at) =>
    randomBytes(16 + (at % 32)).toString(at % 2 ? 'hex' : 'base64url'),
  );

  const weak = secrets.filter((secret) => weaknessOf(secret, 16) !== null);

  expect(weak).toEqual([]);
});

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
  ['an invented client secret', { GOOGLE_CLIENT: 'id:bluetriangle' }, /GOOGLE_CLIENT/],
  ['a repeated one', { GITHUB_CLIENT: `id:${'a'.repeat(40)}` }, /GITHUB_CLIENT/],
  ['a captcha that takes everybody', { CAPTCHA_SECRET: '1x0000000000000000000000000000000AA' }, /CAPTCHA_SECRET/],
  ['the keys of a template', { S3_URL: 's3://minioadmin:minioadmin@b' }, /S3_URL/],
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
])('refuses %s in production, without repeating it', (_what, env, message) => {
  const secret = Object.values(env).find((value) => value.length > 8) ?? 'none';

  expect(() => start(env)).toThrow(SettingsRefused);
  expect(() => start(env)).toThrow(message);
  expect(() => start(env)).not.toThrow(secret);
});

test('accepts random secrets and addresses without a password in production', () => {
  const drawn = {
    GOOGLE_CLIENT: `id:${secret()}`,
    GITHUB_CLIENT: `id:${secret()}`,
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
