import { expect, test } from 'vitest';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { seededRandom } from '../../server/forecast/paths/random.ts';
import { describeEvidence, evidenceOf } from './evidence.ts';
import type { PairedBlock } from './paired-scores.ts';

const SLOTS = 72;

/** @param gain  share by which the shadow's CRPS is lower; blocks also differ by a few per cent */
function paired(blocks: number, gain: number, coverage = { shadow: 0.8, serving: 0.8 }): PairedBlock[] {
  const random = seededRandom('paired', blocks, gain);
  return Array.from({ length: blocks }, (_, i) => i).flatMap((block) => {
    const luck = 0.03 * (random() - 0.5);
    return ['BTCUSDT.P', 'DOGEUSDT.P'].map((sym, wildness): PairedBlock => {
      const crps = SCORED_BARS.map((bar) => SLOTS * Math.sqrt(bar) * (1 + 50 * wildness) * (1 + random()));
      const held = (share: number) => SCORED_BARS.map(() => Math.round(SLOTS * share));
      return {
        blockS: block * 21_600,
        sym,
        slots: SLOTS,
        shadow: { crps: crps.map((sum) => sum * (1 - gain - luck)), in80: held(coverage.shadow), in95: held(0.95) },
        serving: { crps, in80: held(coverage.serving), in95: held(0.95) },
      };
    });
  });
}

test('accepts a shadow that is better beyond chance on as many blocks', () => {
  const evidence = evidenceOf(paired(60, 0.01));

  expect(evidence).toMatchObject({ pairs: 60 * 2 * SLOTS, blocks: 60, refusals: [] });
  expect(evidence.gain?.value).toBeCloseTo(0.01, 2);
  expect(describeEvidence(evidence)[1]).toMatch(/^CRPS lower by [\d.]+% \(95% interval [\d.]+% to [\d.]+%\)\.$/);
});

test.each([
  ['no different', 0],
  ['worse', -0.01],
])('rejects one that is %s', (_, gain) => {
  expect(evidenceOf(paired(60, gain)).refusals).toEqual(['the interval of its gain is not entirely above 0']);
});

test('rejects a better score with worse bands, on either side of nominal', () => {
  const refusal = ['its 80% band is less well calibrated than the serving model’s'];

  expect(evidenceOf(paired(60, 0.01, { shadow: 0.76, serving: 0.79 })).refusals).toEqual(refusal);
  expect(evidenceOf(paired(60, 0.01, { shadow: 0.84, serving: 0.79 })).refusals).toEqual(refusal);
  expect(evidenceOf(paired(60, 0.01, { shadow: 0.8, serving: 0.76 })).refusals).toEqual([]);
});

test('rejects fewer than a week of blocks, however good they are', () => {
  const evidence = evidenceOf(paired(27, 0.5));

  expect(evidence.gain).toBeNull();
  expect(evidence.refusals).toEqual(['only 27 six-hour blocks with both models in the record; 28 are needed']);
  expect(evidenceOf([]).refusals).toHaveLength(1);
});

test('weighs every symbol the same, however volatile', () => {
  const blocks = paired(60, 0).map((block) => {
    const factor = block.sym === 'BTCUSDT.P' ? 0.9 : 1;
    return { ...block, shadow: { ...block.shadow, crps: block.serving.crps.map((sum) => sum * factor) } };
  });

  expect(evidenceOf(blocks).gain?.value).toBeCloseTo(0.05, 6);
});
