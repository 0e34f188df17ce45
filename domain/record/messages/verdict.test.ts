import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Estimate, TrackFigures, TrackSummary } from '../figures/track-summary.ts';
import {
  coverageFinding,
  describeChance,
  describeCoverage,
  describeSkill,
  findingOf,
  trackVerdict,
} from './verdict.ts';

const est = (value: number, low: number, high: number): Estimate => ({ value, interval: [low, high] });
const alone = (value: number): Estimate => ({ value, interval: null });

const NOTHING: TrackFigures = {
  n: 0,
  blocks: 0,
  skillEwma: null,
  skillHar: null,
  skillLastClose: null,
  cover80: null,
  cover95: null,
  modelCover80: null,
  modelCover95: null,
};
const figures = (overrides: Partial<TrackFigures>): TrackFigures => ({ ...NOTHING, n: 3456, blocks: 28, ...overrides });

function aSummary(models: Partial<TrackFigures>[], counts: Partial<TrackSummary['counts']> = {}): TrackSummary {
  const names = ['bobcat', 'panther', 'lion'] as const;
  return {
    market: 'live',
    period: '30d',
    computedMs: 0,
    fromS: 0,
    firstMs: null,
    lastMs: null,
    counts: { expected: 10, issued: 10, known: 10, void: 0, waiting: 0, ...counts },
    voidReasons: {},
    missReasons: {},
    models: models.map((overrides, i) => ({
      model: names[i % 3] ?? 'bobcat',
      role: 'serving',
      versions: [],
      all: figures(overrides),
      bars: [],
      pit: [],
      rvError: null,
      rangeError: null,
      bandFactor: { p80: 1, p95: 1 },
      copyShare: null,
      copyVerdict: 'unknown',
    })),
    bySymbol: [],
    byRelease: [],
    byWeek: [],
    latest: [],
    sealed: 0,
    best: [],
    worst: [],
  };
}

test.each([
  ['wholly above 0', est(0.011, 0.006, 0.016), 'better than the EWMA baseline by 1.1% (0.6 to 1.6%)'],
  ['wholly below 0', est(-0.004, -0.007, -0.002), 'worse than the EWMA baseline by 0.4% (0.2 to 0.7%)'],
  ['around 0', est(0.003, -0.003, 0.008), 'no measurable edge over the EWMA baseline (−0.3 to 0.8%)'],
  ['from 0 on', est(0.003, 0, 0.008), 'no measurable edge over the EWMA baseline (0.0 to 0.8%)'],
  [
    'nearer to 0 than is shown',
    est(0.003, 0.00004, 0.008),
    'no measurable edge over the EWMA baseline (0.00 to 0.80%)',
  ],
  ['small, on one side', est(0.0012, 0.0003, 0.0021), 'better than the EWMA baseline by 0.12% (0.03 to 0.21%)'],
  ['without an interval', alone(0.2), 'not enough data yet (3,456 records, 28 blocks)'],
])('describes a skill whose interval lies %s', (_where, skillEwma, text) => {
  expect(describeSkill(figures({ skillEwma }), 'ewma')).toBe(text);
});

test('names each baseline, and says when nothing is scored', () => {
  const both = figures({ skillHar: est(0.02, 0.01, 0.03), skillLastClose: est(-0.02, -0.03, -0.01) });

  expect(describeSkill(both, 'har')).toBe('better than log-HAR by 2.0% (1.0 to 3.0%)');
  expect(describeSkill(both, 'lastClose')).toBe('worse than the last close by 2.0% (1.0 to 3.0%)');
  expect(describeSkill({ ...NOTHING, n: 1, blocks: 1 }, 'ewma')).toBe('not enough data yet (1 record, 1 block)');
});

test('calls nothing better or worse whose interval touches 0, and nothing both', () => {
  const share = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, share, (value, a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      const finding = findingOf(est(value, low, high));
      if (low <= 0 && high >= 0) expect(finding).toBe('none');
      if (finding === 'better') expect(low).toBeGreaterThan(0);
      if (finding === 'worse') expect(high).toBeLessThan(0);
      const mirrored = findingOf(est(-value, -high, -low));
      expect(mirrored).toBe({ better: 'worse', worse: 'better', none: 'none', unknown: 'unknown' }[finding]);
    }),
  );
});

test("says nothing of a value that isn't a number", () => {
  expect(findingOf(null)).toBe('unknown');
  expect(findingOf(est(Number.NaN, 0.1, 0.2))).toBe('unknown');
  expect(findingOf(est(0.1, 0.05, Number.POSITIVE_INFINITY))).toBe('unknown');
});

