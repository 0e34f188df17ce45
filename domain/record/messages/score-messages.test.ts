import { expect, test } from 'vitest';
import type { PathScore } from '../scoring/scoring.ts';
import { describeAverage, describeClosing } from './score-messages.ts';

/** @param pathBp, lastCloseBp  at the last bar, and on average */
function aScore(pathBp: number, lastCloseBp: number): PathScore {
  const errorOf = (bp: number) => ({ maeBp: bp, rmseBp: bp, atBarBp: { 1: bp, 5: bp, 15: bp, 30: bp, 50: bp } });
  return {
    path: errorOf(pathBp),
    lastClose: errorOf(lastCloseBp),
    highMaeBp: 1,
    lowMaeBp: 1,
    rangeBp: { path: 1, outcome: 1 },
    insideShare: 0.62,
    sameSideShare: 1,
  };
}

test.each([
  [12, 9, 'Path error 0.12%. Last-close error 0.09%. The last close was closer.'],
  [9, 12, 'Path error 0.09%. Last-close error 0.12%. The path was closer.'],
  [0, 0, 'Path error 0.00%. Last-close error 0.00%. Neither was closer.'],
  // Figures that look alike get decimals until they differ.
  [12.31, 12.34, 'Path error 0.1231%. Last-close error 0.1234%. The path was closer.'],
  [1.69, 1.6901, 'Path error 0.02%. Last-close error 0.02%. Neither was closer.'],
  [250, 1.2, 'Path error 2.50%. Last-close error 0.01%. The last close was closer.'],
])('describes %d and %d basis points', (path, lastClose, text) => {
  expect(describeClosing(aScore(path, lastClose))).toBe(text);
});

test('describes both errors on average', () => {
  const errors = 'path error 0.08%, last-close error 0.05%.';
  expect(describeAverage(aScore(8, 5), '1min')).toBe(`Average over its 50 minutes: ${errors}`);
  expect(describeAverage(aScore(8, 5), '15min')).toBe(`Average over its 50 bars: ${errors}`);
});
