/**
 * What `npm run load -- overload` computes from its figures: the capacity, the broken bounds, the chart, the table.
 */
import { expect, test } from 'vitest';
import type { BesidePair } from '../load/overload/beside.ts';
import type { GroupFigures } from '../load/overload/crowd-group.ts';
import { BadArguments, readOptions } from '../load/overload/options.ts';
import { besideTable, brokenBeside } from '../load/overload/report/beside-table.ts';
import {
  brokenAboveCapacity,
  brokenAfterwards,
  brokenBelowCapacity,
  completedAtCapacity,
} from '../load/overload/report/bounds.ts';
import { findCapacity, largestHeld } from '../load/overload/report/capacity.ts';
import { drawOverload } from '../load/overload/report/picture.ts';
import { overloadTable } from '../load/overload/report/table.ts';
import { type StageFigures, stageFigures } from '../load/overload/stage-figures.ts';
import { overloadReport, spread, stageAt, withWork } from '../support/run/overload-stages.ts';

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

test('reports the refused share of the class that was refused most', () => {
  const times = (count: number) => ({ count, p50Ms: 1, p99Ms: 2, p999Ms: 3, worstMs: 4 });
  const nothing = { times: {}, counts: {}, failures: {} };
  const group: GroupFigures = {
    live: [nothing],
    forecast: { ...nothing, times: { firstCandle: times(30) }, refused: { stream: 10 } },
    visit: { ...nothing, times: { calls: times(900), documents: times(50) }, refused: { call: 100, page: 50 } },
  };
  const { host, ...plan } = stageAt(2);
  const stage = stageFigures(plan, group, host);
  expect(stage.refused).toEqual({ stream: 10, call: 100, page: 50 });
  expect(stage.refusedShare).toBe(0.5);
});

const STAGES = [0.5, 1, 2, 4, 2, 1, 0.5].map((ofCapacity) => stageAt(ofCapacity));

test('draws the chart with every figure as text, a mark for each, and the bounds', () => {
  const svg = drawOverload(overloadReport(STAGES));
  expect(svg).toContain('forecasts 50%, 97%, 97%, 97%, 97%, 97%, 50%');
  expect(svg).toContain('calls 100 ms, 140 ms, 220 ms, 380 ms, 220 ms, 140 ms, 100 ms');
  expect(svg).toContain('refusals none, none, 80 ms, 160 ms, 80 ms, none, none');
  // Seven stages in two panels, plus one beside each line's name; refusals in the three stages that had any.
  expect(svg.match(/<circle /g)).toHaveLength(16);
  expect(svg.match(/<rect class="fill-b"/g)).toHaveLength(16);
  expect(svg.match(/<path class="fill-c"/g)).toHaveLength(12);
  expect(svg.match(/class="bound /g)).toHaveLength(4);
  expect(svg).toMatch(/<title id="title">.+<\/title>/);
  expect(svg).toContain('prefers-color-scheme: dark');
});

test('draws a larger figure higher', () => {
  const heights = (svg: string): number[] => [...svg.matchAll(/<circle [^>]*cy="([\d.]+)"/g)].map(([, y]) => Number(y));
  const svg = drawOverload(
    overloadReport(STAGES.map((stage, i) => ({ ...stage, lateness: spread(1, 10 ** (i % 5)) }))),
  );
  const [half = 0, whole = 0] = heights(svg);
  expect(whole).toBeLessThan(half);
  const beyond = stageAt(4);
  const double = withWork(beyond, 'forecasts', { completedPerMinute: 2000 });
  const triple = withWork(beyond, 'forecasts', { completedPerMinute: 3000 });
  const [two = 0, three = 0] = heights(drawOverload(overloadReport([double, triple])));
  expect(three).toBeLessThan(two);
  const late = heights(svg).slice(8, 13);
  expect(late).toEqual(late.toSorted((a, b) => b - a));
});

test('prints a table with a column per stage and the broken bounds', () => {
  const table = overloadTable({ ...overloadReport(STAGES), broken: ['At 4 times capacity: calls take 501 ms'] });
  expect(table).toContain('| times capacity | 0.5 | 1 | 2 | 4 | 2 | 1 | 0.5 |');
  expect(table).toContain('| forecasts due a minute | 500 | 1,000 | 2,000 | 4,000 | 2,000 | 1,000 | 500 |');
  expect(table).toContain('**Not held**: At 4 times capacity: calls take 501 ms');
  expect(overloadTable(overloadReport(STAGES))).toContain('Every bound held.');
  expect(table).toContain('20,000 sockets cannot all come: a process may open 20,000 files.');
  expect(overloadTable(overloadReport(STAGES.slice(0, 3)))).not.toContain('cannot all come');
});

test.each([
  [['--scenario', 'flood'], /no scenario flood/],
  [['--speed', '2'], /share of one core/],
  [['--capacity', '0'], /--capacity must be a number above 0/],
  [['--search', '0.5,0.25'], /rising/],
  [['--processes', '1.5'], /whole number/],
  [['--stage-s', '5'], /10 at least/],
  [['--beside', 'everyone'], /no bad client everyone/],
  [['--colour', 'red'], /colour/],
])('refuses the arguments %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(BadArguments);
  expect(() => readOptions(args)).toThrow(message);
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
