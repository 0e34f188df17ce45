/**
 * What `npm run lab -- stress overload` computes from its figures: the capacity, the broken bounds, the chart, the table.
 */
import { expect, test } from 'vitest';
import type { BesidePair } from '../beside.ts';
import type { StageFigures } from '../stage-figures.ts';
import { spread, stageAt, withWork } from '../testing/overload-stages.ts';
import { besideTable, brokenBeside } from './beside-table.ts';
import { brokenAboveCapacity, brokenAfterwards, brokenBelowCapacity, completedAtCapacity } from './bounds.ts';
import { findCapacity, largestHeld } from './capacity.ts';

const FACTORS = [0.25, 0.5, 1, 2];
const tooSlow = (stage: StageFigures): StageFigures => ({ ...stage, calls: spread(100, 501) });

test('finds as capacity the largest load that held before one that did not', async () => {
  const loads: number[] = [];
  const searched = await findCapacity(async (factor) => {
    loads.push(factor);
    return factor < 1 ? stageAt(factor) : tooSlow(stageAt(factor));
  }, FACTORS);
  expect(largestHeld(searched)).toBe(0.5);
  // A load that breaks a bound is measured once more, and nothing beyond it is measured.
  expect(loads).toEqual([0.25, 0.5, 1, 1]);
});

test('accepts a load that holds at its second attempt, and reports no capacity when none holds', async () => {
  let tries = 0;
  const once = await findCapacity(
    async (factor) => {
      tries += 1;
      return tries === 2 ? tooSlow(stageAt(1)) : stageAt(Math.min(1, factor));
    },
    [0.25, 0.5, 1],
  );
  expect(largestHeld(once)).toBe(1);
  const never = await findCapacity(async (factor) => tooSlow(stageAt(factor)), FACTORS);
  expect([largestHeld(never), never.length]).toEqual([null, 2]);
});

test.each<[string, StageFigures, RegExp]>([
  ['forecasts', withWork(stageAt(0.5), 'forecasts', { completedShare: 0.98 }), /^2% of forecasts did not complete$/],
  ['calls', withWork(stageAt(0.5), 'calls', { completedShare: 0.9 }), /^10% of calls did not complete$/],
  ['sign-ups', withWork(stageAt(0.5), 'signUps', { completedShare: 0 }), /^100% of sign-ups did not complete$/],
  ['refusals', stageAt(0.5, { refusedShare: 0.011 }), /^1\.1% of the requests of one class were refused$/],
  ['candles', stageAt(0.5, { lateness: spread(9, 251) }), /^candles come late: 251 ms at p99 in place of 250$/],
  ['calls', stageAt(0.5, { calls: spread(9, 501) }), /^calls take 501 ms at p99 in place of 500$/],
  ['changes', stageAt(0.5, { changes: spread(9, 501) }), /^changes of the book are 501 ms/],
])('names %s that break the bound below capacity', (_what, stage, message) => {
  expect(brokenBelowCapacity(stageAt(0.5))).toEqual([]);
  expect(brokenBelowCapacity(stage)).toEqual([expect.stringMatching(message)]);
});

test.each<[string, StageFigures, RegExp]>([
  ['forecasts', withWork(stageAt(2), 'forecasts', { completedPerMinute: 899 }), /^899 forecasts a minute .* of 900$/],
  ['calls', withWork(stageAt(2), 'calls', { completedPerMinute: 9899 }), /^9899 calls a minute completed/],
  ['sign-ups', withWork(stageAt(4), 'signUps', { completedPerMinute: 0 }), /^0 sign-ups a minute completed/],
  ['candles', stageAt(2, { lateness: spread(9, 251) }), /^candles come late: 251 ms/],
  ['calls', stageAt(2, { calls: spread(9, 501) }), /^calls take 501 ms/],
  ['refusals', stageAt(2, { refusals: { p50Ms: 1, p99Ms: 9, worstMs: 1001 } }), /^a refusal took 1001 ms/],
  ['cuts', stageAt(2, { cut: 1 }), /^1 admitted streams were cut$/],
  [
    'balancers',
    stageAt(2, { host: { ...stageAt(2).host, notReady: { '8080: 503': 3 } } }),
    /^\/readyz was not 200: 8080: 503 3 times$/,
  ],
])('names %s that break the bound above capacity', (_what, stage, message) => {
  const atCapacity = completedAtCapacity(stageAt(1));
  expect(brokenAboveCapacity(stageAt(4), atCapacity)).toEqual([]);
  expect(brokenAboveCapacity(stage, atCapacity)).toEqual([expect.stringMatching(message)]);
});

test('expects half of the completions at capacity from half of a crowd', () => {
  const atCapacity = completedAtCapacity(stageAt(1));
  const half = withWork(stageAt(2), 'forecasts', { completedPerMinute: 451 });
  expect(brokenAboveCapacity(half, atCapacity, 0.5)).toEqual([]);
  expect(brokenAboveCapacity(half, atCapacity)).toHaveLength(1);
});

test('names memory and connections that remain after the load', () => {
  const clean = { firstResidentMib: 400, residentMib: 440, connections: 0 };
  expect(brokenAfterwards(clean)).toEqual([]);
  expect(brokenAfterwards({ ...clean, residentMib: 441 })).toEqual([expect.stringContaining('441 MiB')]);
  expect(brokenAfterwards({ ...clean, connections: 3 })).toEqual([expect.stringContaining('3 connections')]);
});

test('compares each bad client with the stages without one, and reports what gets slower by more than a fifth', () => {
  const alone = { ...stageAt(0.1), calls: spread(2, 10), changes: spread(5, 20) };
  const slower = (ms: number) => ({ ...alone, calls: spread(2, ms) });
  const pairs: BesidePair[] = [
    { client: 'reconnects', alone, beside: slower(11), answered: { opened: 3 } },
    { client: 'reconnects', alone, beside: slower(25), answered: { opened: 4 } },
    { client: 'reconnects', alone, beside: slower(13), answered: {} },
    { client: 'sign-ups', alone, beside: slower(11.9), answered: { 'sign-ups: 429': 9 } },
  ];

  expect(brokenBeside(pairs)).toEqual(['sockets reopened without pause: calls, p99 is 1.30 times that alone']);
  const table = besideTable(pairs);
  expect(table).toContain('| calls, p99 | 10 ms → 13 ms (1.30) | 10 ms → 12 ms (1.19) |');
  expect(table).toContain('| age of a change, p99 | 20 ms → 20 ms (1.00) |');
  expect(table).toContain('opened: 7');
});
