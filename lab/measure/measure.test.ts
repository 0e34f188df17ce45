import { beforeAll, expect, test } from 'vitest';
import {
  BASELINE_NAMES,
  HARDER_BASELINE_NAMES,
  type SkillTable,
  skillTableSchema,
} from '../../domain/forecast/model-figures.ts';
import { fitBaselines } from './baselines/baselines.ts';
import { measure, measureGroups } from './measure.ts';
import { type MeasuredSymbol, spanGroups, standardGroups } from './measured-symbols.ts';
import { fixtureModel, gaussianNetwork, generatedFile, measuredLastThird } from './testing/measure-fixtures.ts';
import type { Observation } from './windows/score-windows.ts';

let symbols: MeasuredSymbol[] = [];
let tables: Map<string, SkillTable> = new Map();
const table = (name: string): SkillTable => {
  const found = tables.get(name);
  if (found === undefined) throw new Error(`no table of ${name}`);
  return found;
};

beforeAll(async () => {
  symbols = ['made-up-1', 'made-up-2'].map((seed) => measuredLastThird(generatedFile(seed, 9), 7));
  const models = [
    fixtureModel('bobcat', gaussianNetwork()),
    fixtureModel(
      'panther',
      gaussianNetwork(() => 1.5),
    ),
    fixtureModel(
      'lion',
      gaussianNetwork((_, h) => (h === 1 ? 0.8 : 1)),
    ),
  ];
  tables = await measure(models, symbols);
});

test('writes every table in the published shape, about the same windows', () => {
  for (const one of tables.values()) expect(skillTableSchema.parse(one)).toEqual(one);
  expect([...tables.values()].map(({ windows, blocks }) => [windows, blocks])).toEqual(
    Array.from({ length: 3 }, () => [symbols.reduce((sum, s) => sum + s.windows.length, 0), table('bobcat').blocks]),
  );
});

test('shows no skill of a network that repeats a baseline, at any horizon, in any figure', () => {
  const { crpsSkillPercent, rv50SkillPercent, range50SkillPercent, rv50QlikeSkillPercent } = table('bobcat');

  expect(Object.values(crpsSkillPercent['ewma-gauss'])).toEqual(Array.from({ length: 6 }, () => [0, 0, 0]));
  for (const figures of [rv50SkillPercent, range50SkillPercent, rv50QlikeSkillPercent]) {
    for (const bound of figures['ewma-gauss']) expect(bound).toBeCloseTo(0, 3);
  }
  expect(table('bobcat').medianErrorVsLastClosePercent).toBe(0);
});

test('ranks a band half as wide again clearly below the plain one, and the paired tables agree', () => {
  const lost = table('panther').pairedSkillPercent.bobcat?.all;
  const won = table('bobcat').pairedSkillPercent.panther?.all;

  expect(lost?.[2]).toBeLessThan(0);
  expect(won?.[1]).toBeGreaterThan(0);
  expect(table('panther').coverage.pooled80[0]).toBeGreaterThan(table('bobcat').coverage.pooled80[0] + 5);
  expect(table('panther').rv50SkillPercent['ewma-gauss'][0]).toBeCloseTo(0, 3);
});

