import { expect, test } from 'vitest';
import { utf8Bytes } from '../format/utf8-bytes.ts';
import { redact } from './redact.ts';

const SAMPLES: [string, string, string][] = [
  ['a token', 'Bearer abc.def-123 refused', 'Bearer [token] refused'],
  ['a bare JWT', 'got eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl back', 'got [token] back'],
  ['a JWT that was cut', 'got eyJhbGciOi', 'got [token]'],
  ['a key of the read API', 'kat_0123456789abcdefghijABCDEFGHIJ', '[key]'],
  ['an email address', 'no user ada.l+x@mail.example.com here', 'no user [email] here'],
  ['an encoded email address', 'ada%40example.com', '[email]'],
  [
    'a query string',
    'GET https://kat.example/history?sym=BTC&token=1 failed',
    'GET https://kat.example/history?[redacted] failed',
  ],
  ['a fragment', 'at /auth/callback#access_token=abc', 'at /auth/callback?[redacted]'],
  [
    'a named secret',
    '{"refresh_token":"r-1","password": "Password1"}',
    '{"refresh_token":"[redacted]","password": "[redacted]"}',
  ],
  [
    'a secret of several words',
    `password="two words" password='one "two"'`,
    `password="[redacted]" password='[redacted]'`,
  ],
  ['a secret with a quotation mark in it', '{"password":"a\\"b c","n":1}', '{"password":"[redacted]","n":1}'],
  [
    'a secret in JSON within JSON',
    '{"body":"{\\"password\\":\\"hunter2\\"}"}',
    '{"body":"{\\"password\\":\\"[redacted]\\"}"}',
  ],
  ['a secret with a longer name', 'my_secret_key=abc&x=1', 'my_secret_key=[redacted]&x=1'],
  ['a long hexadecimal key', 'key 0123456789abcdef0123456789abcdef', 'key [token]'],
  [
    'all of them in one sentence',
    'sign-in of ada.b+c@mail.example.com failed: Authorization: Bearer abc.DEF-123 password=hunter2&x=1',
    'sign-in of [email] failed: Authorization: Bearer [token] password=[redacted]&x=1',
  ],
];

test.each(SAMPLES)('removes %s', (_what, text, expected) => {
  expect(redact(text, 500)).toBe(expected);
});

test.each(SAMPLES)('changes nothing the second time: %s', (_what, text) => {
  const once = redact(text, 500);

  expect(redact(once, 500)).toBe(once);
});

test('leaves plain words and places in the source as they are', () => {
  const text = 'TypeError: x is not a function at draw (https://kat.example/assets/index-a1.js:12:5), error code 23505';

  expect(redact(text, 500)).toBe(text);
});

test('cuts long texts to so many bytes, between two characters', () => {
  expect(redact('x '.repeat(400), 10)).toBe('x x x x…');
  for (const maxBytes of [10, 11, 12, 13])
    expect(utf8Bytes(redact('\u{1f600}'.repeat(4000), maxBytes))).toBeLessThanOrEqual(maxBytes);
  expect(redact('\u{1f600}'.repeat(4000), 12).isWellFormed()).toBe(true);
});

test('leaves no half secret where a text is cut', () => {
  for (let before = 1000; before < 1200; before += 1) {
    const text = `${'password="0123456789 0123456789" '.repeat(40)}${' '.repeat(before)}ada@example.com ${'x '.repeat(5000)}`;
    expect(redact(text, 1500)).not.toMatch(/ada|0123/);
  }
});
