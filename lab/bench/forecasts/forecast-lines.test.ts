/** The bench's output is sufficient: code that shares nothing with the measurement computes the same figures. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BASELINE_NAMES, SCORE_COLUMNS } from '../../../domain/forecast/model-figures.ts';
import { QUANTILE_LEVELS } from '../../../domain/forecast/quantiles.ts';
import { inTimeframe, readCandleFile } from '../../measure/candle-files.ts';
import { type GroupResult, measureGroups } from '../../measure/measure.ts';
import { spanGroups } from '../../measure/measured-symbols.ts';
import { type RebuiltModel, rebuildFigures } from '../../measure/rebuild.ts';
import { fixtureModel, gaussianNetwork, generatedFile } from '../../measure/testing/measure-fixtures.ts';
import { baselineLine, modelLine, openLineFile } from './forecast-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'forecast-lines-'));
const lines = join(folder, 'F.jsonl');
const baselines = join(folder, 'B.jsonl');
let group: GroupResult | undefined;
let rebuilt: Record<string, RebuiltModel> = {};

beforeAll(async () => {
  for (const seed of ['ONE', 'TWO']) {
    const rows = generatedFile(seed, 7).candles.map((c) => [c.time, c.open, c.high, c.low, c.close, c.volume].join());
    writeFileSync(join(folder, `${seed}-1m.csv.gz`), gzipSync(['time,open,high,low,close,volume', ...rows].join('\n')));
  }
  const files = ['ONE', 'TWO'].map((name) => readCandleFile(folder, name));
  const startS = (files[0]?.candles[0]?.time ?? 0) + 4 * 86_400;
  const models = [
    fixtureModel('bobcat', gaussianNetwork()),
    fixtureModel(
      'lion',
      gaussianNetwork((_, h) => 1 + h / 200),
    ),
  ];
  const [out, baselinesOut] = [openLineFile(lines), openLineFile(baselines)];
  [group] = await measureGroups(models, spanGroups(files, { startS, endS: Number.POSITIVE_INFINITY }, 29), {
    observe: ({ window, models: ofModels, baselines: ofBaselines }) => {
      for (const forecast of ofModels) out.write(modelLine(window, forecast));
      for (const forecast of ofBaselines) baselinesOut.write(baselineLine(window, forecast));
    },
  });
  out.close();
  baselinesOut.close();
  rebuilt = await rebuildFigures(folder, [lines, baselines]);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('writes in a line exactly what section 6 requires', () => {
  const [first = ''] = readFileSync(lines, 'utf8').split('\n');

  const line = JSON.parse(first);

  expect(Object.keys(line)).toEqual(['symbol', 'model', 't0', 'levels', 'close_q', 'candles', 'rv50', 'range50', 'ms']);
  expect(line).toMatchObject({ symbol: 'ONE', model: 'bobcat', levels: [...QUANTILE_LEVELS] });
  expect([line.close_q.length, line.close_q[49].length, line.candles.length]).toEqual([50, 25, 50]);
  expect(Object.keys(line.candles[0])).toEqual(['open', 'high', 'low', 'close']);
  expect(line.ms).toBeGreaterThan(0);
});

test.each(['bobcat', 'lion'] as const)(
  'rebuilds skill and coverage of %s from the lines and the candles alone',
  (name) => {
    const skill = group?.models.get(name)?.skill;
    const own = rebuilt[name];

    expect([own?.windows, own?.blocks]).toEqual([skill?.windows, skill?.blocks]);
    expect(own?.coverage80).toBeCloseTo(skill?.coverage.pooled80[0] ?? 0, 2);
    expect(own?.coverage95).toBeCloseTo(skill?.coverage.pooled95[0] ?? 0, 2);
    expect(own?.coverageBySymbol.TWO?.[0]).toBeCloseTo(skill?.coverageBySymbol.TWO?.within80 ?? 0, 2);
    const rivals = { ...skill?.crpsSkillPercent, ...skill?.harderSkillPercent, ...skill?.pairedSkillPercent };
    expect(Object.keys(rivals).sort()).toEqual(Object.keys(own?.crpsSkillPercent ?? {}).sort());
    for (const [rival, byColumn] of Object.entries(rivals)) {
      for (const [column, key] of SCORE_COLUMNS.entries()) {
        const [value, low, high] = own?.crpsSkillPercent[rival]?.[column] ?? [];
        const [shownValue = 0, shownLow = 0, shownHigh = 0] = byColumn?.[key] ?? [];
        expect(value, `${rival} ${key}`).toBeCloseTo(shownValue, 2);
        // The draws differ, so intervals agree only approximately.
        const slack = 0.2 * (shownHigh - shownLow) + 0.001;
        expect(Math.abs((low ?? 0) - shownLow), `${rival} ${key}`).toBeLessThan(slack);
        expect(Math.abs((high ?? 0) - shownHigh), `${rival} ${key}`).toBeLessThan(slack);
      }
    }
    for (const baseline of BASELINE_NAMES) {
      expect(own?.rv50SkillPercent[baseline]?.[0]).toBeCloseTo(skill?.rv50SkillPercent[baseline][0] ?? 0, 2);
      expect(own?.range50SkillPercent[baseline]?.[0]).toBeCloseTo(skill?.range50SkillPercent[baseline][0] ?? 0, 2);
    }
  },
);

test('rebuilds one symbol over some time alone', async () => {
  const from = (group?.group.symbols[1]?.windows[20]?.t0 ?? 0) - 60;

  const alone = await rebuildFigures(folder, [lines], { symbols: ['TWO'], startS: from });

  expect(Object.keys(alone)).toEqual(['bobcat', 'lion']);
  expect(alone.lion?.windows).toBe((group?.group.symbols[1]?.windows.length ?? 0) - 20);
  expect(Object.keys(alone.lion?.coverageBySymbol ?? {})).toEqual(['TWO']);
});

test('names an invalid line, and one whose candles are missing', async () => {
  const bad = join(folder, 'bad.jsonl');
  const [first = ''] = readFileSync(lines, 'utf8').split('\n');
  const rebuild = async (...text: string[]) => {
    writeFileSync(bad, text.join('\n'));
    return rebuildFigures(folder, [bad]);
  };

  await expect(rebuild(first, '{"model":')).rejects.toThrow("bad.jsonl: line 2 isn't a line of the bench");
  await expect(rebuild(JSON.stringify({ ...JSON.parse(first), t0: 60 }))).rejects.toThrow(
    'line 1: the candles after 60',
  );
});

test('writes and rebuilds bars of five minutes from the files of minutes', async () => {
  const own = join(folder, 'five.jsonl');
  const out = openLineFile(own);
  const files = ['ONE', 'TWO'].map((name) => inTimeframe(readCandleFile(folder, name), '5min'));
  const startS = (files[0]?.candles[0]?.time ?? 0) + 4 * 86_400;
  const models = [fixtureModel('lion', gaussianNetwork())];
  const [five] = await measureGroups(models, spanGroups(files, { startS, endS: Number.POSITIVE_INFINITY }, 35), {
    observe: ({ window, models: ofModels }) => {
      for (const forecast of ofModels) out.write(modelLine(window, forecast));
    },
  });
  out.close();
  const line = JSON.parse(readFileSync(own, 'utf8').split('\n')[0] ?? '');

  const { lion } = await rebuildFigures(folder, [own]);

  expect(Object.keys(line).slice(0, 4)).toEqual(['symbol', 'timeframe', 'model', 't0']);
  expect([line.timeframe, line.t0 % 300]).toEqual(['5min', 0]);
  const skill = five?.models.get('lion')?.skill;
  expect([lion?.windows, lion?.blocks]).toEqual([skill?.windows, skill?.blocks]);
  expect(lion?.windows).toBeGreaterThan(100);
  expect(lion?.coverage80).toBeCloseTo(skill?.coverage.pooled80[0] ?? 0, 2);
  expect(five?.models.get('lion')?.realism.invariantViolations).toBe(0);
});
