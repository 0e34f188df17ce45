import { describe, expect, test } from 'vitest';
import { ownAddress, withSessionPlaceholder } from '../checkout/checkout-functions.ts';

const deps = { isOwnAddress: (url: string) => new URL(url).origin === 'https://kat.example' };

test('accepts an address of the site in normalized form', () => {
  expect(ownAddress(deps, 'https://kat.example/checkout/cancel?from=plans#top')).toBe(
    'https://kat.example/checkout/cancel?from=plans#top',
  );
  expect(ownAddress(deps, 'HTTPS://KAT.example:443/a/../b')).toBe('https://kat.example/b');
});

describe('a refused return address', () => {
  test.each([
    ['another site', 'https://evil.example/checkout/success'],
    ['another port', 'https://kat.example:8443/'],
    ['another scheme of the same name', 'http://kat.example/'],
    ['no web address', 'javascript:alert(1)'],
    ['data', 'data:text/html,hello'],
    ['a path alone', '/checkout/success'],
    ['two slashes alone', '//evil.example/'],
    ['a name before the host', 'https://kat.example@evil.example/'],
    ['a name before our host', 'https://someone@kat.example/'],
    ['a backslash', 'https://evil.example\\@kat.example/'],
    ['a backslash after the host', 'https://kat.example\\.evil.example/'],
    ['a line break', 'https://kat.example/\nhttps://evil.example'],
    ['a blank before', ' https://kat.example/'],
    ['a name that only begins like ours', 'https://kat.example.evil.example/'],
    ['nothing', ''],
    ['an endless one', `https://kat.example/${'a'.repeat(2000)}`],
  ])('%s', (_name, address) => {
    expect(() => ownAddress(deps, address)).toThrow(expect.objectContaining({ code: 'billing/foreign-address' }));
  });
});

test.each([
  ['https://kat.example/checkout/success', 'https://kat.example/checkout/success?session_id={CHECKOUT_SESSION_ID}'],
  ['https://kat.example/ok?a=1#b', 'https://kat.example/ok?a=1&session_id={CHECKOUT_SESSION_ID}#b'],
  [
    'https://kat.example/ok?session_id={CHECKOUT_SESSION_ID}',
    'https://kat.example/ok?session_id={CHECKOUT_SESSION_ID}',
  ],
  [
    'https://kat.example/ok?session_id=%7BCHECKOUT_SESSION_ID%7D&a=1',
    'https://kat.example/ok?a=1&session_id={CHECKOUT_SESSION_ID}',
  ],
  ['https://kat.example/ok?session_id=cs_test_1', 'https://kat.example/ok?session_id={CHECKOUT_SESSION_ID}'],
])('adds the session placeholder to %s', (url, expected) => {
  expect(withSessionPlaceholder(url)).toBe(expected);
});
