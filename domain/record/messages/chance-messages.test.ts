import { expect, test } from 'vitest';
import type { ChanceDecile, ChanceFigures, ChanceSummary } from '../chances/chance-summary.ts';
import { chanceVerdict, decileFinding, decileName, describeChanceSkill, describeHappened } from './chance-messages.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const FIGURES: ChanceFigures = {
  n: 4000,
  blocks: 28,
  brier: 0.19,
  brierBaseline: 0.2,
  log: 0.56,
  logBaseline: 0.57,
  skillBrier: { value: 0.012, interval: [0.004, 0.02] },
  skillLog: { value: -0.01, interval: [-0.02, -0.002] },
};
const decile = (chance: number | null, low: number, high: number): ChanceDecile => ({
  count: 100,
  chance,
  happened: { value: (low + high) / 2, interval: [low, high] },
});

const summary = (change: Partial<ChanceSummary>): ChanceSummary => ({
  market: 'live',
  window: 15,
  model: 'lion',
  period: '30d',
  computedMs: 0,
  fromS: 0,
  firstS: 0,
  lastS: 0,
  counts: { expected: 10, issued: 10, known: 8, void: 0, waiting: 2 },
  voidReasons: {},
  missReasons: {},
  all: FIGURES,
  byMinute: [],
  bySymbol: [],
  byWeek: [],
  deciles: [],
  ...change,
});

test.each([
  [FIGURES, 'better than the EWMA-Gauss baseline by 1.2% (0.4 to 2.0%)'],
  [
    { ...FIGURES, skillBrier: { value: 0.001, interval: [-0.01, 0.012] as [number, number] } },
    'no measurable edge over the EWMA-Gauss baseline (-1.0 to 1.2%)',
  ],
  [{ ...FIGURES, skillBrier: { value: 0.1, interval: null } }, 'not enough data yet (4,000 chances, 28 blocks)'],
])('names a difference only where the interval says so', (figures, text) => {
  expect(plain(describeChanceSkill(figures, 'skillBrier')).replace('−', '-')).toBe(text);
});

test.each([
  [decile(0.55, 0.5, 0.6), 'as-stated'],
  [decile(0.55, 0.56, 0.6), 'too-low'],
  [decile(0.55, 0.5, 0.54), 'too-high'],
  [decile(null, 0.5, 0.6), 'unknown'],
  [{ count: 9, chance: 0.5, happened: { value: 0.5, interval: null } }, 'unknown'],
])('compares a decile’s mean chance with the interval of how often it came true', (one, finding) => {
  expect(decileFinding(one)).toBe(finding);
});

test('states what a decile says and how often it happened', () => {
  expect([decileName(0), decileName(9)].map(plain)).toEqual(['0 to 10%', '90 to 100%']);
  expect(plain(describeHappened(decile(0.5, 0.44, 0.56)))).toBe('50.0 of 100 (44.0 to 56.0%)');
  expect(describeHappened({ count: 0, chance: null, happened: null })).toBe('none recorded');
});

test.each<[string, Partial<ChanceSummary>, string]>([
  ['nothing', { counts: { expected: 0, issued: 0, known: 0, void: 0, waiting: 0 } }, 'No chances have been recorded'],
  ['waiting chances', { all: { ...FIGURES, n: 0 } }, 'No chances scored yet. Each is scored when its 15-minute'],
  [
    'unscorable chances',
    { all: { ...FIGURES, n: 0 }, counts: { expected: 3, issued: 3, known: 0, void: 3, waiting: 0 } },
    'No chances could be scored in this period.',
  ],
  [
    'little data',
    { all: { ...FIGURES, skillBrier: null } },
    'Not enough data yet: 4,000 chances scored in 28 six-hour',
  ],
  [
    'reliable chances',
    { deciles: [decile(0.5, 0.4, 0.6)] },
    'Over the last 30 days: better than the EWMA-Gauss baseline by 1.2% (0.4 to 2.0%), by the Brier score. All measured deciles (1) happened',
  ],
])('says of %s what there is', (_what, change, text) => {
  expect(plain(chanceVerdict(summary(change)).join(' '))).toContain(text);
});

test('says nothing of deciles where none is measured', () => {
  expect(chanceVerdict(summary({ deciles: [decile(null, 0.4, 0.6)] })).join(' ')).not.toContain('decile');
});
