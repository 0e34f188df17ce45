import { expect, test } from 'vitest';
import { ticksBesideTags } from './axis-ticks.ts';

const LABELS = ['300', '200', '100', '0'];
const YS = [20, 60, 100, 140];

test.each([
  ['without tags every figure stands', [], ['300', '200', '100', '0']],
  ['a tag on a figure takes its place', [60], ['300', '', '100', '0']],
  ['a tag beside a figure would half cover it', [112], ['300', '200', '', '0']],
  ['a tag between two figures leaves both', [80], ['300', '200', '100', '0']],
  ['two tags that touch are moved apart, over figures further away', [77, 83], ['300', '', '', '0']],
])('%s', (_what, tags, expected) => {
  expect(ticksBesideTags(LABELS, YS, tags)).toEqual(expected);
});

test('a figure whose place is not known stays', () => {
  expect(ticksBesideTags(['1'], [null], [0])).toEqual(['1']);
});
