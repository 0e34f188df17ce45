import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalOf } from './decimal.ts';

test('reads every plain decimal as the language itself would', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,20}(\.\d{1,19})?$/), (text) => {
      expect(decimalOf(text)).toBe(Number(text));
    }),
    { numRuns: 2000 },
  );
});

test.each(['0.00000001', '9007199254740993', '9007199254740992.5', '0.1234567890123456789', '123456789.87654321'])(
  'reads %s to the last bit',
  (text) => {
    expect(decimalOf(text)).toBe(Number(text));
  },
);

test('rejects anything else, and reads nothing as negative or infinite', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.anything()), (value) => {
      const read = decimalOf(value);
      if (typeof value === 'string') expect(Number.isNaN(read) || (read >= 0 && read < 1e41)).toBe(true);
      else expect(read).toBe(typeof value === 'number' ? value : Number.NaN);
    }),
  );
});
