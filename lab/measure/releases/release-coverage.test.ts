import { expect, test } from 'vitest';
import { generatedFile } from '../testing/measure-fixtures.ts';
import type { Observation } from '../windows/score-windows.ts';
import { symmetricQuantiles } from '../windows/window-forecast.ts';
import { releaseCoverage } from './release-coverage.ts';

const FILE = generatedFile('ONE', 2);
const T0 = FILE.candles[600]?.time ?? 0;

/** A window whose close lies at `change` at every bar, under bands that are 1 wide on either side at 80% and 2 at 95%. */
function observed(change: number): Observation {
  const quantiles = symmetricQuantiles(
    (_, level) => [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1, 1.5, 2, 3][level] ?? 0,
  );
  const future = { change: new Float64Array(50).fill(change) };
  const models = [{ model: { name: 'lion' }, forecast: { quantiles } }];
  return { window: { t0: T0, file: FILE, future }, models, baselines: [] } as unknown as Observation;
}

test('counts closes inside by bar, and a release for the bars that close after it', () => {
  // Seven minutes after the forecast.
  const coverage = releaseCoverage([{ timeS: T0 + 8 * 60, kind: 'inflation' }]);
  for (const change of [0.5, 1.2, 2.5]) coverage.add(observed(change));

  const one = { windows: 3, inside80: 33.3, inside95: 66.7 };
  expect(coverage.table()).toEqual({
    lion: {
      'US CPI, jobs, Fed statement': { 'bar 10': one, 'bar 25': one, 'bar 50': one },
      none: { 'bar 5': one },
    },
  });
});
