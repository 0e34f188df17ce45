import { expect, test } from 'vitest';
import { symbolNamed } from '../../market/testing/symbol-named.ts';
import type { BaselineName, GroupFigures, Interval, ModelFigures } from '../model-figures.ts';
import { everyColumn, generatedFigures, generatedGroup } from '../testing/figure-fixtures.ts';
import {
  coverageText,
  describeMeasured,
  describeOrder,
  describePair,
  describePooled,
  describeSkill,
  describeWithheld,
  groupOf,
  measuredNames,
  modelLine,
  skillText,
  verdictOf,
} from './figure-messages.ts';

/** With ordinary spaces: figures keep together by others. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

test.each<[Interval, string]>([
  [[0.92, 0.7, 1.2], 'better'],
  [[0.1, -0.1, 0.3], 'no difference'],
  [[0.05, 0, 0.11], 'no difference'],
  [[-0.4, -0.6, 0], 'no difference'],
  [[-0.4, -0.6, -0.2], 'worse'],
])('reads the interval %j as: %s', (interval, verdict) => {
  expect(verdictOf(interval)).toBe(verdict);
});

test('states a miss as plainly as a hit', () => {
  expect(plain(describeSkill([0.92, 0.7, 1.2], 'a random walk'))).toBe('+0.92% over a random walk [0.70, 1.20]');
  expect(plain(describeSkill([-0.4, -0.6, -0.2], 'HAR'))).toBe('worse than HAR, −0.40% [−0.60, −0.20]');
  expect(plain(describeSkill([0.1, -0.1, 0.3], 'HAR'))).toBe(
    'no significant difference from HAR, +0.10% [−0.10, 0.30]',
  );
});

test('reports a figure on too few blocks without a verdict', () => {
  expect(plain(describeSkill([0.92, 0.7, 1.2], 'a random walk', false))).toBe(
    '+0.92% against a random walk [0.70, 1.20], not enough data',
  );
  expect(plain(describePair('lion', 'bobcat', [0.08, 0.03, 0.12], false))).toBe(
    'Lion against Bobcat: +0.08% [0.03, 0.12], not enough data.',
  );
});

test('orders two models by the paired interval alone', () => {
  expect(plain(describePair('lion', 'bobcat', [0.08, 0.03, 0.12]))).toBe('Lion beats Bobcat by 0.08% [0.03, 0.12].');
  expect(plain(describePair('lion', 'bobcat', [0.01, -0.03, 0.05]))).toBe(
    'No significant difference between Lion and Bobcat: +0.01% [−0.03, 0.05].',
  );
  expect(plain(describePair('panther', 'bobcat', [-0.08, -0.12, -0.03]))).toBe(
    'Panther is worse than Bobcat: −0.08% [−0.12, −0.03].',
  );
});

test.each<[Interval, string]>([
  [[0.041, 0.003, 0.082], '+0.041% [0.003, 0.082]'],
  [[0.04, -0.003, 0.083], '+0.040% [−0.003, 0.083]'],
  [[-0.05, -0.09, -0.0004], '−0.0500% [−0.0900, −0.0004]'],
  [[0.041, 0.006, 0.082], '+0.04% [0.01, 0.08]'],
  [[0.05, 0, 0.11], '+0.05% [0.00, 0.11]'],
])('shows no end of %j as 0 unless it is 0', (skill, text) => {
  expect(plain(skillText(skill))).toBe(text);
});

test.each<[Interval, number, string]>([
  [[79.241, 78.532, 79.958], 80, '79.24 [78.53, 79.96]'],
  [[78.938, 78.241, 79.644], 80, '78.9 [78.2, 79.6]'],
  [[95.5, 95.004, 96], 95, '95.500 [95.004, 96.000]'],
  [[79.4, 78.8, 80], 80, '79.4 [78.8, 80.0]'],
])('shows no end of %j as the promised %i unless it is there', (coverage, target, text) => {
  expect(plain(coverageText(coverage, target))).toBe(text);
});

test('says when the spans of 2025 alone do not show a lead of the main group', () => {
  const group = (name: string, skill: Interval) =>
    generatedGroup(name, { pairedSkillPercent: { bobcat: everyColumn(skill) } });
  const main = group('four-pairs', [0.041, 0.003, 0.082]);
  const lead = 'Lion beats Bobcat by 0.041% [0.003, 0.082].';
  const order = (groups: readonly GroupFigures[], on = 'four-pairs') =>
    plain(describeOrder('lion', 'bobcat', groups, on));

  expect(order([main, group('crypto-test', [0.04, -0.003, 0.083])])).toBe(
    `${lead} On the 2025 test spans alone, the interval contains 0: +0.040% [−0.003, 0.083].`,
  );
  expect(order([main, group('crypto-test', [0.05, 0.022, 0.076])])).toBe(lead);
  expect(order([main])).toBe(lead);
  expect(order([main], 'crypto-test')).toBe('');
});

const paired = (model: 'panther' | 'lion', pairs: Partial<Record<'bobcat' | 'panther', Interval>>) => {
  const pairedSkillPercent = Object.fromEntries(
    Object.entries(pairs).map(([name, skill]) => [name, everyColumn(skill)]),
  );
  return generatedFigures(model, [generatedGroup('crypto-test', { pairedSkillPercent })]);
};

const [BTC, MSFT, GOLD, DXY] = [symbolNamed('BTC'), symbolNamed('MSFT'), symbolNamed('Gold'), symbolNamed('DXY')];

const withSkill = (group: string, baselines: Partial<Record<BaselineName, Interval>>): GroupFigures => {
  const columns = Object.entries(baselines).map(([name, skill]) => [name, everyColumn(skill)]);
  const plainTable = generatedGroup(group).skill.crpsSkillPercent;
  return generatedGroup(group, { crpsSkillPercent: { ...plainTable, ...Object.fromEntries(columns) } });
};
const WALK = '+0.92% over a random walk';

test.each<[string, ModelFigures | undefined, string]>([
  ['nothing is known of', undefined, ''],
  ['is not trained', { model: 'lion', state: 'not-trained', figures: null }, 'Not trained yet, so it can’t forecast.'],
  ['is broken', { model: 'lion', state: 'disabled', figures: null }, 'Unavailable right now, so it can’t forecast.'],
  ['was never measured', generatedFigures('lion', []), 'Not evaluated on BTC.'],
  [
    'is the smallest',
    generatedFigures('bobcat'),
    `Band skill on BTC and ETH: ${WALK}, +0.92% over HAR; no directional skill.`,
  ],
  [
    'beats the smaller ones',
    paired('lion', { bobcat: [0.1, 0.05, 0.2], panther: [0.08, 0.03, 0.12] }),
    `Band skill on BTC and ETH: ${WALK}, +0.92% over HAR; no directional skill.`,
  ],
  [
    'is not shown to beat one of them',
    paired('lion', { bobcat: [0.1, 0.05, 0.2], panther: [0.01, -0.03, 0.05] }),
    `Band skill on BTC and ETH: ${WALK}, +0.92% over HAR; no directional skill. Not shown to be better than Panther.`,
  ],
  [
    'is worse than a random walk',
    generatedFigures('bobcat', [withSkill('crypto-test', { 'ewma-gauss': [-0.4, -0.6, -0.2] })]),
    'Band skill on BTC and ETH: worse than a random walk (−0.40%), +0.92% over HAR; no directional skill.',
  ],
  [
    'beats the HAR of one symbol and not that of all coins',
    generatedFigures('bobcat', [withSkill('crypto-test', { 'har-pooled': [0.1, -0.1, 0.3] })]),
    `Band skill on BTC and ETH: ${WALK}, no significant difference from HAR; no directional skill.`,
  ],
])('writes the line of a model that %s', (_what, entry, line) => {
  expect(plain(modelLine(entry, BTC))).toBe(line);
});

test('describes only the class of the viewed symbol', () => {
  const shares = generatedGroup('shares-test', { blocks: 30, symbols: ['AAPL', 'MSFT', 'TSLA'] });
  const entry = generatedFigures('bobcat', [generatedGroup('crypto-test'), shares]);

  expect(plain(modelLine(entry, MSFT))).toBe(
    'Band skill on MSFT, AAPL and TSLA: +0.92% against a random walk, +0.92% against HAR, not enough data; no directional skill.',
  );
  expect(modelLine(entry, DXY)).toBe('Not evaluated on DXY.');
  expect(modelLine(entry, GOLD)).toBe('Not evaluated on Gold.');
});

test('picks the first group of a class with enough blocks, else the one with most', () => {
  const few = ['crypto-test', 'shares-test', 'gold-test'].map((group) => generatedGroup(group, { blocks: 8 }));
  const late = generatedGroup('gold-2026', { blocks: 156 });
  const groups = [...few, generatedGroup('four-pairs', { blocks: 200 }), generatedGroup('crypto-2026'), late];

  expect(groupOf(groups, 'crypto')?.group).toBe('four-pairs');
  expect(groupOf(few, 'crypto')?.group).toBe('crypto-test');
  expect(groupOf(groups, 'equity')?.group).toBe('shares-test');
  expect(groupOf(groups, 'metal')?.group).toBe('gold-2026');
  expect(groupOf(groups, 'energy')).toBeNull();
});

test.each([
  [['BTCUSDT', 'BTCUSDT.P', 'DOGEUSDT.P', 'ETHUSDT', 'SOLUSDT.P'], 'BTC, ETH, SOL and DOGE'],
  [['aux-AAAUSDT.P', 'aux-BBBUSDT.P'], 'AAA and BBB'],
  [['XAUUSD'], 'Gold'],
  [[], ''],
])('names %j as %s', (symbols, names) => {
  expect(measuredNames(generatedGroup('four-pairs', { symbols }))).toBe(names);
});

test('shows what was measured on such symbols, over which span, or that nothing was', () => {
  const shares = generatedGroup('shares-test', { blocks: 30 });
  const entry = generatedFigures('lion', [generatedGroup('crypto-test'), shares]);

  expect(plain(describeMeasured(entry, BTC))).toBe(
    'Measured on Sample crypto-test. Band skill: +0.92% over a random walk [0.70, 1.20], +0.92% over HAR [0.70, 1.20]; 79.9% of closes fell inside the 80% band. No directional skill.',
  );
  expect(plain(describeMeasured(entry, MSFT))).toContain(
    'Measured on Sample shares-test. Band skill: +0.92% against a random walk [0.70, 1.20], +0.92% against HAR [0.70, 1.20], not enough data;',
  );
  expect(plain(describeMeasured(entry, DXY))).toMatch(/^Not evaluated on DXY: there was no data/);
  expect(plain(describeMeasured(entry, GOLD))).toMatch(/^Not evaluated on Gold: there was no data/);
  expect(plain(describeMeasured(entry, symbolNamed('SOL')))).toMatch(/^Not evaluated on SOL: there was no data/);
  expect(plain(describeMeasured({ model: 'lion', state: 'not-trained', figures: null }, BTC))).toBe('');
});

test('says nothing of a class without figures', () => {
  const coinsNamedGold = generatedGroup('crypto-test', { symbols: ['XAUUSD'] });
  const entry = generatedFigures('lion', [coinsNamedGold]);

  expect([modelLine(entry, GOLD), describeMeasured(entry, GOLD)]).toEqual(['', '']);
});

test.each([
  ['shares-test', 'all shares'],
  ['gold-test', 'all gold'],
  ['crypto-test', 'all coins'],
])('names what the pooled baseline of %s was fitted on: %s', (group, text) => {
  expect(describePooled(group)).toBe(text);
});

test.each([
  [0, ''],
  [1, '1 forecast was withheld as implausible; its window is excluded from all figures.'],
  [1200, '1,200 forecasts were withheld as implausible; their windows are excluded from all figures.'],
])('counts %i withheld forecasts', (withheld, text) => {
  expect(plain(describeWithheld({ ...generatedGroup('crypto-test'), withheld }))).toBe(text);
});

test('promises no hit rate in any line', () => {
  const entry = generatedFigures('lion');

  const text = [modelLine(entry, BTC), describeMeasured(entry, BTC)].join(' ');

  expect(text).not.toMatch(/hit|accura|correct|right side|up or down/i);
});
