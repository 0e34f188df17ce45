/** Checks every size and comparison in the guide's text against the manifests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type GroupFigures, groupFiguresSchema } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { MODEL_GUIDE } from '../../web/content/model-guide.ts';
import { TIMEFRAME_FIGURES } from '../../web/content/timeframe-figures.ts';

const manifestSchema = z.object({ parameters: z.int(), figures: z.array(groupFiguresSchema) });

function manifestOf(model: ModelName, timeframe: Timeframe = DEFAULT_TIMEFRAME) {
  const folder = timeframe === DEFAULT_TIMEFRAME ? '' : timeframe;
  const path = join(import.meta.dirname, '../../models', folder, model, 'manifest.json');
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

function group(model: ModelName, name: string, timeframe?: Timeframe): GroupFigures {
  const found = manifestOf(model, timeframe).figures.find((one) => one.group === name);
  if (found === undefined) throw new Error(`${model} was not measured on ${name}`);
  return found;
}

const [bobcat, panther, lion] = [
  group('bobcat', 'four-pairs').skill,
  group('panther', 'four-pairs').skill,
  group('lion', 'four-pairs').skill,
];
const off80 = ({ coverage }: typeof bobcat) => Math.abs(coverage.pooled80[0] - 80);

test('describes every model, with the size of its network', () => {
  expect(MODEL_GUIDE.map(({ model }) => model)).toEqual(MODEL_NAMES);
  for (const { model, parameters } of MODEL_GUIDE) expect(parameters).toBe(manifestOf(model).parameters);
});

test('says of Bobcat: the 80% band closest to its promise, the least over HAR at one minute', () => {
  expect(off80(bobcat)).toBeLessThan(Math.min(off80(panther), off80(lion)));
  const overHar = [bobcat, panther, lion].map((skill) => skill.crpsSkillPercent['har-empirical'].h1[0]);
  expect(overHar[0]).toBe(Math.min(...overHar));
});

test('says of exactly the models with a narrow 80% band that it is narrow', () => {
  for (const { model, failsAt } of MODEL_GUIDE) {
    const isNarrow = group(model, 'four-pairs').skill.coverage.pooled80[2] < 80;
    expect(failsAt.includes('too narrow on the test'), model).toBe(isNarrow);
  }
});

test('says of Panther: better volatility than Bobcat, no lead shown in the band, an 80% band too narrow', () => {
  expect(panther.rv50SkillPercent['har-empirical'][0]).toBeGreaterThan(bobcat.rv50SkillPercent['har-empirical'][0]);
  expect(panther.pairedSkillPercent.bobcat?.all[1]).toBeLessThan(0);
  expect(panther.coverage.pooled80[2]).toBeLessThan(80);
});

test('says of Lion: ahead of both by less than a tenth of a per cent, best volatility and range, an 80% band too narrow', () => {
  for (const other of ['bobcat', 'panther'] as const) {
    const lead = lion.pairedSkillPercent[other]?.all;
    expect(lead?.[1]).toBeGreaterThan(0);
    expect(lead?.[0]).toBeLessThan(0.1);
  }
  for (const measure of ['rv50SkillPercent', 'range50SkillPercent'] as const) {
    const best = Math.max(...[bobcat, panther, lion].map((skill) => skill[measure]['har-empirical'][0]));
    expect(lion[measure]['har-empirical'][0]).toBe(best);
  }
  expect(lion.coverage.pooled80[2]).toBeLessThan(80);
});

test.each(['shares-test', 'gold-2026'])('says that Lion is not shown to be better than HAR on %s', (name) => {
  expect(group('lion', name).skill.crpsSkillPercent['har-empirical'].all[1]).toBeLessThan(0);
});

test('lists the figures of every model at 5 and 15 minutes as they were measured', () => {
  const longer = TIMEFRAMES.filter((timeframe) => timeframe !== DEFAULT_TIMEFRAME);
  const measured = longer.flatMap((timeframe) =>
    MODEL_NAMES.map((model) => {
      const { skill } = group(model, 'four-pairs', timeframe);
      return {
        timeframe,
        model,
        overWalk: skill.crpsSkillPercent['ewma-gauss'].all,
        overHar: skill.harderSkillPercent?.['har-week']?.all,
        overBobcat: model === 'bobcat' ? null : skill.pairedSkillPercent.bobcat?.all,
        inside80: skill.coverage.pooled80,
      };
    }),
  );

  expect(TIMEFRAME_FIGURES).toEqual(measured);
});

test('calls the models equal at 5 and 15 minutes because no interval of one over another is off 0', () => {
  for (const { overBobcat } of TIMEFRAME_FIGURES) {
    if (overBobcat === null) continue;
    expect(overBobcat[1]).toBeLessThan(0);
    expect(overBobcat[2]).toBeGreaterThan(0);
  }
});
