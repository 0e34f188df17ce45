import { expect, test } from 'vitest';
import type { TrackFigures, TrackSummary } from '../figures/track-summary.ts';
import { recordLine } from './record-line.ts';

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

function aSummary(all: Partial<TrackFigures>, market: TrackSummary['market'] = 'live'): TrackSummary {
  return {
    market,
    period: '30d',
    computedMs: 0,
    fromS: 0,
    firstMs: null,
    lastMs: null,
    voidReasons: {},
    missReasons: {},
    counts: { expected: 0, issued: 0, known: 0, void: 0, waiting: 0 },
    models: [
      {
        model: 'lion',
        role: 'serving',
        versions: [],
        bars: [],
        pit: [],
        rvError: null,
        rangeError: null,
        bandFactor: { p80: 1, p95: 1 },
        copyShare: null,
        copyVerdict: 'unknown',
        all: { ...NOTHING, ...all },
      },
    ],
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
  [
    'judged for long',
    aSummary({
      n: 34_560,
      blocks: 120,
      skillEwma: { value: 0.011, interval: [0.006, 0.016] },
      cover80: { value: 0.791, interval: [0.778, 0.804] },
    }),
    'In the public record: 34,560 forecasts scored in 30 days; better than the EWMA baseline by 1.1% (0.6 to 1.6%); ' +
      'the 80% band covered 79.1% of closes (77.8 to 80.4%).',
  ],
  [
    'judged once, where the market is simulated',
    aSummary(
      { n: 1, blocks: 1, skillEwma: { value: 0.5, interval: null }, cover80: { value: 1, interval: null } },
      'simulated',
    ),
    'In the public record of a simulated market: 1 forecast scored in 30 days; not enough data yet (1 record, 1 block).',
  ],
  ['not judged', aSummary({}), 'In the public record: nothing scored yet.'],
])('describes a model that was %s', (_case, summary, line) => {
  expect(recordLine(summary, 'lion')).toBe(line);
});

test('describes a model without a record', () => {
  expect(recordLine(aSummary({ n: 5 }, 'replayed'), 'bobcat')).toBe(
    'In the public record of a replayed market: nothing scored yet.',
  );
});
