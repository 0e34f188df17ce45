/** Figures of chances on markets whose truth is known: skill, reliability and sums. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chanceCounts, chanceParts } from '#domain/record/chances/chance-figures.ts';
import { type JudgedChanceScore, SCORE_UNITS, scoreChance } from '#domain/record/chances/chance-score.ts';
import {
  CHANCE_AT,
  CHANCE_DECILES,
  chanceBlocks,
  decileOf,
  type JudgedChance,
} from '#domain/record/chances/chance-sums.ts';
import { CHANCE_UNITS } from '#domain/record/ledger/chance-text.ts';
import { chanceVerdict, decileFinding } from '#domain/record/messages/chance-messages.ts';
import { findingOf } from '#domain/record/messages/verdict.ts';
import { chainOf, makeChances, scoreOf } from '../testing/chance-fixtures.ts';
import { emptyChanceSummary } from './chance-figures-job.ts';

const SYMS = ['BTCUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P', 'DOGEUSDT.P'];
/** Five days of four coins that move apart: 20 blocks. */
const WEEK = judged(480);
const [FIRST] = WEEK;

function judged(quarters: number, syms = SYMS): JudgedChance[] {
  const { bodies, candles } = chainOf(makeChances({ quarters, syms }));
  return bodies.map((body) => ({ body, score: scoreOf(candles, body) }));
}

const ofWindow = (chances: readonly JudgedChance[], window: 5 | 15) =>
  chanceBlocks(chances.filter(({ body }) => body.window === window));

/** Chances with stated odds and outcomes alone. */
function aChance(seq: number, chance: number, score: JudgedChanceScore): JudgedChance {
  if (FIRST === undefined) throw new Error('no chance');
  return { body: { ...FIRST.body, seq, chance }, score };
}

test('finds the true chances better than a baseline of a wrong volatility, and as often true as stated', async () => {
  for (const window of [5, 15] as const) {
    const { all, deciles, bySymbol, byMinute, byWeek } = await chanceParts(ofWindow(WEEK, window));
    expect([findingOf(all.skillBrier), findingOf(all.skillLog)]).toEqual(['better', 'better']);
    // Over many seeds 6 to 8% of these intervals miss: lab/measuring.md.
    const off = deciles.filter((decile) => ['too-low', 'too-high'].includes(decileFinding(decile)));
    expect(off.length).toBeLessThanOrEqual(3);
    expect([bySymbol.length, byMinute.length, byWeek.length > 0]).toEqual([4, window === 5 ? 2 : 3, true]);
    for (const part of [bySymbol, byMinute, byWeek])
      expect(part.reduce((sum, { figures }) => sum + figures.n, 0)).toBe(all.n);
  }
});

test('finds chances that are stated too high, in their deciles and in the verdict', async () => {
  const shifted = WEEK.filter(({ body }) => body.window === 5).map(({ body, score }) => {
    const chance = Math.min(CHANCE_UNITS - 1, body.chance + 80_000);
    return {
      body: { ...body, chance },
      score: score !== null && 'end' in score ? scoreChance({ ...body, chance }, score.end) : score,
    };
  });
  const parts = await chanceParts(chanceBlocks(shifted));
  const findings = parts.deciles.map(decileFinding);
  expect(findings.filter((finding) => finding === 'too-high').length).toBeGreaterThan(5);
  expect(findings).not.toContain('too-low');
  const counts = { expected: 1, ...chanceCounts(chanceBlocks(shifted)).counts };
  const summary = { ...(await emptyChanceSummary('live', 5, '7d', 0)), ...parts, counts };
  expect(chanceVerdict(summary)[1]).toMatch(/was too high/);
});

test('has no interval with fewer than twelve blocks, or thirty chances in a decile', async () => {
  const few = await chanceParts(ofWindow(judged(96), 5));
  expect([few.all.blocks, few.all.skillBrier?.interval]).toEqual([5, null]);
  const blocks = ofWindow(WEEK, 5);
  const rare = blocks.map((block, i) => {
    const sums = Float64Array.from(block.sums);
    // Two chances below 10% a block of the first 14.
    sums[CHANCE_AT.count] = i < 14 ? 2 : 0;
    sums[CHANCE_AT.happened] = i < 14 ? 1 : 0;
    return { ...block, sums };
  });
  const [first, second] = (await chanceParts(rare)).deciles;
  expect([first?.count, first?.happened?.value, first?.happened?.interval]).toEqual([28, 0.5, null]);
  expect(second?.happened?.interval).not.toBeNull();
});

test('gives the same sums in any order and any split, and each chance to one decile', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(WEEK.slice(0, 300)), (some) => {
      const shape = (chances: readonly JudgedChance[]) =>
        chanceBlocks(chances)
          .map((block) => ({ ...block, sums: [...block.sums] }))
          .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
      const inOrder = some.toSorted((a, b) => a.body.seq - b.body.seq);
      expect(shape(some)).toEqual(shape(inOrder));
      const blocks = chanceBlocks(some);
      const total = (at: number) => blocks.reduce((sum, { sums }) => sum + (sums[at] ?? 0), 0);
      const deciles = Array.from({ length: CHANCE_DECILES }, (_, i) => total(CHANCE_AT.count + i));
      expect(deciles.reduce((sum, count) => sum + count, 0)).toBe(total(CHANCE_AT.known));
      for (const [i, count] of deciles.entries()) {
        const own = some.filter(({ body }) => decileOf(body.chance / CHANCE_UNITS) === i);
        expect([count, total(CHANCE_AT.chance + i)]).toEqual([
          own.length,
          own.reduce((sum, { body }) => sum + body.chance, 0),
        ]);
        expect(total(CHANCE_AT.happened + i)).toBeLessThanOrEqual(count);
      }
    }),
    { numRuns: 30 },
  );
});

test('puts each edge in the decile that begins there', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: CHANCE_UNITS - 1 }), (chance) => {
      const decile = decileOf(chance / CHANCE_UNITS);
      expect(decile).toBe(Math.floor((10 * chance) / CHANCE_UNITS));
    }),
  );
  expect([0.1, 0.2, 0.3, 0.6, 0.7, 0.9].map(decileOf)).toEqual([1, 2, 3, 6, 7, 9]);
});

test('counts unscorable and waiting chances apart, and scores neither', async () => {
  const blocks = chanceBlocks([
    aChance(1, 700_000, { void: 'candles-missing' }),
    aChance(2, 700_000, { void: 'market-closed' }),
    aChance(3, 700_000, null),
    aChance(4, 700_000, scoreChance({ open: '1', chance: 700_000, baseline: 500_000 }, '2')),
  ]);
  expect(chanceCounts(blocks)).toEqual({
    counts: { issued: 4, known: 1, void: 2, waiting: 1 },
    voidReasons: { 'candles-missing': 1, 'market-closed': 1 },
  });
  const { all, deciles } = await chanceParts(blocks);
  expect([all.n, all.brier, all.brierBaseline]).toEqual([1, 0.09, 0.25]);
  expect(all.log).toBeCloseTo(-Math.log(0.7), 7);
  expect(SCORE_UNITS * (all.skillBrier?.value ?? 0)).toBeCloseTo(SCORE_UNITS * 0.64, 0);
  expect(deciles.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
});
