import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AT, type JudgedScore } from '#domain/record/figures/block-sums.ts';
import { BLOCK_S } from '#domain/record/figures/bootstrap.ts';
import { EXTREMES, extremesOf, pathLoss, periodExtremes, recordCard } from '#domain/record/figures/record-card.ts';
import { type JudgedRecord, trackBlocks } from '#domain/record/figures/track-blocks.ts';
import { trackCounts, trackParts } from '#domain/record/figures/track-figures.ts';
import { LEAST_BLOCKS } from '#domain/record/messages/verdict.ts';
import type { RecordScore } from '#domain/record/scoring/record-score.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { aBaselineTable, makeRecords, outcomeOf, type RecordPlan } from '../testing/record-fixtures.ts';

const SLOTS_PER_BLOCK = BLOCK_S / 300;
const table = aBaselineTable();

function judged(plan: RecordPlan, change?: (score: RecordScore, i: number) => JudgedScore): JudgedRecord[] {
  const records = makeRecords(plan);
  return records.bodies.map((body, i) => {
    const score = scoreRecord(body, outcomeOf(records, body), table);
    return { body, score: change === undefined ? score : change(score, i) };
  });
}

const oneModel = { models: ['bobcat'], syms: ['BTCUSDT.P', 'ETHUSDT.P'] } as const;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('computes a skill as one minus the ratio of the summed scores of all records', async () => {
  const records = judged({ ...oneModel, slots: 100 });
  const scores = records.map(({ score }) => score as RecordScore);

  const { models } = await trackParts(trackBlocks(records));

  const [bobcat] = models;
  for (const [i, bar] of SCORED_BARS.entries()) {
    const at = bobcat?.bars[i];
    expect(at?.bar).toBe(bar);
    const of = (name: 'shown' | 'ewma' | 'har') => sum(scores.map(({ crps }) => crps[name][i] ?? 0));
    expect(at?.figures.skillEwma?.value).toBeCloseTo(1 - of('shown') / of('ewma'), 12);
    expect(at?.figures.skillHar?.value).toBeCloseTo(1 - of('shown') / of('har'), 12);
    const path = sum(records.map(({ body }, k) => Math.abs((scores[k]?.actual[i] ?? 0) - (body.path[i] ?? 0))));
    const last = sum(scores.map(({ actual }) => Math.abs(actual[i] ?? 0)));
    expect(at?.figures.skillLastClose?.value).toBeCloseTo(1 - path / last, 12);
    const inside = scores.filter(({ inside }) => inside.shown80[i]).length;
    expect(at?.figures.cover80?.value).toBeCloseTo(inside / scores.length, 12);
  }
  const overRoot = (name: 'shown' | 'ewma') =>
    sum(scores.map(({ crps }) => sum(crps[name].map((value, i) => value / Math.sqrt(SCORED_BARS[i] ?? 1)))));
  expect(bobcat?.all.skillEwma?.value).toBeCloseTo(1 - overRoot('shown') / overRoot('ewma'), 12);
  expect(bobcat?.all.n).toBe(200);
  expect(sum(bobcat?.pit ?? [])).toBe(200 * SCORED_BARS.length);
  expect(bobcat?.bandFactor).toEqual({ p80: 1, p95: 1 });
});

test('rates a random path worse than the last close, and accepts correct bands', async () => {
  const slots = LEAST_BLOCKS * SLOTS_PER_BLOCK;

  const { models } = await trackParts(trackBlocks(judged({ ...oneModel, firstSlotS: 0 + BLOCK_S * 81_000, slots })));

  const all = models[0]?.all;
  expect(all?.blocks).toBe(LEAST_BLOCKS);
  expect(all?.skillLastClose?.interval?.[1]).toBeLessThan(0);
  const [low, high] = all?.cover80?.interval ?? [1, 0];
  expect(low).toBeLessThan(0.8);
  expect(high).toBeGreaterThan(0.8);
  expect(low).toBeGreaterThan(0.7);
});

test('gives a value without an interval when one block is missing', async () => {
  const slots = (LEAST_BLOCKS - 1) * SLOTS_PER_BLOCK;

  const { models } = await trackParts(trackBlocks(judged({ ...oneModel, firstSlotS: BLOCK_S * 81_000, slots })));

  expect(models[0]?.all.blocks).toBe(LEAST_BLOCKS - 1);
  expect(models[0]?.all.cover80?.value).toBeGreaterThan(0.7);
  expect(models[0]?.all.cover80?.interval).toBeNull();
});

test('gives exactly the same figures in any order of records', async () => {
  const records = judged({ slots: 80, models: ['bobcat', 'lion'] });
  const blocks = trackBlocks(records);

  const other = trackBlocks(records.toReversed());

  const byKey = (list: typeof blocks) =>
    list.map((block) => JSON.stringify({ ...block, sums: [...block.sums] })).sort((a, b) => a.localeCompare(b));
  expect(byKey(other)).toEqual(byKey(blocks));
  expect((await trackParts(other)).models).toEqual((await trackParts(blocks)).models);
});

