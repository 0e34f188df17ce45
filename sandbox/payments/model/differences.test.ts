import { expect, test } from 'vitest';
import { previousAttributes } from './differences.ts';

test('returns previous values: of groups only what differs, of lists all', () => {
  const before = { a: 1, group: { b: 2, c: [1, 2], d: 0 }, removed: 'x', same: [1] };
  const after = { a: 1, group: { b: 3, c: [1], d: 0 }, fresh: 'y', same: [1] };

  expect(previousAttributes(before, after)).toEqual({ group: { b: 2, c: [1, 2] }, removed: 'x', fresh: null });
});

test('returns null when nothing differs, or nothing was known', () => {
  expect(previousAttributes({ a: { b: 1 } }, { a: { b: 1 } })).toBeNull();
  expect(previousAttributes(null, { a: 1 })).toBeNull();
});
