import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHANCE_UNITS } from '../ledger/chance-text.ts';
import { SCORE_UNITS, scoreChance } from './chance-score.ts';

const aChance = fc.integer({ min: 1, max: CHANCE_UNITS - 1 });
const scored = (chance: number, end: string, baseline = CHANCE_UNITS / 2) =>
  scoreChance({ open: '100', chance, baseline }, end);

test('scores a sure hit with almost nothing, a sure miss with almost all, and a half with a quarter', () => {
  expect(scored(CHANCE_UNITS - 1, '101')).toMatchObject({
    isAbove: true,
    brier: { model: 0, baseline: SCORE_UNITS / 4 },
    log: { model: 100, baseline: Math.round(Math.LN2 * SCORE_UNITS) },
  });
  expect(scored(CHANCE_UNITS - 1, '99').brier.model).toBe(SCORE_UNITS - 200);
  expect(scored(CHANCE_UNITS - 1, '99').log.model).toBe(Math.round(6 * Math.LN10 * SCORE_UNITS));
});

test('counts a window that closes at its open as not above', () => {
  expect(scored(600_000, '100.00')).toEqual(scoreChance({ open: '100', chance: 600_000, baseline: 500_000 }, '100.00'));
  expect(scored(600_000, '100.00').isAbove).toBe(false);
  expect(scored(600_000, '100.000001').isAbove).toBe(true);
});

test('scores up and down alike: a chance above and its complement below', () => {
  fc.assert(
    fc.property(aChance, (chance) => {
      const [up, down] = [scored(chance, '101'), scored(CHANCE_UNITS - chance, '99')];
      expect([up.brier.model, up.log.model]).toEqual([down.brier.model, down.log.model]);
    }),
  );
});

test('is lowest on average for the true chance, whatever is stated instead', () => {
  fc.assert(
    fc.property(aChance, aChance, (truth, stated) => {
      const mean = (chance: number, measure: 'brier' | 'log') =>
        truth * scored(chance, '101')[measure].model + (CHANCE_UNITS - truth) * scored(chance, '99')[measure].model;
      // Rounding to whole units is worth half a unit at most.
      for (const measure of ['brier', 'log'] as const)
        expect(mean(truth, measure)).toBeLessThanOrEqual(mean(stated, measure) + CHANCE_UNITS);
    }),
  );
});

test('is whole numbers that four bytes hold, for every chance', () => {
  fc.assert(
    fc.property(aChance, aChance, fc.constantFrom('99', '101'), (chance, baseline, end) => {
      const { brier, log } = scored(chance, end, baseline);
      for (const value of [...Object.values(brier), ...Object.values(log)])
        expect(Number.isInteger(value) && value >= 0 && value < 2 ** 31).toBe(true);
    }),
  );
});
