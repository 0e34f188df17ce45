import { expect, test } from 'vitest';
import { seamsOf } from './seams.ts';

const at = (...minutes: number[]) =>
  minutes.map((minute) => ({ time: minute * 60, open: 1, high: 1, low: 1, close: 1 }));

test('finds each place where time is missing, and how much', () => {
  expect(seamsOf(at(0, 1, 4, 5, 1085), 60)).toEqual([
    { beforeS: 60, afterS: 240, label: '2 min' },
    { beforeS: 300, afterS: 65_100, label: '17 h 59 min' },
  ]);
});

test('finds none between candles that follow each other, of any length', () => {
  expect(seamsOf(at(0, 1, 2), 60)).toEqual([]);
  expect(seamsOf(at(0, 15, 30), 900)).toEqual([]);
  expect(seamsOf([], 60)).toEqual([]);
});
