import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
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
