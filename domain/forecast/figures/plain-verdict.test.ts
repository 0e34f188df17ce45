import { expect, test } from 'vitest';
import { symbolNamed } from '../../market/testing/symbol-named.ts';
import type { Interval } from '../model-figures.ts';
import { everyColumn, generatedFigures, generatedGroup } from '../testing/figure-fixtures.ts';
import { briefVerdict, plainVerdict } from './plain-verdict.ts';

const BTC = symbolNamed('BTC');

function verdict(har: Interval, blocks = 210): string {
  const { crpsSkillPercent } = generatedGroup('crypto-test').skill;
  const column = everyColumn(har);
  const skill = { ...crpsSkillPercent, 'har-empirical': column, 'har-pooled': column };
  return plainVerdict(
    generatedFigures('bobcat', [generatedGroup('crypto-test', { crpsSkillPercent: skill, blocks })]),
    BTC,
  );
}

test.each<[Interval, string]>([
  [[0.21, 0.1, 0.3], 'and 0.2% more accurate than that of HAR'],
  [[0.1, -0.1, 0.3], 'and not shown to be more accurate than that of HAR'],
  [[-0.4, -0.6, -0.2], 'and 0.4% less accurate than that of HAR'],
])('states the comparison %j plainly', (interval, text) => {
  expect(verdict(interval)).toContain(text);
});

test('says how often the band held', () => {
  expect(verdict([0.21, 0.1, 0.3])).toBe(
    'Its range is 0.9% more accurate than a random walk’s, and 0.2% more accurate than that of HAR, a simple volatility model. 80 of 100 closes landed inside its 80% band.',
  );
});

test('claims nothing on too few blocks', () => {
  expect(verdict([0.21, 0.1, 0.3], 20)).toBe(
    'Not enough data for a verdict. 80 of 100 closes landed inside its 80% band.',
  );
});

test('names the smaller model that a larger one does not beat', () => {
  const pairedSkillPercent = { bobcat: everyColumn([0.01, -0.02, 0.04]) };
  const entry = generatedFigures('lion', [generatedGroup('crypto-test', { pairedSkillPercent })]);
  expect(plainVerdict(entry, BTC)).toMatch(/ Not shown to be better than Bobcat\.$/);
});

test('says of a symbol without data, or of a model that cannot forecast, only that', () => {
  expect(plainVerdict(generatedFigures('bobcat', [generatedGroup('crypto-test')]), symbolNamed('DXY'))).toBe(
    'There was no data to evaluate it on DXY.',
  );
  expect(plainVerdict({ model: 'lion', state: 'not-trained', figures: null }, BTC)).toBe(
    'Not trained yet, so it can’t forecast.',
  );
  expect(plainVerdict(undefined, BTC)).toBe('');
});

test.each<[Interval, string]>([
  [[0.92, 0.7, 1.2], 'Range 0.9% more accurate than a random walk’s'],
  [[0.1, -0.1, 0.3], 'Range not shown to be more accurate than a random walk’s'],
  [[-0.4, -0.6, -0.2], 'Range 0.4% less accurate than a random walk’s'],
])('states the skill %j in one short line', (interval, text) => {
  const { crpsSkillPercent } = generatedGroup('crypto-test').skill;
  const skill = { ...crpsSkillPercent, 'ewma-gauss': everyColumn(interval) };
  const briefly = (blocks: number) =>
    briefVerdict(generatedFigures('bobcat', [generatedGroup('crypto-test', { crpsSkillPercent: skill, blocks })]), BTC);

  expect(briefly(210)).toBe(text);
  expect(briefly(20)).toBe('Not enough data on BTC for a verdict');
});

test('says in one short line why a model has no skill to show', () => {
  const measured = generatedFigures('bobcat', [generatedGroup('crypto-test')]);
  expect(briefVerdict(measured, symbolNamed('DXY'))).toBe('Not evaluated on DXY');
  expect(briefVerdict({ ...measured, state: 'disabled' }, BTC)).toBe('Unavailable right now');
  expect(briefVerdict({ model: 'lion', state: 'not-trained', figures: null }, BTC)).toBe('Not trained yet');
  expect(briefVerdict(undefined, BTC)).toBe('');
});

test('says of a coin of the catalogue that the model was taught by others', () => {
  const measured = generatedFigures('bobcat', [generatedGroup('crypto-test')]);
  const coin = { assetClass: 'crypto', label: 'LINK/USDT' } as const;
  expect(plainVerdict(measured, coin)).toBe('Not trained on this coin.');
  expect(briefVerdict(measured, coin)).toBe('Not trained on this coin');
});

test('says nothing of a model whose measurements are not loaded', () => {
  const unmeasured = { model: 'lion', state: 'ready', figures: null } as const;
  expect([plainVerdict(unmeasured, BTC), briefVerdict(unmeasured, BTC)]).toEqual(['', '']);
});
