import { expect, test } from 'vitest';
import type { Interval, UnseenCoins } from '../model-figures.ts';
import { everyColumn, generatedFigures, generatedGroup } from '../testing/figure-fixtures.ts';
import { describeEvidence, describeUnseen, unseenByCoin } from './unseen-coins.ts';

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

test('adds that to what was measured for a product without figures, and to no other symbol', () => {
  const lion = generatedFigures('lion', [generatedGroup('crypto-test')]);
  const entry = { ...lion, figures: lion.figures && { ...lion.figures, unseen: unseen([-0.02, -0.03, -0.01]) } };
  const text = (label: string) => describeEvidence(entry, { label, assetClass: 'crypto' });

  expect(text('LINK/USDT')).toMatch(/^Not evaluated on LINK\/USDT: .* With each of 2 coins left out of its training/);
  expect(text('BTC')).toMatch(/^Measured on /);
  expect(text('BTC')).not.toContain('left out');
  expect(describeEvidence(lion, { label: 'LINK/USDT', assetClass: 'crypto' })).not.toContain('left out');
});
