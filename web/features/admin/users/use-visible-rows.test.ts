import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemAt, itemOfRow, rowOfKey } from './use-visible-rows.ts';

test('places the details of a row after it, and moves the rows below on', () => {
  const items = Array.from({ length: 6 }, (_, item) => itemAt(item, [1, 2]));

  expect(items).toEqual([
    { row: 0, isDetail: false },
    { row: 1, isDetail: false },
    { row: 1, isDetail: true },
    { row: 2, isDetail: false },
    { row: 2, isDetail: true },
    { row: 3, isDetail: false },
  ]);
});

test('finds every row as one item, in order, whatever is expanded', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.uniqueArray(fc.nat(39)), (count, rows) => {
      const expanded = rows.filter((row) => row < count).sort((a, b) => a - b);
      const items = Array.from({ length: count + expanded.length }, (_, item) => itemAt(item, expanded));
      expect(items.filter(({ isDetail }) => !isDetail).map(({ row }) => row)).toEqual([...Array(count).keys()]);
      expect(items.filter(({ isDetail }) => isDetail).map(({ row }) => row)).toEqual(expanded);
      for (let row = 0; row < count; row++)
        expect(itemAt(itemOfRow(row, expanded), expanded)).toEqual({ row, isDetail: false });
    }),
  );
});

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowUp', 3, 2],
  ['ArrowUp', 0, 0],
  ['ArrowDown', 9, 9],
  ['PageDown', 3, 8],
  ['PageUp', 3, 0],
  ['Home', 3, 0],
  ['End', 3, 9],
  ['a', 3, null],
  ['Enter', 3, null],
])('leads by %s from row %s of ten to %s', (key, row, next) => {
  expect(rowOfKey(key, row, 10, 5)).toBe(next);
});
