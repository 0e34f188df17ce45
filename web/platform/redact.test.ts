import { expect, test } from 'vitest';
import { redact } from './redact.ts';

test.each([
  ['a token', 'Bearer abc.def-123 refused', 'Bearer [token] refused'],
  ['a bare JWT', 'got eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl back', 'got [token] back'],
  ['an e-mail address', 'no user ada.l+x@mail.example.com here', 'no user [email] here'],
  ['an encoded e-mail address', 'ada%40example.com', '[email]'],
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
  ['a long hexadecimal key', 'key 0123456789abcdef0123456789abcdef', 'key [token]'],
])('%s is taken out', (_what, text, expected) => {
  expect(redact(text, 500)).toBe(expected);
});

test('plain words and source places stay as they are', () => {
  const text = 'TypeError: x is not a function at draw (https://kat.example/assets/index-a1.js:12:5)';

  expect(redact(text, 500)).toBe(text);
});

test('long texts are cut', () => {
  expect(redact('x '.repeat(400), 10)).toHaveLength(10);
});
