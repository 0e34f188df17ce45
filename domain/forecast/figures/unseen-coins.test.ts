import { expect, test } from 'vitest';
import type { Interval, UnseenCoins } from '../model-figures.ts';
import { everyColumn } from '../testing/figure-fixtures.ts';
import { describeUnseen, unseenByCoin } from './unseen-coins.ts';

const unseen = (overTrained: Interval): UnseenCoins => ({
  coins: ['ADA', 'BTC'],
  windows: 4000,
  blocks: 250,
  overOwnHarPercent: everyColumn([0.3, 0.2, 0.4]),
  overTrainedPercent: everyColumn(overTrained),
  coverage: { pooled80: [78.34, 77.6, 79.2], pooled95: [94.4, 93.8, 94.9] },
  byCoin: {},
});

test.each<[string, Interval, string]>([
  ['a cost', [-0.021, -0.033, -0.011], 'its error on that coin was 0.02% higher [0.01, 0.03].'],
  [
    'no cost that is shown',
    [-0.01, -0.028, 0.005],
    'its error on that coin was not shown to be higher: +0.01% [−0.01, 0.03].',
  ],
  ['a gain', [0.03, 0.01, 0.05], 'its error on that coin was 0.03% lower [0.01, 0.05].'],
])('describes %s with its interval', (_what, overTrained, text) => {
  const plain = describeUnseen(unseen(overTrained)).replaceAll('\u00a0', ' ');

  expect(plain).toContain(text);
  expect(plain).toContain('78.3 [77.6, 79.2] of 100 closes fell inside the 80% band.');
});

test('names no coin where none was measured alone', () => {
  expect(unseenByCoin(unseen([0, 0, 0]))).toBe('');
});
