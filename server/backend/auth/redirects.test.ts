import { describe, expect, test } from 'vitest';
import { redirectRule } from './redirects.ts';

const OWN = 'https://kat.example';

describe('the redirect rule of a sign-in', () => {
  const rule = redirectRule(['https://partner.example', 'https://apps.example/kat']);

  test.each([
    [
      'our own page',
      'https://kat.example/auth/callback?next=%2Fkat#x',
      'https://kat.example/auth/callback?next=%2Fkat#x',
    ],
    ['a path of ours', '/auth/reset-password', 'https://kat.example/auth/reset-password'],
    ['an allowed site', 'https://partner.example/any/where', 'https://partner.example/any/where'],
    ['below an allowed path', 'https://apps.example/kat/done', 'https://apps.example/kat/done'],
  ])('accepts %s', (_which, wanted, expected) => {
    expect(rule.resolve(OWN, wanted)).toBe(expected);
  });

  test.each([
    ['nothing', null],
    ['another site', 'https://evil.example/'],
    ['another site behind two slashes', '//evil.example/kat'],
    ['another site behind backslashes', '\\\\evil.example\\kat'],
    ['our name before the host', 'https://kat.example@evil.example/'],
    ['our name with a password', 'https://kat.example:443@evil.example/'],
    ['our name as a beginning', 'https://kat.example.evil.example/'],
    ['the same host without encryption', 'http://kat.example/'],
    ['another port', 'https://kat.example:8443/'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,hello'],
    ['a neighbour of an allowed path', 'https://apps.example/kat-evil'],
    ['above an allowed path', 'https://apps.example/kat/../other'],
    ['no address at all', 'https://'],
    ['longer than an address is', `https://kat.example/${'a'.repeat(2000)}`],
    ['longer than an address is once it is encoded', `https://kat.example/${'\u00e4'.repeat(1000)}`],
  ])('replaces %s with the front page', (_which, wanted) => {
    expect(rule.resolve(OWN, wanted)).toBe('https://kat.example/');
  });
});
