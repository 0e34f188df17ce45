/** Summaries for tests and for looking at: empty, little, rich, worse than every baseline, mostly void. Always the same figures. */
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import type { Estimate, RecordCard, TrackFigures, TrackSummary } from '#domain/record/figures/track-summary.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';

/** 22 November 2026, 15:00 UTC. */
export const NOW_MS = 1_795_359_600_000;
/** Those that the page has cards of, whatever else the picker gets. */
const SYMS = ['BTCUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P', 'DOGEUSDT.P'] as const;
const DAY_S = 86_400;
/** Monday, 16 November 2026. */
const MONDAY_S = 1_794_787_200;

type Kind = 'empty' | 'waiting' | 'little' | 'rich' | 'worse' | 'void-heavy';

export function trackSummary(kind: Kind, change: Partial<TrackSummary> = {}): TrackSummary {
  return { ...SUMMARIES[kind](), ...change };
}

const SUMMARIES: Record<Kind, () => TrackSummary> = {
  empty: emptySummary,
  waiting: () => ({
    ...emptySummary(),
    firstMs: NOW_MS - 600_000,
    lastMs: NOW_MS - 300_000,
    counts: { expected: 24, issued: 24, known: 0, void: 0, waiting: 24 },
    latest: SYMS.map((sym, i) => recordCard(24 - i, { sym, state: 'waiting', actualBp: null })),
    sealed: 20,
  }),
  little: () => filled({ n: 180, skill: 0.006, hasIntervals: false, weeks: 1 }),
  rich: () => filled({ n: 24_192, skill: 0.021, hasIntervals: true, weeks: 5 }),
  worse: () => filled({ n: 24_192, skill: -0.017, hasIntervals: true, weeks: 5 }),
  'void-heavy': () => ({
    ...filled({ n: 900, skill: 0.001, hasIntervals: true, weeks: 1 }),
    counts: { expected: 3000, issued: 2700, known: 900, void: 1750, waiting: 50 },
    voidReasons: { 'candles-missing': 1200, 'venue-changed': 400, 'candles-gone': 150 },
  }),
};

function emptySummary(): TrackSummary {
  return {
    market: 'simulated',
    period: '30d',
    computedMs: NOW_MS,
    fromS: NOW_MS / 1000 - 30 * DAY_S,
    firstMs: null,
    lastMs: null,
    counts: { expected: 0, issued: 0, known: 0, void: 0, waiting: 0 },
    voidReasons: {},
    missReasons: {},
    models: [],
    bySymbol: [],
    byRelease: [],
    byWeek: [],
    latest: [],
    sealed: 0,
    best: [],
    worst: [],
  };
}

interface Filling {
  n: number;
  skill: number;
  hasIntervals: boolean;
  weeks: number;
}

function filled({ n, skill, hasIntervals, weeks }: Filling): TrackSummary {
  const figures = (shift: number, of: number): TrackFigures => figuresOf(skill + shift, of, hasIntervals);
  const cards = Array.from({ length: 12 }, (_, i) => {
    const change = { sym: inTurn(SYMS, i), model: inTurn(MODEL_NAMES, i) };
    return recordCard(n - i, i < 3 ? { ...change, state: 'waiting', actualBp: null } : change);
  });
  return {
    ...emptySummary(),
    firstMs: NOW_MS - weeks * 7 * DAY_S * 1000,
    lastMs: NOW_MS - 60_000,
    counts: { expected: n + 400, issued: n + 180, known: n, void: 140, waiting: 40 },
    voidReasons: { 'candles-missing': 120, 'venue-changed': 20 },
    missReasons: { 'venue-unavailable': 90, 'out-of-time': 10 },
    models: MODEL_NAMES.map((model, m) => ({
      model,
      role: 'serving' as const,
      versions: [`${model}-1795000000`],
      all: figures(m * 0.004, n / 3),
      bars: SCORED_BARS.map((bar, b) => ({ bar, figures: figures(m * 0.004 - b * 0.006, n / 3) })),
      pit: [0.98, 1.01, 1.03, 0.99, 1.0, 1.02, 0.97, 1.0, 1.01, 0.99].map((share) => Math.round((share * n) / 6)),
      rvError: { model: 0.31 - m * 0.01, ewma: 0.36 },
      rangeError: { model: 0.29, ewma: 0.28 },
      bandFactor: { p80: 1.084, p95: 1.01 },
      copyShare: 0.004,
      copyVerdict: 'moves',
    })),
    bySymbol: SYMS.flatMap((sym, s) =>
      MODEL_NAMES.map((model, m) => ({ sym, model, figures: figures(m * 0.003 - s * 0.008, n / 12) })),
    ),
    byRelease: [
      {
        kind: 'inflation' as const,
        releases: 2,
        bars: SCORED_BARS.map((bar, b) => ({ bar, n: 12 * (b + 1), cover80: 0.75 - b * 0.01, cover95: 0.9 })),
      },
    ],
    byWeek: Array.from({ length: weeks }, (_, w) => MONDAY_S - (weeks - 1 - w) * 7 * DAY_S).flatMap((weekS, w) =>
      MODEL_NAMES.map((model, m) => ({ weekS, model, figures: figures(m * 0.002 + (w % 3) * 0.007 - 0.01, n / 15) })),
    ),
    latest: cards,
    sealed: 264,
    best: Array.from({ length: 3 }, (_, i) => recordCard(900 + i, { sym: inTurn(SYMS, i) })),
    worst: Array.from({ length: 3 }, (_, i) => ({
      ...recordCard(700 + i, { sym: inTurn(SYMS.toReversed(), i), model: 'bobcat' }),
      actualBp: [-2, -11, -38, -71, -96 - i],
    })),
  };
}

/** As many as requested, repeating. */
function inTurn<T>(list: readonly T[], i: number): T {
  const found = list[i % list.length];
  if (found === undefined) throw new Error('an empty list has no turns');
  return found;
}

function figuresOf(skill: number, n: number, hasInterval: boolean): TrackFigures {
  const around = (value: number, half: number): Estimate => ({
    value,
    interval: hasInterval ? [value - half, value + half] : null,
  });
  return {
    n: Math.round(n),
    blocks: hasInterval ? 120 : 4,
    skillEwma: around(skill, 0.006),
    skillHar: around(skill - 0.017, 0.006),
    skillLastClose: around(-0.34, 0.02),
    cover80: around(0.797, 0.008),
    cover95: around(0.951, 0.005),
    modelCover80: around(0.762, 0.009),
    modelCover95: around(0.931, 0.006),
  };
}

/** A forecast whose price rose, within its bands. */
export function recordCard(seq: number, change: Partial<RecordCard> = {}): RecordCard {
  const slot = Math.floor(NOW_MS / 1000 / 300) * 300 - (1000 - (seq % 1000)) * 300;
  return {
    seq,
    issuedMs: slot * 1000 + 2500,
    slot,
    sym: 'BTCUSDT.P',
    model: 'lion' satisfies ModelName,
    close: '97120.4',
    state: 'known',
    voidReason: null,
    pathBp: [0.6, 3, 7, 12, 17],
    band80Bp: [4, 9, 16, 23, 30],
    band95Bp: [7, 15, 27, 38, 50],
    actualBp: [1, 4, 9, 8, 19],
    ...change,
  };
}