test('separates symbols, weeks and roles, and leaves shadow models out of the counts', async () => {
  const serving = judged({ slots: 40, models: ['lion', 'bobcat'] });
  const shadow = judged({ slots: 40, models: ['bobcat'], role: 'shadow', version: 'bobcat-0000000002' });

  const blocks = trackBlocks([...serving, ...shadow]);
  const { models, bySymbol, byWeek } = await trackParts(blocks);

  expect(models.map(({ model, role }) => `${model} ${role}`)).toEqual([
    'bobcat serving',
    'lion serving',
    'bobcat shadow',
  ]);
  expect(bySymbol.map(({ sym, model }) => `${sym} ${model}`).slice(0, 2)).toEqual([
    'BTCUSDT.P bobcat',
    'BTCUSDT.P lion',
  ]);
  expect(bySymbol).toHaveLength(serving.length / 40);
  expect(byWeek.map(({ weekS }) => new Date(weekS * 1000).toISOString())).toEqual([
    '2025-11-10T00:00:00.000Z',
    '2025-11-10T00:00:00.000Z',
  ]);
  expect(trackCounts(blocks).counts).toEqual({
    issued: serving.length,
    known: serving.length,
    void: 0,
    waiting: 0,
  });
});

test('counts void and waiting records without changing any figure', async () => {
  const known = judged({ ...oneModel, slots: 20 });
  const later = judged({ ...oneModel, slots: 3, firstSlotS: 1_763_000_100 }, (_, i) =>
    i < 4 ? { void: 'venue-changed' } : null,
  );

  const blocks = trackBlocks([...known, ...later]);

  expect(trackCounts(blocks)).toEqual({
    counts: { issued: 46, known: 40, void: 4, waiting: 2 },
    voidReasons: { 'venue-changed': 4 },
  });
  const [alone] = (await trackParts(trackBlocks(known))).models;
  expect((await trackParts(blocks)).models[0]?.all).toEqual(alone?.all);
});

test('gives no skill and no error in a market that never moved', async () => {
  const still = [0, 0, 0, 0, 0];
  const records = judged({ ...oneModel, slots: 20 }, (score) => ({
    ...score,
    actual: still,
    rv: 0,
    range: 0,
    crps: { shown: still, model: still, ewma: still, har: still },
  }));

  const { models } = await trackParts(trackBlocks(records));

  expect(models[0]?.all.skillEwma).toBeNull();
  expect(models[0]?.all.skillLastClose).toBeNull();
  expect(models[0]?.rvError).toBeNull();
  expect(JSON.stringify(models)).not.toContain('NaN');
});

test('ranks the best and worst of a period over all its records, whatever their blocks', () => {
  const losses = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 60 });
  fc.assert(
    fc.property(losses, fc.integer({ min: 1, max: 9 }), (all, parts) => {
      const ranked = all.map((loss, i) => [i + 1, loss] as const);
      const byPart = Array.from({ length: parts }, (_, part) =>
        extremesOf(ranked.filter(([seq]) => seq % parts === part)),
      );

      const { best, worst } = periodExtremes(byPart);

      const each = Math.min(EXTREMES, Math.floor(all.length / 2));
      expect(best).toEqual(extremesOf(ranked).best.slice(0, each));
      expect(worst).toEqual(extremesOf(ranked).worst.slice(0, each));
      expect(new Set([...best, ...worst].map(([seq]) => seq)).size).toBe(2 * each);
    }),
  );
});

test('converts path, bands and outcome to basis points in a card', () => {
  const [record] = judged({ ...oneModel, slots: 1 }, (score) => ({ ...score, actual: [100, 200, -300, 400, 1000] }));
  if (record === undefined) throw new Error('no record');
  const wider = {
    ...record.body,
    path: [0, 0, 0, 0, 700],
    bands: [[1000, 1000, 1000, 1000, 2000], record.body.bands[1]],
  };
  const body = { ...record.body, ...wider } as JudgedRecord['body'];

  const card = recordCard(body, record.score);

  expect(card).toMatchObject({ state: 'known', voidReason: null, actualBp: [1, 2, -3, 4, 10] });
  expect(card.pathBp.at(-1)).toBe(7);
  const plain = recordCard({ ...body, bands: record.body.bands }, record.score);
  expect(card.band80Bp.at(-1)).toBeCloseTo(2 * (plain.band80Bp.at(-1) ?? 0), 1);
  expect(pathLoss(body, record.score as RecordScore)).toBe(300 - 1000);
  expect(recordCard(body, null)).toMatchObject({ state: 'waiting', actualBp: null });
  expect(recordCard(body, { void: 'candles-gone' })).toMatchObject({ state: 'void', voidReason: 'candles-gone' });
});

test('stores sums as whole numbers', () => {
  for (const { sums } of trackBlocks(judged({ slots: 5 }))) {
    expect([...sums].every(Number.isSafeInteger)).toBe(true);
    expect(sums[AT.issued]).toBe(5);
  }
});
