import { expect, test } from 'vitest';
import type { PathScore } from '../scoring/scoring.ts';
import { describeAverage, describeClosing } from './score-messages.ts';

/** @param pathBp, lastCloseBp  at the last bar, and on average */
function aScore(pathBp: number, lastCloseBp: number, insideShare = 0.62): PathScore {
  const errorOf = (bp: number) => ({ maeBp: bp, rmseBp: bp, atBarBp: { 1: bp, 5: bp, 15: bp, 30: bp, 50: bp } });
  return {
    path: errorOf(pathBp),
    lastClose: errorOf(lastCloseBp),
    highMaeBp: 1,
    lowMaeBp: 1,
    rangeBp: { path: 1, outcome: 1 },
    insideShare,
    sameSideShare: 1,
  };
}

test.each([
  [12, 9, 'Closed 0.12% from the path, 0.09% from the last close: the last close was nearer.'],
  [9, 12, 'Closed 0.09% from the path, 0.12% from the last close: the path was nearer.'],
  [0, 0, 'Closed 0.00% from the path, 0.00% from the last close: neither was nearer.'],
  // Figures that look alike get decimals until they differ.
  [12.31, 12.34, 'Closed 0.1231% from the path, 0.1234% from the last close: the path was nearer.'],
  [1.69, 1.6901, 'Closed 0.02% from the path, 0.02% from the last close: neither was nearer.'],
  [250, 1.2, 'Closed 2.50% from the path, 0.01% from the last close: the last close was nearer.'],
])('describes %d and %d basis points', (path, lastClose, text) => {
  expect(describeClosing(aScore(path, lastClose))).toBe(text);
});

test('counts the closes inside the drawn candles beside the average', () => {
  expect(describeAverage(aScore(8, 5))).toBe(
    'Over its 50 minutes: 0.08% from the path, 0.05% from the last close on average; 31 closes inside the drawn candles.',
  );
  expect(describeAverage(aScore(8, 5, 0.02))).toMatch(/; 1 close inside the drawn candles\.$/);
});
