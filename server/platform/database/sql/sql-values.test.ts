import { describe, expect, test } from 'vitest';
import { toIsoTime, toSafeNumber, toSqlValues } from './sql-values.ts';

describe('database times', () => {
  test.each([
    ['2026-11-20 10:11:12+00', '2026-11-20T10:11:12+00:00'],
    ['2026-11-20 10:11:12.345678+00', '2026-11-20T10:11:12.345678+00:00'],
    ['2026-11-20 10:11:12+05:30', '2026-11-20T10:11:12+05:30'],
    ['2026-11-20 10:11:12', '2026-11-20T10:11:12'],
    ['infinity', 'infinity'],
    ['0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00+00 BC'],
  ])('converts %s to %s', (text, expected) => {
    expect(toIsoTime(text)).toBe(expected);
  });
});

describe('64-bit integers', () => {
  test.each([
    ['0', 0],
    ['-42', -42],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9223372036854775808', '-9223372036854775808'],
  ])('reads %s', (text, expected) => {
    expect(toSafeNumber(text)).toBe(expected);
  });
});

describe('parameters', () => {
  test('writes nested and empty arrays as PostgreSQL reads them', () => {
    expect(
      toSqlValues([
        [],
        [
          [1, 2],
          [3, null],
        ],
        ['"', '\\'],
      ]),
    ).toEqual(['{}', '{{"1","2"},{"3",NULL}}', '{"\\"","\\\\"}']);
  });

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [{}], [() => 1], [Symbol('x')]])('refuses %s', (value) => {
    expect(() => toSqlValues([value])).toThrow(TypeError);
  });

  test('refuses a NUL byte, also within an array', () => {
    expect(() => toSqlValues([['a\0']])).toThrow('0x00');
  });
});
