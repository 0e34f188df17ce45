import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typedNumber } from './typed-number.ts';

test.each([
  ['29097.5', 29097.5],
  ['29097,5', 29097.5],
  ['29,097.5', 29097.5],
  ['29.097,5', 29097.5],
  ['29 097,5', 29097.5],
  ["29'097.50", 29097.5],
  ['29\u202f097,5', 29097.5],
  ['29,097', 29097],
  ['1,234,567', 1234567],
  ['1.234.567', 1234567],
  ['12,34,567', 1234567],
  ['12,34,567.5', 1234567.5],
  ['0,123', 0.123],
  ['1,2345', 1.2345],
  ['29.097', 29.097],
  ['٢٩٠٩٧٫٥', 29097.5],
  ['٢٩٬٠٩٧٫٥', 29097.5],
  ['۲۹۰۹۷٫۵', 29097.5],
  ['२९०९७.५', 29097.5],
  [' 5. ', 5],
  ['.5', 0.5],
  ['0', 0],
])('reads %s', (text, number) => {
  expect(typedNumber(text)).toBe(number);
});

test.each(['', ' ', '-1', '+1', '1e5', '12a', '1,2,3', '1.2,3.4', ',', '.', '1.5.', 'NaN', '1,5,', '1234,567,890'])(
  'refuses %s',
  (text) => {
    expect(typedNumber(text)).toBeNull();
  },
);

test('reads back any number that a locale writes', () => {
  const locales = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'ar-EG', 'fa-IR', 'hi-IN-u-nu-deva', 'pt-BR'];
  const formats = locales.map(
    (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: 'always' }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), fc.constantFrom(...formats), (cents, format) => {
      expect(typedNumber(format.format(cents / 100))).toBe(cents / 100);
    }),
  );
});
