import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MODEL_NAMES } from '../forecast/models.ts';
import { type DrawnMoves, isDisagreement } from './disagreement.ts';

const moveBp = fc.double({ min: -100, max: 100, noNaN: true });
const moves: fc.Arbitrary<DrawnMoves> = fc.record(
  { bobcat: moveBp, panther: moveBp, lion: moveBp },
  { requiredKeys: [] },
);
const cost = fc.double({ min: 0, max: 50, noNaN: true });

test('needs the highest and the lowest on different sides, both beyond the cost', () => {
  fc.assert(
    fc.property(moves, cost, (drawn, costBp) => {
      const values = Object.values(drawn);
      const [highest, lowest] = [Math.max(0, ...values), Math.min(0, ...values)];
      expect(isDisagreement(drawn, costBp)).toBe(highest > costBp && lowest < -costBp);
    }),
  );
});

test('gives the same when every move is mirrored, and never more with a higher cost', () => {
  fc.assert(
    fc.property(moves, cost, cost, (drawn, costBp, moreBp) => {
      const turned = Object.fromEntries(MODEL_NAMES.map((name) => [name, -(drawn[name] ?? 0)]));
      expect(isDisagreement(turned, costBp)).toBe(isDisagreement(drawn, costBp));
      if (!isDisagreement(drawn, costBp)) expect(isDisagreement(drawn, costBp + moreBp)).toBe(false);
    }),
  );
});

test('needs two models, and a move beyond the exact cost', () => {
  expect(isDisagreement({ lion: 40 }, 10)).toBe(false);
  expect(isDisagreement({ lion: 10, bobcat: -40 }, 10)).toBe(false);
  expect(isDisagreement({ lion: 10.1, bobcat: -10.1, panther: 0 }, 10)).toBe(true);
});
