import { expect, test } from 'vitest';
import { normalEmail } from './auth-deps.ts';

test('trims an address and converts it to lower case', () => {
  expect(normalEmail('  Ada.Lovelace@Example.COM ')).toBe('ada.lovelace@example.com');
});

test.each([
  ['the Kelvin sign, whose lower case is k', '\u212aat@victim.example'],
  ['the Kelvin sign in the domain', 'ada@\u212aat.example'],
  ['a capital I with a dot', '\u0130van@victim.example'],
  ['a dotless i', '\u0131van@victim.example'],
  ['a long s', '\u017fam@victim.example'],
  ['a full-width letter', '\uff4bat@victim.example'],
  ['a soft hyphen', 'k\u00adat@victim.example'],
  ['a zero-width space at its end', 'kat@victim.example\u200b'],
])('refuses an address with %s', (_which, text) => {
  expect(normalEmail(text)).toBeNull();
});
