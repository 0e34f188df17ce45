/** Summaries of chances for tests and for looking at. Always the same figures. */
import type { ChanceFigures, ChanceSummary } from '#domain/record/chances/chance-summary.ts';
import type { Estimate } from '#domain/record/figures/track-summary.ts';
import { NOW_MS } from './track-record-fixtures.ts';

const DAY_S = 86_400;
/** Monday, 16 November 2026. */
const MONDAY_S = 1_794_787_200;

type Kind = 'empty' | 'waiting' | 'little' | 'rich' | 'worse';

export function chanceSummary(kind: Kind, change: Partial<ChanceSummary> = {}): ChanceSummary {
  return { ...SUMMARIES[kind](), ...change };
}

const SUMMARIES: Record<Kind, () => ChanceSummary> = {
  empty: emptySummary,
  waiting: () => ({ ...emptySummary(), counts: { expected: 8, issued: 8, known: 0, void: 0, waiting: 8 } }),
  little: () => filled(160, 0.012, false),
  rich: () => filled(16_000, 0.012, true),
  worse: () => filled(16_000, -0.02, true),
};

function emptySummary(): ChanceSummary {
  return {
    market: 'simulated',
    window: 5,
    model: 'lion',
    period: '7d',
    computedMs: NOW_MS,
    fromS: NOW_MS / 1000 - 7 * DAY_S,
    firstS: null,
    lastS: null,
    counts: { expected: 0, issued: 0, known: 0, void: 0, waiting: 0 },
    voidReasons: {},
    missReasons: {},
    all: figuresOf(0, 0, false),
    byMinute: [],
    bySymbol: [],
    byWeek: [],
    deciles: Array.from({ length: 10 }, () => ({ count: 0, chance: null, happened: null })),
  };
}

function filled(n: number, skill: number, hasIntervals: boolean): ChanceSummary {
  return {
    ...emptySummary(),
    firstS: NOW_MS / 1000 - 7 * DAY_S,
    lastS: NOW_MS / 1000 - 120,
    counts: { expected: n + 60, issued: n + 48, known: n, void: 40, waiting: 8 },
    voidReasons: { 'candles-missing': 36, 'market-closed': 4 },
    missReasons: { 'candle-late': 12 },
    all: figuresOf(n, skill, hasIntervals),
    byMinute: [1, 3].map((minute, i) => ({ minute, figures: figuresOf(n / 2, skill + i * 0.006, hasIntervals) })),
    bySymbol: ['BTCUSDT.P', 'DOGEUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P'].map((sym, i) => ({
      sym,
      figures: figuresOf(n / 4, skill - i * 0.004, hasIntervals),
    })),
    byWeek: [MONDAY_S - 7 * DAY_S, MONDAY_S].map((weekS, i) => ({
      weekS,
      figures: figuresOf(n / 2, skill - i * 0.01, hasIntervals),
    })),
    deciles: Array.from({ length: 10 }, (_, decile) => {
      const chance = (decile + 0.5) / 10;
      // The last but one is stated two points too low.
      const value = decile === 8 ? chance + 0.02 : chance + 0.002;
      return { count: Math.round(n / 10), chance, happened: around(value, 0.012, hasIntervals) };
    }),
  };
}

function figuresOf(n: number, skill: number, hasIntervals: boolean): ChanceFigures {
  if (n === 0)
    return {
      n: 0,
      blocks: 0,
      brier: null,
      brierBaseline: null,
      log: null,
      logBaseline: null,
      skillBrier: null,
      skillLog: null,
    };
  return {
    n: Math.round(n),
    blocks: hasIntervals ? 28 : 2,
    brier: 0.196 * (1 - skill),
    brierBaseline: 0.196,
    log: 0.571 * (1 - skill / 2),
    logBaseline: 0.571,
    skillBrier: around(skill, 0.005, hasIntervals),
    skillLog: around(skill / 2, 0.004, hasIntervals),
  };
}

function around(value: number, half: number, hasInterval: boolean): Estimate {
  return { value, interval: hasInterval ? [value - half, value + half] : null };
}
