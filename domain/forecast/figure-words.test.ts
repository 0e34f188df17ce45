import { expect, test } from 'vitest';
import { groupOf, measuredWords, modelLine, pairWords, skillWords, verdictOf } from './figure-words.ts';
import { everyColumn, generatedFigures, generatedGroup } from './generated-figures.ts';
import type { Interval, ModelFigures } from './model-figures.ts';

/** With ordinary spaces: figures keep together by others. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

test.each<[Interval, string]>([
  [[0.92, 0.7, 1.2], 'better'],
  [[0.1, -0.1, 0.3], 'no difference'],
  [[0.05, 0, 0.11], 'no difference'],
  [[-0.4, -0.6, 0], 'no difference'],
  [[-0.4, -0.6, -0.2], 'worse'],
])('the interval %j shows: %s', (interval, verdict) => {
  expect(verdictOf(interval)).toBe(verdict);
});

test('a miss reads as plainly as a hit', () => {
  expect(plain(skillWords([0.92, 0.7, 1.2], 'a random walk'))).toBe('+0.92 % over a random walk [0.70, 1.20]');
  expect(plain(skillWords([-0.4, -0.6, -0.2], 'HAR'))).toBe('worse than HAR, −0.40 % [−0.60, −0.20]');
  expect(plain(skillWords([0.1, -0.1, 0.3], 'HAR'))).toBe('no difference from HAR shown, +0.10 % [−0.10, 0.30]');
});

test('on too few blocks a figure is reported and nothing is called', () => {
  expect(plain(skillWords([0.92, 0.7, 1.2], 'a random walk', false))).toBe(
    '+0.92 % against a random walk [0.70, 1.20], too few blocks to call',
  );
  expect(plain(pairWords('lion', 'bobcat', [0.08, 0.03, 0.12], false))).toBe(
    'Lion against Bobcat: +0.08 % [0.03, 0.12], too few blocks to call.',
  );
});

test('the order of two models is told from the paired interval alone', () => {
  expect(plain(pairWords('lion', 'bobcat', [0.08, 0.03, 0.12]))).toBe('Lion beats Bobcat by 0.08 % [0.03, 0.12].');
  expect(plain(pairWords('lion', 'bobcat', [0.01, -0.03, 0.05]))).toBe(
    'No difference shown between Lion and Bobcat: +0.01 % [−0.03, 0.05].',
  );
  expect(plain(pairWords('panther', 'bobcat', [-0.08, -0.12, -0.03]))).toBe(
    'Panther is worse than Bobcat: −0.08 % [−0.12, −0.03].',
  );
});

const paired = (model: 'panther' | 'lion', pairs: Partial<Record<'bobcat' | 'panther', Interval>>) => {
  const pairedSkillPercent = Object.fromEntries(
    Object.entries(pairs).map(([name, skill]) => [name, everyColumn(skill)]),
  );
  return generatedFigures(model, [generatedGroup('crypto-test', { pairedSkillPercent })]);
};

test.each<[string, ModelFigures | undefined, string]>([
  ['nothing is known of', undefined, ''],
  ['is not trained', { model: 'lion', state: 'not-trained', figures: null }, 'Not trained yet: it cannot forecast.'],
  ['is broken', { model: 'lion', state: 'disabled', figures: null }, 'Out of order: it cannot forecast now.'],
  ['was never measured', generatedFigures('lion', []), 'Ready. Its skill has not been measured.'],
  [
    'is the smallest',
    generatedFigures('bobcat'),
    'Band skill: +0.92 % over a random walk [0.70, 1.20]; direction: none.',
  ],
  [
    'beats the smaller ones',
    paired('lion', { bobcat: [0.1, 0.05, 0.2], panther: [0.08, 0.03, 0.12] }),
    'Band skill: +0.92 % over a random walk [0.70, 1.20]; direction: none.',
  ],
  [
    'is not shown to beat one of them',
    paired('lion', { bobcat: [0.1, 0.05, 0.2], panther: [0.01, -0.03, 0.05] }),
    'Band skill: +0.92 % over a random walk [0.70, 1.20]; direction: none. Not shown to be better than Panther.',
  ],
  [
    'is worse than a random walk',
    generatedFigures('bobcat', [
      generatedGroup('crypto-test', {
        crpsSkillPercent: {
          ...generatedGroup('x').skill.crpsSkillPercent,
          'ewma-gauss': everyColumn([-0.4, -0.6, -0.2]),
        },
      }),
    ]),
    'Band skill: worse than a random walk, −0.40 % [−0.60, −0.20]; direction: none.',
  ],
])('the line of a model that %s', (_what, entry, line) => {
  expect(plain(modelLine(entry))).toBe(line);
});

test('symbols of a class are spoken for by its first group with enough blocks, else by its first', () => {
  const few = ['crypto-test', 'shares-test', 'gold-test'].map((group) => generatedGroup(group, { blocks: 199 }));
  const groups = [...few, generatedGroup('four-pairs', { blocks: 200 }), generatedGroup('crypto-2026')];

  expect(groupOf(groups, 'crypto')?.group).toBe('four-pairs');
  expect(groupOf(few, 'crypto')?.group).toBe('crypto-test');
  expect(groupOf(groups, 'equity')?.group).toBe('shares-test');
  expect(groupOf(groups, 'metal')?.group).toBe('gold-test');
  expect(groupOf(groups, 'energy')).toBeNull();
});

test('beside a forecast stands what was measured on such symbols, or that nothing was', () => {
  const entry = generatedFigures('lion', [generatedGroup('crypto-test'), generatedGroup('shares-test')]);

  expect(plain(measuredWords(entry, 'crypto', 'BTC'))).toBe(
    'On months it had not seen, band skill +0.92 % over a random walk [0.70, 1.20]; 79.9 % of closes fell inside the 80 % band. Direction: none.',
  );
  expect(plain(measuredWords(entry, 'equity', 'TSLA'))).toMatch(/^On weeks of shares, no more/);
  expect(plain(measuredWords(entry, 'energy', 'Oil'))).toMatch(/^Not evaluated on Oil: no data existed/);
  expect(plain(measuredWords(entry, 'metal', 'Gold'))).toBe('');
  expect(plain(measuredWords({ model: 'lion', state: 'not-trained', figures: null }, 'crypto', 'BTC'))).toBe('');
});

test('no line promises a hit rate', () => {
  const words = [modelLine(generatedFigures('lion')), measuredWords(generatedFigures('lion'), 'crypto', 'BTC')].join(
    ' ',
  );

  expect(words).not.toMatch(/hit|accura|correct|right side|up or down/i);
});