test.each([
  [80, est(0.791, 0.778, 0.804), 'holds', 'the 80% band covered 79.1% of closes (77.8 to 80.4%)'],
  [80, est(0.75, 0.74, 0.76), 'narrow', 'the 80% band covered 75.0% of closes (74.0 to 76.0%): too narrow'],
  [95, est(0.98, 0.97, 0.99), 'wide', 'the 95% band covered 98.0% of closes (97.0 to 99.0%): too wide'],
  [
    95,
    alone(0.9),
    'unknown',
    'the 95% band covered 90.0% of closes so far (3,456 records, 28 blocks, not enough for an interval)',
  ],
  [80, null, 'unknown', 'nothing is scored yet for the 80% band'],
] as const)('describes the coverage of the %i %% band', (level, coverage, finding, text) => {
  expect(coverageFinding(level, coverage)).toBe(finding);
  expect(describeCoverage(level, figures({ cover80: coverage, cover95: coverage }))).toBe(text);
  expect(describeCoverage(level, figures({ modelCover80: coverage, modelCover95: coverage }), 'model')).toBe(
    text.replace(/the (\d\d)/, 'the model’s own $1'),
  );
});

test.each([
  [40, 'Of 40 comparisons, about two would stand out by chance.'],
  [6, 'Of 6 comparisons, fewer than one would stand out by chance.'],
  [1, 'Of 1 comparison, fewer than one would stand out by chance.'],
  [2000, 'Of 2,000 comparisons, about 100 would stand out by chance.'],
])('describes %i comparisons', (count, text) => {
  expect(describeChance(count)).toBe(text);
});

const UP = est(0.011, 0.006, 0.016);
const FLAT = est(0.001, -0.003, 0.005);
const DOWN = est(-0.011, -0.016, -0.006);

test.each([
  [
    'no model better',
    [
      { skillEwma: FLAT, skillHar: DOWN },
      { skillEwma: DOWN, skillHar: FLAT },
    ],
    'No measurable edge: over the last 30 days, no model’s bands were significantly better than the EWMA baseline or log-HAR.',
  ],
  [
    'no model better than one baseline, and all worse than the other',
    [
      { skillEwma: FLAT, skillHar: DOWN },
      { skillEwma: DOWN, skillHar: DOWN },
    ],
    'No measurable edge: over the last 30 days, no model’s bands were significantly better than the EWMA baseline, and every model was worse than log-HAR.',
  ],
  [
    'better than one baseline alone',
    [{ skillEwma: UP, skillHar: FLAT }],
    'Better than the EWMA baseline over the last 30 days; no measurable edge over log-HAR.',
  ],
  [
    'better than both',
    [{ skillEwma: UP, skillHar: UP }],
    'Better than the EWMA baseline and log-HAR over the last 30 days.',
  ],
  [
    'all worse',
    [{ skillEwma: DOWN, skillHar: DOWN }],
    'Worse than the EWMA baseline and log-HAR over the last 30 days.',
  ],
  [
    'one baseline without an interval',
    [{ skillEwma: UP, skillHar: alone(0.3) }],
    'Better than the EWMA baseline over the last 30 days.',
  ],
])('answers with %s', (_case, models, answer) => {
  expect(trackVerdict(aSummary(models))[0]).toBe(answer);
});

test('names every model with its interval in the second sentence', () => {
  const summary = aSummary([
    { skillEwma: UP, skillHar: FLAT },
    { skillEwma: DOWN, skillHar: alone(1) },
  ]);

  expect(trackVerdict(summary)[1]).toBe(
    'Against the EWMA baseline, Bobcat was better by 1.1% (0.6 to 1.6%) and Panther was worse by 1.1% (0.6 to 1.6%); ' +
      'against log-HAR, Bobcat showed no measurable edge (−0.3 to 0.5%) and Panther does not have enough data.',
  );
});

test('says when a record has little in it', () => {
  const few = { n: 120, blocks: 2, skillEwma: alone(0.5), skillHar: alone(0.4) };

  expect(trackVerdict(aSummary([few]))).toEqual([
    'Not enough data yet: 120 records scored in 2 six-hour blocks. A comparison needs 12 blocks.',
  ]);
  expect(trackVerdict(aSummary([], { issued: 0, waiting: 0 }))[0]).toContain('No forecasts have been issued');
  expect(trackVerdict(aSummary([NOTHING], { waiting: 3 }))[0]).toContain('No forecasts scored yet');
  expect(trackVerdict(aSummary([NOTHING], { void: 3 }))[0]).toBe('No forecasts could be scored in this period.');
});

test('ignores a model that users do not see', () => {
  const summary = aSummary([
    { skillEwma: FLAT, skillHar: FLAT },
    { skillEwma: UP, skillHar: UP },
  ]);
  const shadowed = {
    ...summary,
    models: summary.models.map((m, i) => (i === 1 ? { ...m, role: 'shadow' as const } : m)),
  };

  expect(trackVerdict(shadowed)[0]).toContain('No measurable edge');
});

test.each([
  ['5min', '4 h 10', '4 records scored in 2 one-day blocks'],
  ['15min', '12 h 30', '4 records scored in 2 one-day blocks'],
] as const)('counts the time and the blocks of candles of %s', (tf, duration, size) => {
  const waiting = { ...aSummary([], { known: 0, waiting: 10 }), tf };
  expect(trackVerdict(waiting)).toEqual([`No forecasts scored yet. Each is scored ${duration} after it is issued.`]);

  const few = { ...aSummary([{ n: 4, blocks: 2, skillEwma: alone(0.1), skillHar: alone(0.1) }]), tf };
  expect(trackVerdict(few)[0]).toContain(size);
});
