import { expect, test } from 'vitest';
import { hashOfRecoveryCode, newRecoveryCode, readRecoveryCode } from './recovery-code-store.ts';

test('makes codes of three groups of four characters from 32 unambiguous ones', () => {
  const codes = Array.from({ length: 500 }, newRecoveryCode);

  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);
  expect(new Set(codes).size).toBe(500);
  expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
});

test.each([
  ['as it was shown', '0a1b-2c3d-4e5f'],
  ['in capitals', '0A1B-2C3D-4E5F'],
  ['in one piece', '0a1b2c3d4e5f'],
  ['with spaces, a line break and long hyphens', ' 0a1b – 2c3d —\n4e5f '],
  ['with letters for the figures that look like them', 'oalb-2c3d-4e5f'],
  ['with an I for a one', 'OaIb-2c3d-4e5f'],
])('reads a code %s', (_how, typed) => {
  expect(readRecoveryCode(typed)).toBe('0a1b2c3d4e5f');
});

test.each(['', '0a1b-2c3d-4e5', '0a1b-2c3d-4e5f0', '0a1b-2c3d-4e5u', '0a1b_2c3d_4e5f', '٠a1b-2c3d-4e5f', '💥'])(
  'refuses %j as a code',
  (typed) => {
    expect(readRecoveryCode(typed)).toBeNull();
  },
);

test('stores one code of two users as two different hashes', () => {
  const [ada, bob] = ['a', 'b'].map((user) => hashOfRecoveryCode(user, '0a1b2c3d4e5f'));

  expect(ada).toMatch(/^[0-9a-f]{64}$/);
  expect(ada).not.toBe(bob);
});