test('shows a difference at one horizon there, and in all, and nowhere else', () => {
  const paired = table('lion').pairedSkillPercent.bobcat;

  expect(paired?.h1[0]).not.toBe(0);
  expect([paired?.h5, paired?.h50]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(table('lion').coverageByHorizon.h1.within80).toBeLessThan(table('bobcat').coverageByHorizon.h1.within80);
});

test('ranks log-HAR, fitted on the past, above every walk on candles whose volatility clusters', () => {
  const { crpsSkillPercent } = table('bobcat');

  expect(crpsSkillPercent['har-empirical'].all[2]).toBeLessThan(0);
  expect(crpsSkillPercent.constant.all[1]).toBeGreaterThan(0);
});

test('averages coverage by symbol, third and quarter of the hour to the pooled one', () => {
  const { coverage, coverageBySymbol, coverageByWidth, coverageByQuarterHour } = table('lion');
  const average = (parts: readonly { within80: number }[]): number =>
    parts.reduce((sum, part) => sum + part.within80, 0) / parts.length;

  expect(coverageByQuarterHour.length).toBe(4);
  for (const parts of [Object.values(coverageBySymbol), coverageByWidth, coverageByQuarterHour]) {
    expect(Math.abs(average(parts) - coverage.pooled80[0])).toBeLessThan(0.5);
  }
});

test('scores a symbol of two groups once, and counts a withheld forecast against no model', async () => {
  const seen: Observation[] = [];
  const small = symbols.map((symbol) => ({ ...symbol, windows: symbol.windows.slice(0, 70) }));
  const [first] = small;
  const badT0 = first?.windows[3]?.t0;
  const whole = gaussianNetwork();
  const broken = gaussianNetwork(({ features }) => (features.t0 === badT0 ? Number.NaN : 1));
  const groups = [small, small.slice(0, 1)].map((of, i) => ({ name: `group-${i}`, title: '', symbols: of }));

  const results = await measureGroups([fixtureModel('bobcat', whole), fixtureModel('lion', broken)], groups, {
    observe: (observation) => seen.push(observation),
  });

  expect(seen.length).toBe(138);
  expect(results.map(({ models }) => models.get('bobcat')?.skill.windows)).toEqual([138, 69]);
  expect(results[1]?.symbols[0]?.withheld).toEqual([
    { t0: badT0, model: 'lion', reason: expect.stringMatching(/not plausible/) },
  ]);
  expect(results.map(({ models }) => [models.get('bobcat')?.withheld, models.get('lion')?.withheld])).toEqual([
    [0, 2],
    [0, 1],
  ]);
  expect(results[1]?.models.get('lion')?.realism.candles).toBe(69 * 50);
  expect(seen[0]?.models.map(({ path }) => path.length)).toEqual([50, 50]);
  expect(seen[0]?.baselines.map(({ name }) => name)).toEqual([...BASELINE_NAMES, ...HARDER_BASELINE_NAMES]);
});

test('counts a broken drawn candle, which withholds no window', async () => {
  const small = symbols.map((symbol) => ({ ...symbol, windows: symbol.windows.slice(0, 10) }));
  const sound = fixtureModel('bobcat', gaussianNetwork());
  const broken = fixtureModel('lion', gaussianNetwork());
  const wickless = { ...broken, tables: { ...broken.tables, lengths: { returns: 1, wicks: Number.NaN } } };
  const half = {
    ...wickless,
    get tables() {
      draws++;
      return draws % 2 === 0 ? broken.tables : wickless.tables;
    },
  };
  let draws = 0;

  const [result] = await measureGroups([sound, half], [{ name: 'g', title: '', symbols: small }]);

  const [bobcat, lion] = ['bobcat', 'lion'].map((name) => result?.models.get(name as 'lion'));
  expect([lion?.withheld, lion?.skill.windows, bobcat?.skill.windows]).toEqual([0, 20, 20]);
  expect([bobcat?.realism.invariantViolations, lion?.realism.invariantViolations]).toEqual([0, 10]);
  expect(lion?.realism.candles).toBe(10 * 50);
});

test('fits the pooled log-HAR once on the class’s past, and on nothing later', () => {
  const files = ['own', 'kin'].map((seed) => ({ ...generatedFile(seed, 5), name: seed }));
  const share = { ...generatedFile('share', 5), assetClass: 'equity' as const };
  const cutS = files[0]?.candles[3 * 1440]?.time ?? 0;
  const span = { startS: cutS, endS: Number.POSITIVE_INFINITY };
  const harsOf = (of: Parameters<typeof spanGroups>[0]) =>
    spanGroups(of, span, 29).flatMap((group) => group.symbols.map((symbol) => symbol.harOfClass()));
  const laterTripled = files.map((file) => ({
    ...file,
    candles: file.candles.map((c) => (c.time < cutS ? c : { ...c, ...tripled(c) })),
  }));
  const probe = symbols[0]?.windows[0];
  const textOf = (pooled: ReturnType<typeof harsOf>[number]) =>
    JSON.stringify([pooled?.har, pooled?.harWeek].map((har) => [har?.table, probe && har?.of(probe)]));

  const [own, kin, ofShare] = harsOf([...files, share]);

  expect(own).toBe(kin);
  expect(textOf(own ?? null)).toBe(textOf(harsOf(laterTripled)[0] ?? null));
  expect(textOf(own ?? null)).not.toBe(textOf(harsOf(files.slice(0, 1))[0] ?? null));
  expect(textOf(own ?? null)).not.toBe(textOf(ofShare ?? null));
  expect(harsOf(files.slice(0, 1).map((file) => ({ ...file, candles: file.candles.slice(2 * 1440) })))).toEqual([null]);
});

test('takes har-pooled from the class where it has one, and else from the symbol', () => {
  const [symbol] = symbols;
  const [window] = symbol?.windows ?? [];
  const prior = symbol?.prior().windows ?? [];
  const files = ['own', 'kin'].map((seed) => generatedFile(seed, 5));
  const pooled = spanGroups(files, { startS: files[0]?.candles[5000]?.time ?? 0, endS: Infinity }, 29)[0]?.symbols[0];
  const quantilesOf = (har: Parameters<typeof fitBaselines>[1], name: string) =>
    fitBaselines(prior, har)
      .filter((baseline) => baseline.name === name)
      .map((baseline) => window && baseline.of(window).quantiles);

  expect(quantilesOf(null, 'har-pooled')).toEqual(quantilesOf(null, 'har-empirical'));
  expect(quantilesOf(pooled?.harOfClass() ?? null, 'har-pooled')).not.toEqual(quantilesOf(null, 'har-pooled'));
  expect(quantilesOf(pooled?.harOfClass() ?? null, 'har-empirical')).toEqual(quantilesOf(null, 'har-empirical'));
});

test('rejects two models of one name', async () => {
  const twice = [fixtureModel('lion', gaussianNetwork()), fixtureModel('lion', gaussianNetwork())];

  await expect(measure(twice, symbols)).rejects.toThrow(/unique names: lion, lion/);
});

test('fits baselines on no candle of the measured span', () => {
  const file = generatedFile('two-lives', 4);
  const cutS = file.candles[3 * 1440]?.time ?? 0;
  const other = { ...file, candles: file.candles.map((c) => (c.time < cutS ? c : { ...c, ...tripled(c) })) };
  const span = { startS: cutS, endS: Number.POSITIVE_INFINITY };
  const priorOf = (of: typeof file) => spanGroups([of], span, 29)[0]?.symbols[0]?.prior();

  const [before, after] = [priorOf(file), priorOf(other)];
  const probe = before?.windows[0];
  const quantiles = [before, after].map((prior) =>
    fitBaselines(prior?.windows ?? [], null).map((baseline) => probe && baseline.of(probe).quantiles),
  );

  expect(before?.from).toBe('its own past');
  expect(quantiles[1]).toEqual(quantiles[0]);
});

test('splits crypto, shares and gold by the standard, with symbols shared between groups', () => {
  const at = (iso: string): number => Date.parse(iso) / 1000;
  const moved = (name: string, startIso: string) => {
    const file = generatedFile(name, 1);
    const shiftS = at(startIso) - (file.candles[0]?.time ?? 0);
    return { ...file, candles: file.candles.map((c) => ({ ...c, time: c.time + shiftS })) };
  };
  const files = [
    moved('BTCUSDT', '2025-03-02T00:00Z'),
    moved('aux-X', '2025-05-05T00:00Z'),
    moved('D', '2026-01-05T00:00Z'),
  ];

  const groups = standardGroups(files, 29);

  expect(Object.fromEntries(groups.map(({ name, symbols: of }) => [name, of.map(({ file }) => file.name)]))).toEqual({
    'crypto-test': ['BTCUSDT'],
    'crypto-others-test': ['aux-X'],
    'crypto-all-test': ['BTCUSDT', 'aux-X'],
    'four-pairs': ['BTCUSDT', 'D'],
    'crypto-2026': ['D'],
  });
  expect(groups[0]?.symbols[0]).toBe(groups[3]?.symbols[0]);
  expect(groups[0]?.symbols[0]?.prior().from).toBe('the measured windows themselves');
});

test('measures a stretch without any move or volume, and rejects a price that never moved by name', async () => {
  const file = generatedFile('unchanged', 6);
  const stillFrom = (place: number) => {
    const price = file.candles[place - 1]?.close ?? 9;
    const still = { open: price, high: price, low: price, close: price, volume: 0 };
    return file.candles.map((c, i) => (i < place ? c : { time: c.time, ...still }));
  };
  const partly = measuredLastThird({ ...file, candles: stillFrom(5 * 1440) }, 29);
  const wholly = measuredLastThird({ ...file, candles: stillFrom(0) }, 29);
  const models = [fixtureModel('bobcat', gaussianNetwork())];

  const skill = (await measure(models, [partly])).get('bobcat');

  expect(skill?.windows).toBe(partly.windows.length);
  expect(JSON.stringify(skill)).not.toContain('null');
  await expect(measure(models, [wholly])).rejects.toThrow('unchanged: its price never moved in its own past');
});

function tripled(c: { open: number; high: number; low: number; close: number }) {
  return { open: 3 * c.open, high: 3.1 * c.high, low: 2.9 * c.low, close: 3 * c.close };
}
