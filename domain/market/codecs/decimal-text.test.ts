import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalSchema, decimalText } from './decimal-text.ts';

test('writes the exact number without an exponent', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1e15, noNaN: true }), (value) => {
      const text = decimalText(value);

      expect(text).toMatch(/^\d+(\.\d+)?$/);
      expect(Number(text)).toBe(value);
    }),
  );
});

test.each(['', ' ', '-1', '+1', '1e400', '1e3', 'NaN', 'Infinity', '0x10', '1.', '.5', '1,5', '9'.repeat(40)])(
  'rejects %j as a decimal',
  (text) => {
    expect(decimalSchema.safeParse(text).success).toBe(false);
  },
);
