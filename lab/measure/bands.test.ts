import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SLOT_S, UPPER_LEVELS } from '../../domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '../../domain/record/scoring/scoring.ts';
import { normalDraw, seededRandom } from '../../server/forecast/paths/random.ts';
import { type ForecastStretch, figuresOf, ratiosOf, stretchesOf, WEEK_SLOTS } from './bands/band-figures.ts';
import { type BandForecasts, bandForecasts, SLOT_WIDTH } from './bands/band-forecasts.ts';
import { RULE_NAMES, replayRule } from './bands/band-rules.ts';
import { fixtureModel, gaussianNetwork, generatedFile } from './testing/measure-fixtures.ts';

const NORMAL = [0.0627, 0.1257, 0.2533, 0.3853, 0.5244, 0.6745, 0.8416, 1.0364, 1.2816, 1.6449, 1.96, 2.5758];

/** A model that always predicts scale 1, on a market with the scale `scaleAt`. */
function sampleForecasts(count: number, scaleAt: (i: number) => number): BandForecasts {
  const random = seededRandom('bands', count);
  const row = SCORED_BARS.flatMap(() => NORMAL);
  return {
    slots: Float64Array.from({ length: count }, (_, i) => 1_700_000_100 + i * SLOT_S),
    actual: Float32Array.from({ length: count * SCORED_BARS.length }, (_, i) => {
      return scaleAt(Math.floor(i / SCORED_BARS.length)) * normalDraw(random);
    }),
    upper: [Float32Array.from({ length: count * SLOT_WIDTH }, (_, i) => row[i % SLOT_WIDTH] ?? 0)],
  };
}

function onlyStretch(forecasts: BandForecasts): ForecastStretch {
  const [stretch, ...others] = stretchesOf(forecasts, 'MADE-UP', ['bobcat'], () => 'all');
  if (stretch === undefined || others.length > 0) throw new Error('one stretch was made');
  return stretch;
}

test('measures the coverage of a true model as stated without a correction, and that of a narrow one as narrow', () => {
  const count = 2 * WEEK_SLOTS;
  for (const [scale, cover80] of [
    [1, 0.8],
    [1.5, 0.607],
  ] as const) {
    const stretch = onlyStretch(sampleForecasts(count, () => scale));
    const ratios = ratiosOf(stretch);
    const { weeks, width } = figuresOf(stretch, ratios, replayRule('conformal', 0, ratios));
    const at80 = weeks.filter(({ level }) => level === 80).map(({ error }) => error);

    expect(width).toBe(1);
    expect(weeks).toHaveLength(SCORED_BARS.length * 2 * (WEEK_SLOTS / 12 + 1));
    expect(0.8 + at80.reduce((sum, error) => sum + error, 0) / at80.length).toBeCloseTo(cover80, 1);
  }
});

test.each(RULE_NAMES)(
  'brings a market of twice the width closer to nominal by the rule %s at three times its gains',
  (rule) => {
    const stretch = onlyStretch(sampleForecasts(2 * WEEK_SLOTS, () => 2));
    const ratios = ratiosOf(stretch);
    const last = (scale: number): number => {
      const { weeks } = figuresOf(stretch, ratios, replayRule(rule, scale, ratios));
      return Math.abs(weeks.findLast(({ level, bar }) => level === 80 && bar === 50)?.error ?? 1);
    };

    expect(last(0)).toBeGreaterThan(0.25);
    // The forgetting rule never quite converges: each time it forgets as much as some misses teach.
    expect(last(3)).toBeLessThan(rule === 'forgetting' ? 0.08 : 0.04);
  },
);

test('lowers CRPS where the correction is right', () => {
  const stretch = onlyStretch(sampleForecasts(2 * WEEK_SLOTS, () => 2));
  const ratios = ratiosOf(stretch);
  const [before, after] = [0, 1].map((scale) => figuresOf(stretch, ratios, replayRule('conformal', scale, ratios)));

  expect(after?.crps.every((sum, bar) => sum < (before?.crps[bar] ?? 0))).toBe(true);
});

test('learns no outcome before it can be known: eleven slots after its forecast', () => {
  const quiet = sampleForecasts(100, () => 1);
  const loud = { ...quiet, actual: quiet.actual.slice() };
  loud.actual.fill(99, 50 * SCORED_BARS.length, 51 * SCORED_BARS.length);
  const [a, b] = [quiet, loud].map((forecasts) => {
    const whole = { symbol: 'MADE-UP', model: 'bobcat', part: 'all', slots: forecasts.slots, actual: forecasts.actual };
    return replayRule('conformal', 1, ratiosOf({ ...whole, upper: forecasts.upper[0] ?? new Float32Array() }));
  });

  expect(b?.slice(0, 61)).toEqual(a?.slice(0, 61));
  expect(b?.[61]).not.toEqual(a?.[61]);
});

test('ends a stretch at a gap of more than a day and where the part changes, and drops too short ones', () => {
  const forecasts = sampleForecasts(3 * WEEK_SLOTS, () => 1);
  const cut = forecasts.slots[WEEK_SLOTS + 300] ?? 0;
  const slots = forecasts.slots.map((slot, i) => (i < WEEK_SLOTS + 600 ? slot : slot + 2 * 86_400));
  const found = stretchesOf({ ...forecasts, slots }, 'MADE-UP', ['bobcat'], (slot) => (slot < cut ? 'one' : 'other'));

  expect(found.map((stretch) => [stretch.part, stretch.slots.length])).toEqual([
    ['one', WEEK_SLOTS + 300],
    ['other', 2 * WEEK_SLOTS - 600],
  ]);
});

test('forecasts every five minutes of whole candles, and reads stored forecasts as the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kat-bands-'));
  try {
    const file = generatedFile('bands', 1);
    const model = fixtureModel('bobcat', gaussianNetwork());
    const [computed, again] = [await bandForecasts(file, [model], folder), await bandForecasts(file, [model], folder)];

    expect(existsSync(folder) && readdirSync(folder)).toHaveLength(1);
    expect(again).toEqual(computed);
    expect(computed.slots.every((slot) => slot % SLOT_S === 0)).toBe(true);
    expect(computed.slots.length).toBe(Math.floor((1440 - 450 - 50) / 5) + 1);
    const at = file.candles.findIndex(({ time }) => time === (computed.slots[7] ?? 0) - 60);
    const [last, first] = [file.candles[at]?.close ?? 1, file.candles[at + 1]?.close ?? 0];
    expect(computed.actual[7 * SCORED_BARS.length]).toBeCloseTo(Math.log(first / last), 6);
    expect(computed.upper[0]?.[7 * SLOT_WIDTH + UPPER_LEVELS.indexOf(0.9)]).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
