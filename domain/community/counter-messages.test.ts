import { expect, test } from 'vitest';
import { compactCount } from './counter-messages.ts';

test.each([
  [0, '0'],
  [1, '1'],
  [999, '999'],
  [1000, '1.0K'],
  [32_249, '32.2K'],
  [999_949, '999.9K'],
  [999_950, '1.0M'],
  [2_149_000, '2.1M'],
  [1_234_567_890, '1,234.6M'],
])('writes %d as %s', (count, expected) => {
  expect(compactCount(count)).toBe(expected);
});
